package main

import (
	"bytes"
	"encoding/binary"
	"testing"
)

func drawings() map[int][]byte {
	drawn := map[int][]byte{}
	for _, size := range sizes() {
		drawn[size] = bytes.Repeat([]byte{byte(size % 251)}, size)
	}
	return drawn
}

func TestIcoPointsAtItsDrawings(t *testing.T) {
	drawn := drawings()
	file := ico(drawn)
	count := int(binary.LittleEndian.Uint16(file[4:]))
	if count != 7 {
		t.Fatalf("%d drawings", count)
	}
	for i := range count {
		entry := file[6+16*i:]
		size := int(entry[0])
		if size == 0 {
			size = 256
		}
		length, offset := binary.LittleEndian.Uint32(entry[8:]), binary.LittleEndian.Uint32(entry[12:])
		if !bytes.Equal(file[offset:offset+length], drawn[size]) {
			t.Errorf("size %d is not at its place", size)
		}
	}
}

func TestIcnsLengthsAddUp(t *testing.T) {
	drawn := drawings()
	file := icns(drawn)
	if string(file[:4]) != "icns" || int(binary.BigEndian.Uint32(file[4:])) != len(file) {
		t.Fatal("the header does not give the length")
	}
	kinds := 0
	for rest := file[8:]; len(rest) > 0; kinds++ {
		rest = rest[binary.BigEndian.Uint32(rest[4:]):]
	}
	if kinds != 8 {
		t.Errorf("%d parts", kinds)
	}
}
