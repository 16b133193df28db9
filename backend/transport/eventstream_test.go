package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
)

func readEvents(text string, limit int64) (events []event, err error) {
	r := newEventReader(strings.NewReader(text), limit)
	for {
		e, err := r.next()
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
}

func TestEventReader(t *testing.T) {
	tests := []struct {
		name, in, want string
	}{
		{"one", "data: a\n\n", "[|a]"},
		{"named, with windows line ends", "event: endpoint\r\ndata: /x\r\n\r\n", "[endpoint|/x]"},
		{"many data lines", "data: a\ndata:b\ndata\ndata:  c\n\n", "[|a\nb\n\n c]"},
		{"an empty data line", "data\nid: 1\ndata: a\n\n", "[|\na]#1"},
		{"comments and unknown fields", ": ping\nfoo: bar\n\ndata: a\n: x\n\n", "[|a]"},
		{"byte order mark", "\ufeffdata: a\n\n", "[|a]"},
		{"id and retry without data", "id: 7\nretry: 10\n\n", "[|]#7~10"},
		{"an empty id", "id\ndata: a\n\n", "[|a]#"},
		{"an id with a NUL is no id", "id: a\x00b\ndata: a\n\n", "[|a]"},
		{"cut short at the end", "data: a\n\ndata: b", "[|a][|b]"},
		{"nothing but a name at the end", "data: a\n\nevent: b\n", "[|a]"},
		{"empty lines", "\n\n\ndata: a\n\n\n\n", "[|a]"},
	}
	for _, test := range tests {
		events, err := readEvents(test.in, 1000)
		got := ""
		for _, e := range events {
			got += "[" + e.name + "|" + string(e.data) + "]"
			if e.hasID {
				got += "#" + e.id
			}
			if e.hasRetry {
				got += "~" + e.retry
			}
		}
		if !errors.Is(err, io.EOF) || got != test.want {
			t.Errorf("%s: %q (%v), want %q", test.name, got, err, test.want)
		}
	}
}

func TestEventReaderBoundsAnEvent(t *testing.T) {
	const limit = 1000
	long := strings.Repeat("x", 100)
	manyLines := "data: {\"id\": 9,\"result\":[\n" + strings.Repeat("data: \""+long+"\",\n", 20) + "data: \"\"]}\n\n"
	oneLine := `data: {"result":"` + strings.Repeat("x", 2*eventChunk) + `","id":"nine"}` + "\n\n"
	for name, test := range map[string]struct{ in, id string }{"many lines": {manyLines, "9"}, "one line": {oneLine, `"nine"`}} {
		events, err := readEvents(test.in+"data: after\n\n", limit)
		if !errors.Is(err, io.EOF) || len(events) != 2 || events[0].over == nil || string(events[1].data) != "after" {
			t.Fatalf("%s: %+v (%v)", name, events, err)
		}
		if got := string(events[0].over.messages()[0].id); got != test.id {
			t.Errorf("%s: id %s, want %s", name, got, test.id)
		}
	}
}

func TestLineReader(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"lines", "a\nb\r\n\nc", []string{"a", "b", "", "c"}},
		{"at the limit", strings.Repeat("x", 10) + "\ny\n", []string{strings.Repeat("x", 10), "y"}},
		{"above the limit", `{"id":1,"result":"xxxxxxxxx"}` + "\ny\n", []string{"over 1", "y"}},
		{"above the limit at the end", `{"method":"x","id":"q"}`, []string{`over "q" request`}},
	}
	for _, test := range tests {
		r := newLineReader(strings.NewReader(test.in), 10, eventChunk)
		var got []string
		for {
			line, over, err := r.next()
			if err != nil {
				break
			}
			text := string(line)
			if over != nil {
				text = "over " + glimpses(over)
			}
			got = append(got, text)
		}
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// glimpses are the messages that were told apart, with what is known of each.
func glimpses(s *skimmed) string {
	var all []string
	for _, m := range s.messages() {
		text := string(m.id)
		if m.request {
			text += " request"
		}
		if text != "" {
			all = append(all, text)
		}
	}
	return strings.Join(all, ", ")
}

func TestSkimmedFrames(t *testing.T) {
	tests := []struct{ in, want string }{
		{`{"jsonrpc":"2.0","id":12,"result":{"id":99,"a":["id",{"id":1}]}}`, "12"},
		{`{"result":{"id":"no","text":"\"id\":5,\\"},"id":"ab\"c","jsonrpc":"2.0"}`, `"ab\"c"`},
		{`{ "id" : -1.5e3 , "method" : "x" }`, "-1.5e3 request"},
		{`{"id":7,"\u006dethod":"x"}`, "7 request"},
		{`{"id":null,"error":{}}`, ""},
		{`{"id":true,"result":1}`, ""},
		{`{"id":1,"id":2}`, "1"},
		{`{"result":{}}`, ""},
		{`not json at all, "id":7,`, ""},
		{`{"id":12`, ""}, // which may go on
		{`{"id":12,"result":{"a`, "12"},
		{`{"id":1,"result":{}}{"id":2,"method":"x"}`, "1, 2 request"},
		{`[{"id":1,"result":[{"id":8}]},{"method":"n"},{"id":"a","method":"m","params":{"id":9}},{"id":3,"error":{}}]`, `1,  request, "a" request, 3`},
		{` [ {"id":1,"result":{}} , {"id":2,"result":"cut sh`, "1, 2"},
		{`["id":1,{"id":2}`, "2"},
		{`[[{"id":1}]]`, ""},
		{`{"id":"` + strings.Repeat("x", maxSkimmedWord) + `","result":{}}`, ""},
	}
	for _, test := range tests {
		for _, size := range []int{1, 3, 1000} {
			var s skimmed
			for part := range slices.Chunk([]byte(test.in), size) {
				s.scan(part)
			}
			if got := glimpses(&s); got != test.want {
				t.Errorf("%s in parts of %d: %q, want %q", test.in, size, got, test.want)
			}
		}
	}
}

func TestSkimmedBatchIsBounded(t *testing.T) {
	var s skimmed
	s.scan([]byte("[" + strings.Repeat(`{"id":1},`, 2*maxSkimmed)))
	if n := len(s.messages()); n > maxSkimmed+1 {
		t.Errorf("%d messages are kept", n)
	}
}

// What the scanner says of a message it sees in passing is what a real decoder says.
func FuzzSkimmed(f *testing.F) {
	f.Add([]byte(`{"id":1,"result":{"id":2}}`))
	f.Add([]byte(`{"a":"\"id\":3","id":"x\\"}`))
	f.Add([]byte(`{"method":"m","id":[1,{"id":2}]}`))
	f.Add([]byte(`[{"id":1},{"id":2,"method":"m"}]`))
	f.Fuzz(func(t *testing.T, in []byte) {
		var s skimmed
		s.scan(in)
		var m map[string]json.RawMessage
		if json.Unmarshal(in, &m) != nil || len(m) != countMembers(in) {
			return
		}
		seen := s.messages()[0]
		if id := m["id"]; len(id) > 0 && len(id) < maxSkimmedWord && (id[0] == '"' || id[0] == '-' || isDigit(id[0])) {
			if string(seen.id) != string(id) {
				t.Errorf("id %q, want %q in %q", seen.id, id, in)
			}
		}
		if _, request := m["method"]; request != seen.request {
			t.Errorf("request %v in %q", seen.request, in)
		}
	})
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// countMembers counts the members of an object, those of the same name too.
func countMembers(in []byte) int {
	decoder := json.NewDecoder(bytes.NewReader(in))
	if _, err := decoder.Token(); err != nil {
		return -1
	}
	n := 0
	for decoder.More() {
		var value json.RawMessage
		if _, err := decoder.Token(); err != nil || decoder.Decode(&value) != nil {
			return -1
		}
		n++
	}
	return n
}

func FuzzEventReader(f *testing.F) {
	f.Add([]byte("event: message\ndata: {}\n\n"), 10)
	f.Add([]byte("id: 1\nretry: 5\r\ndata: a\ndata: b"), 3)
	f.Add([]byte("\ufeffdata\ndata:\n\n: x\n\nid: \x00\nevent: e\n\n"), 1000)
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit = min(max(limit, 1), 1000)
		events, err := readEvents(string(in), int64(limit))
		if !errors.Is(err, io.EOF) || len(events) > len(in) {
			t.Fatalf("%d events of %d bytes: %v", len(events), len(in), err)
		}
		for _, e := range events {
			if len(e.data) > limit+strings.Count(string(in), "\n") || e.over != nil && e.data != nil {
				t.Fatalf("event of %d bytes over a limit of %d", len(e.data), limit)
			}
		}
		if len(in) <= limit {
			sameEvents(t, events, plainEvents(string(in)))
		}
	})
}

func sameEvents(t *testing.T, got, want []event) {
	t.Helper()
	same := func(a, b event) bool {
		return a.over == nil && a.name == b.name && bytes.Equal(a.data, b.data) && a.id == b.id && a.hasID == b.hasID &&
			a.retry == b.retry && a.hasRetry == b.hasRetry
	}
	if !slices.EqualFunc(got, want, same) {
		t.Fatalf("read %+v, want %+v", got, want)
	}
}

// plainEvents reads a whole stream the simple way: all lines, all fields, no limit.
func plainEvents(text string) (events []event) {
	var fields [][2]string
	end := func() {
		if len(fields) > 0 {
			events = append(events, plainEvent(fields))
		}
		fields = nil
	}
	lines := strings.SplitAfter(strings.TrimPrefix(text, "\ufeff"), "\n")
	for _, line := range lines {
		isLine := line != "" // what follows the last line end is none
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case line == "" && isLine:
			end()
		case name == "data", name == "event", name == "retry", name == "id" && !strings.Contains(value, "\x00"):
			fields = append(fields, [2]string{name, value})
		}
	}
	if len(fields) > 0 && len(plainEvent(fields).data) > 0 {
		end()
	}
	return events
}

func plainEvent(fields [][2]string) (e event) {
	var data []string
	for _, field := range fields {
		switch field[0] {
		case "data":
			data = append(data, field[1])
		case "event":
			e.name = field[1]
		case "id":
			e.id, e.hasID = field[1], true
		case "retry":
			e.retry, e.hasRetry = field[1], true
		}
	}
	e.data = []byte(strings.Join(data, "\n"))
	return e
}
