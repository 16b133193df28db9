package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// The writers give one message on one line without a line end, as stdio needs it. Raw values keep every byte but white
// space between tokens. They fail when a value would not be read back by Read.

// Request writes a request. The id is a string or a number; params is an object, an array or nil.
func Request(id json.RawMessage, method string, params json.RawMessage) ([]byte, error) {
	w := begin()
	w.id(id)
	w.call(method, params)
	return w.end("request")
}

// Notification writes a notification; params is an object, an array or nil.
func Notification(method string, params json.RawMessage) ([]byte, error) {
	w := begin()
	w.call(method, params)
	return w.end("notification")
}

// Response writes the answer to the request with the given id; result is any JSON value.
func Response(id, result json.RawMessage) ([]byte, error) {
	w := begin()
	w.id(id)
	w.raw("result", result)
	return w.end("response")
}

// Failure writes the error answer to the request with the given id; nil stands for a request whose id could not be
// read.
func Failure(id json.RawMessage, e Error) ([]byte, error) {
	w := begin()
	if id == nil {
		w.text = append(w.text, `,"id":null`...)
	} else {
		w.id(id)
	}
	w.text = append(w.text, `,"error":{"code":`...)
	w.text = strconv.AppendInt(w.text, int64(e.Code), 10)
	w.string("message", e.Message)
	if e.Data != nil {
		w.raw("data", e.Data)
	}
	w.text = append(w.text, '}')
	return w.end("error response")
}

// writer builds a message and remembers its first fault.
type writer struct {
	text  []byte
	fault error
}

func begin() *writer { return &writer{text: []byte(`{"jsonrpc":"2.0"`)} }

func (w *writer) end(what string) ([]byte, error) {
	if w.fault != nil {
		return nil, fmt.Errorf("write json-rpc %s: %w", what, w.fault)
	}
	return append(w.text, '}'), nil
}

func (w *writer) fail(err error) {
	if w.fault == nil {
		w.fault = err
	}
}

func (w *writer) call(method string, params json.RawMessage) {
	w.string("method", method)
	if params == nil {
		return
	}
	if trimmed := bytes.TrimLeft(params, " \t\r\n"); !isStructured(trimmed) {
		w.fail(errors.New("params is neither an object nor an array"))
	}
	w.raw("params", params)
}

func (w *writer) id(id json.RawMessage) {
	if !isID(id) {
		w.fail(errors.New("id is neither a string nor a number"))
		return
	}
	w.raw("id", id)
}

func (w *writer) string(name, value string) {
	quoted, err := json.Marshal(value)
	if err != nil || !utf8.ValidString(value) {
		w.fail(fmt.Errorf("%s: %w", name, ErrEncoding))
		return
	}
	w.member(name)
	w.text = append(w.text, quoted...)
}

// raw appends a member. Depth and size are the reader's business: they were bounded where the value came in.
func (w *writer) raw(name string, value json.RawMessage) {
	s, err := newScanner(value, Limits{Size: math.MaxInt64, Depth: maxWriteDepth})
	if err == nil {
		_, err = s.value()
	}
	if err == nil {
		err = s.end()
	}
	if err != nil {
		w.fail(fmt.Errorf("%s: %w", name, err))
		return
	}
	w.member(name)
	if !bytes.ContainsAny(value, "\r\n") {
		w.text = append(w.text, value...)
		return
	}
	line := bytes.NewBuffer(w.text)
	// The scanner has checked the value, so that this cannot fail.
	_ = json.Compact(line, value)
	w.text = line.Bytes()
}

func (w *writer) member(name string) {
	w.text = append(w.text, `,"`+name+`":`...)
}

// maxWriteDepth is what encoding/json allows, so that any value it made can be sent.
const maxWriteDepth = 10_000
