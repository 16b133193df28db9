package jsonrpc

import (
	"encoding/json"
	"errors"
	"testing"
)

func rewrite(t *testing.T, m Message) []byte {
	t.Helper()
	var out []byte
	var err error
	switch {
	case m.Kind == KindRequest:
		out, err = Request(m.ID, m.Method, m.Params)
	case m.Kind == KindNotification:
		out, err = Notification(m.Method, m.Params)
	case m.Error != nil:
		out, err = Failure(m.ID, *m.Error)
	default:
		out, err = Response(m.ID, m.Result)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWrite(t *testing.T) {
	tests := []struct {
		name  string
		write func() ([]byte, error)
		want  string
	}{
		{
			"request", func() ([]byte, error) { return Request(raw(`1`), "tools/call", raw(`{"a":"<&>"}`)) },
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"a":"<&>"}}`,
		},
		{
			"request without params", func() ([]byte, error) { return Request(raw(`"x"`), "ping", nil) },
			`{"jsonrpc":"2.0","id":"x","method":"ping"}`,
		},
		{
			"notification on one line", func() ([]byte, error) { return Notification("n", raw("{\n \"a\":\r\n \"<\"}\n")) },
			`{"jsonrpc":"2.0","method":"n","params":{"a":"<"}}`,
		},
		{
			"response", func() ([]byte, error) { return Response(raw(`1`), raw(`{ "b" : 1.0 }`)) },
			`{"jsonrpc":"2.0","id":1,"result":{ "b" : 1.0 }}`,
		},
		{
			"failure", func() ([]byte, error) {
				return Failure(raw(`1`), Error{Code: -32601, Message: `no "m"`, Data: raw(`{}`)})
			},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no \"m\"","data":{}}}`,
		},
		{
			"failure without id", func() ([]byte, error) { return Failure(nil, Error{Code: -32700, Message: "bad"}) },
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"bad"}}`,
		},
	}
	for _, test := range tests {
		got, err := test.write()
		if err != nil || string(got) != test.want {
			t.Errorf("%s: got %s, %v, want %s", test.name, got, err, test.want)
		}
	}
}

func TestWriteRefusesWhatReadWould(t *testing.T) {
	tests := []struct {
		name  string
		write func() ([]byte, error)
		want  error
	}{
		{"no id", func() ([]byte, error) { return Request(nil, "m", nil) }, nil},
		{"null id", func() ([]byte, error) { return Response(raw(`null`), raw(`1`)) }, nil},
		{"broken id", func() ([]byte, error) { return Request(raw(`1,"method":"x"`), "m", nil) }, ErrSyntax},
		{"null params", func() ([]byte, error) { return Notification("m", raw(`null`)) }, nil},
		{"broken params", func() ([]byte, error) { return Notification("m", raw(`{"a":`)) }, ErrSyntax},
		{"duplicate in params", func() ([]byte, error) { return Notification("m", raw(`{"a":1,"a":2}`)) }, ErrDuplicate},
		{"no result", func() ([]byte, error) { return Response(raw(`1`), nil) }, ErrSyntax},
		{"broken UTF-8 in the method", func() ([]byte, error) { return Notification("\xff", nil) }, ErrEncoding},
		{"broken UTF-8 in params", func() ([]byte, error) { return Notification("m", raw("[\"\xff\"]")) }, ErrEncoding},
	}
	for _, test := range tests {
		got, err := test.write()
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: got %s, %v, want %v", test.name, got, err, test.want)
		}
	}
}

func TestWriteLeavesItsArgumentsAlone(t *testing.T) {
	backing := []byte(`{"a":1}tail`)
	params := json.RawMessage(backing[:7])
	if _, err := Notification("m", params); err != nil {
		t.Fatal(err)
	}
	if string(backing) != `{"a":1}tail` {
		t.Errorf("the caller's memory became %s", backing)
	}
}
