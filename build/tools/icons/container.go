package main

import (
	"bytes"
	"encoding/binary"
)

// sizes are the widths in pixels that the three systems ask for.
func sizes() []int { return []int{1024, 512, 256, 128, 64, 48, 32, 24, 16} }

// ico puts the sizes up to 256 into one Windows icon, as PNG (since Windows Vista).
func ico(drawn map[int][]byte) []byte {
	var wanted []int
	for _, size := range sizes() {
		if size <= 256 {
			wanted = append(wanted, size)
		}
	}
	const header, entry = 6, 16
	out := binary.LittleEndian.AppendUint16(nil, 0) // reserved
	out = binary.LittleEndian.AppendUint16(out, 1)  // an icon
	out = binary.LittleEndian.AppendUint16(out, uint16(len(wanted)))
	offset := header + entry*len(wanted)
	for _, size := range wanted {
		// 256 is written as 0; no palette, 32 bits a pixel.
		out = append(out, byte(size), byte(size), 0, 0)
		out = binary.LittleEndian.AppendUint16(out, 1)
		out = binary.LittleEndian.AppendUint16(out, 32)
		out = binary.LittleEndian.AppendUint32(out, uint32(len(drawn[size])))
		out = binary.LittleEndian.AppendUint32(out, uint32(offset))
		offset += len(drawn[size])
	}
	for _, size := range wanted {
		out = append(out, drawn[size]...)
	}
	return out
}

// icns puts the sizes that macOS reads as PNG into one Apple icon; a type that ends in a "retina" size repeats a drawing.
func icns(drawn map[int][]byte) []byte {
	parts := []struct {
		kind string
		size int
	}{
		{"ic11", 32}, {"ic12", 64}, {"ic07", 128}, {"ic13", 256}, {"ic08", 256}, {"ic14", 512}, {"ic09", 512}, {"ic10", 1024},
	}
	var body bytes.Buffer
	for _, part := range parts {
		body.WriteString(part.kind)
		body.Write(binary.BigEndian.AppendUint32(nil, uint32(8+len(drawn[part.size]))))
		body.Write(drawn[part.size])
	}
	out := append([]byte("icns"), binary.BigEndian.AppendUint32(nil, uint32(8+body.Len()))...)
	return append(out, body.Bytes()...)
}
