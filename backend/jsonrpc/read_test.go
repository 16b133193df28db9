package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestReadMessages(t *testing.T) {
	tests := []struct {
		name, frame string
		want        Message
	}{
		{
			"request", ` {"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo"}} ` + "\n",
			Message{Kind: KindRequest, ID: raw(`7`), Method: "tools/call", Params: raw(`{"name":"echo"}`)},
		},
		{
			"string id and escaped method", `{"id":"a","method":"tools\/list","jsonrpc":"2.0"}`,
			Message{Kind: KindRequest, ID: raw(`"a"`), Method: "tools/list"},
		},
		{
			"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`,
			Message{Kind: KindNotification, Method: "notifications/initialized"},
		},
		{
			"positional params", `{"jsonrpc":"2.0","method":"m","params":[1, 2]}`,
			Message{Kind: KindNotification, Method: "m", Params: raw(`[1, 2]`)},
		},
		{
			"result keeps its bytes", `{"jsonrpc":"2.0","id":1,"result":{ "b" : 1.0, "a" : "\ud83d" }}`,
			Message{Kind: KindResponse, ID: raw(`1`), Result: raw(`{ "b" : 1.0, "a" : "\ud83d" }`)},
		},
		{
			"null result", `{"jsonrpc":"2.0","id":1,"result":null}`,
			Message{Kind: KindResponse, ID: raw(`1`), Result: raw(`null`)},
		},
		{
			"error", `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad","data":[1]}}`,
			Message{Kind: KindResponse, ID: raw(`1`), Error: &Error{Code: -32602, Message: "bad", Data: raw(`[1]`)}},
		},
		{
			"error for an unread id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`,
			Message{Kind: KindResponse, Error: &Error{Code: -32700, Message: "bad"}},
		},
		{
			"unknown members are kept in Raw", `{"jsonrpc":"2.0","method":"m","extra":{"a":1,"A":2}}`,
			Message{Kind: KindNotification, Method: "m"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			messages, err := Read([]byte(test.frame), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			test.want.Raw = raw(strings.TrimSpace(test.frame))
			if diff := cmp.Diff([]Message{test.want}, messages); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadSplitsBatches(t *testing.T) {
	messages, err := Read([]byte(` [ {"jsonrpc":"2.0","id":1,"method":"a"} , {"jsonrpc":"2.0","method":"b"} ] `), Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range messages {
		got = append(got, m.Method+" "+string(m.Raw))
	}
	want := []string{`a {"jsonrpc":"2.0","id":1,"method":"a"}`, `b {"jsonrpc":"2.0","method":"b"}`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadRefuses(t *testing.T) {
	tests := []struct {
		name, frame string
		want        error
		id          string
	}{
		{"nothing", "", ErrSyntax, ""},
		{"a log line", "Server listening on stdio", ErrSyntax, ""},
		{"two messages without a batch", `{"jsonrpc":"2.0","method":"m"} {}`, ErrSyntax, ""},
		{"a byte order mark", "\ufeff" + `{"jsonrpc":"2.0","method":"m"}`, ErrSyntax, ""},
		{"trailing comma", `{"jsonrpc":"2.0","method":"m",}`, ErrSyntax, ""},
		{"broken UTF-8", "{\"jsonrpc\":\"2.0\",\"method\":\"\xff\"}", ErrEncoding, ""},
		{"duplicate member", `{"jsonrpc":"2.0","method":"tools/list","method":"tools/call"}`, ErrDuplicate, ""},
		{"duplicate by escape", `{"jsonrpc":"2.0","id":5,"method":"m","params":{"name":"a","n\u0061me":"b"}}`, ErrDuplicate, "5"},
		{"duplicate deep inside", `{"jsonrpc":"2.0","id":1,"result":{"a":[{"b":1,"b":2}]}}`, ErrDuplicate, "1"},
		{"member in another case", `{"jsonrpc":"2.0","id":1,"method":"tools/list","Method":"tools/call"}`, ErrMemberCase, "1"},
		{"member that folds", `{"jsonrpc":"2.0","id":1,"method":"m","param` + "\u017f" + `":{}}`, ErrMemberCase, "1"},
		{"too deep", `{"jsonrpc":"2.0","id":1,"result":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}`, ErrTooDeep, "1"},
		{"too large", `{"jsonrpc":"2.0","method":"` + strings.Repeat("m", 2000) + `"}`, ErrTooLarge, ""},
		{"empty batch", `[]`, ErrBatch, ""},
		{"long batch", `[` + strings.Repeat(`{"jsonrpc":"2.0","method":"m"},`, 5) + `{"jsonrpc":"2.0","method":"m"}]`, ErrBatch, ""},
		{"batch in a batch", `[[{"jsonrpc":"2.0","method":"m"}]]`, ErrShape, ""},
		{"a number", `1`, ErrShape, ""},
		{"no version", `{"id":1,"method":"m"}`, ErrShape, "1"},
		{"version as a number", `{"jsonrpc":2.0,"method":"m"}`, ErrShape, ""},
		{"nothing to do", `{"jsonrpc":"2.0","id":1}`, ErrShape, "1"},
		{"request and answer", `{"jsonrpc":"2.0","id":1,"method":"m","result":1}`, ErrShape, "1"},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}`, ErrShape, "1"},
		{"result and null error", `{"jsonrpc":"2.0","id":1,"result":1,"error":null}`, ErrShape, "1"},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"m"}`, ErrShape, ""},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"m"}`, ErrShape, ""},
		{"result without id", `{"jsonrpc":"2.0","result":1}`, ErrShape, ""},
		{"null params", `{"jsonrpc":"2.0","id":1,"method":"m","params":null}`, ErrShape, "1"},
		{"method not a string", `{"jsonrpc":"2.0","id":1,"method":{}}`, ErrShape, "1"},
		{"error not an object", `{"jsonrpc":"2.0","id":1,"error":"boom"}`, ErrShape, "1"},
		{"error code not an integer", `{"jsonrpc":"2.0","id":1,"error":{"code":"E1","message":""}}`, ErrShape, "1"},
		{"error without code", `{"jsonrpc":"2.0","id":1,"error":{"message":""}}`, ErrShape, "1"},
		{"error without message", `{"jsonrpc":"2.0","id":1,"error":{"code":1}}`, ErrShape, "1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			messages, err := Read([]byte(test.frame), Limits{Size: 1500, Batch: 5})
			if !errors.Is(err, test.want) || messages != nil {
				t.Fatalf("got %v, %v, want %v", messages, err, test.want)
			}
			var fault *FrameError
			if !errors.As(err, &fault) || string(fault.ID) != test.id {
				t.Errorf("got id %q, want %q", fault.ID, test.id)
			}
			if fault.Code() != CodeParseError && fault.Code() != CodeInvalidRequest {
				t.Errorf("got code %d", fault.Code())
			}
		})
	}
}

func TestErrorsQuoteNoValues(t *testing.T) {
	_, err := Read([]byte(`{"jsonrpc":"2.0","id":1,"method":"m","params":{"token":"hunter2","token":"hunter2"}}`), Limits{})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Fatalf("got %v, want an error without the value", err)
	}
	if !strings.Contains(err.Error(), `"token"`) || !strings.Contains(err.Error(), "at byte 65") {
		t.Errorf("got %q, want the member's name and place", err)
	}
}

func TestManyMembers(t *testing.T) {
	var b strings.Builder
	for i := range 1000 {
		b.WriteString(`"k` + strings.Repeat("x", i) + `":0,`)
	}
	object := `{` + b.String() + `"last":0}`
	members, err := Members([]byte(object), Limits{})
	if err != nil || len(members) != 1001 {
		t.Fatalf("got %d members, %v", len(members), err)
	}
	repeated := `{` + b.String() + `"kxx":0}`
	if _, err := Members([]byte(repeated), Limits{}); !errors.Is(err, ErrDuplicate) {
		t.Errorf("got %v, want %v", err, ErrDuplicate)
	}
}

func TestMembersRefusesLookalikes(t *testing.T) {
	if _, err := Members([]byte(`{"Name":"x"}`), Limits{}, "name"); !errors.Is(err, ErrMemberCase) {
		t.Errorf("got %v, want %v", err, ErrMemberCase)
	}
	members, err := Members([]byte(`{"name":"x","Other":1}`), Limits{}, "name")
	if err != nil || string(members["name"]) != `"x"` || string(members["Other"]) != `1` {
		t.Errorf("got %v, %v", members, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"e","arguments":{"a":[1,-2.5e+3,true,null]}}}`,
		`[{"jsonrpc":"2.0","method":"m"},{"jsonrpc":"2.0","id":"x","result":{"\ud83d":"\u00e9\n"}}]`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"m","data":0}}`,
		`{"a":1,"a":2}`, `01`, `-`, `"\u12"`, `{"a":{}`, "\xff", `nul`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		messages, err := Read(frame, Limits{})
		valid := json.Valid(frame)
		switch {
		case err == nil && !valid:
			t.Fatal("reads what encoding/json does not")
		case errors.Is(err, ErrSyntax) && valid:
			t.Fatalf("refuses valid JSON: %v", err)
		case errors.Is(err, ErrEncoding) && utf8.Valid(frame):
			t.Fatalf("refuses valid UTF-8: %v", err)
		}
		for _, message := range messages {
			checkRewrites(t, message)
		}
	})
}

// checkRewrites writes a message that was read and expects the same one back.
func checkRewrites(t *testing.T, message Message) {
	t.Helper()
	again, err := Read(rewrite(t, message), Limits{})
	if err != nil || len(again) != 1 {
		t.Fatalf("%s does not read back: %v", message.Raw, err)
	}
	want, got := message, again[0]
	want.Raw, got.Raw = nil, nil
	if diff := cmp.Diff(want, got, cmp.Transformer("compact", compact)); diff != "" {
		t.Fatalf("%s changed: %s", message.Raw, diff)
	}
}

func compact(r json.RawMessage) string {
	if !bytes.ContainsAny(r, "\r\n") {
		return string(r) // the writer keeps white space within a line
	}
	var line bytes.Buffer
	if err := json.Compact(&line, r); err != nil {
		return err.Error()
	}
	return line.String()
}

func raw(s string) json.RawMessage { return json.RawMessage(s) }
