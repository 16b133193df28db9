package jsonrpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// What can be wrong with a frame. A FrameError wraps one of them.
var (
	ErrTooLarge   = errors.New("frame too large")
	ErrEncoding   = errors.New("not valid UTF-8")
	ErrSyntax     = errors.New("not valid JSON")
	ErrTooDeep    = errors.New("nested too deep")
	ErrDuplicate  = errors.New("duplicate member")
	ErrMemberCase = errors.New("member spelled in another case")
	ErrBatch      = errors.New("batch empty or too long")
	ErrShape      = errors.New("not a JSON-RPC 2.0 message")
)

// The error codes of JSON-RPC 2.0, section 5.1.
const (
	CodeParseError     = -32700
	CodeInvalidRequest = -32600
	CodeMethodNotFound = -32601
	CodeInvalidParams  = -32602
	CodeInternalError  = -32603
)

// FrameError says why a frame was refused. Nothing of a refused frame may be used, but for ID.
type FrameError struct {
	Kind   error // one of the errors above
	Offset int   // bytes from the start of the frame
	Detail string
	// ID is the id of the refused message when it could be read before the fault, so that whoever waits for it can be
	// told; nil otherwise.
	ID json.RawMessage
}

// Error names the fault and its place. It quotes no value of the frame, which may be secret.
func (e *FrameError) Error() string {
	text := "read json-rpc frame: " + e.Kind.Error() + " at byte " + strconv.Itoa(e.Offset)
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Unwrap gives Kind, for errors.Is.
func (e *FrameError) Unwrap() error { return e.Kind }

// Code is the JSON-RPC error code to answer with.
func (e *FrameError) Code() int {
	for _, kind := range []error{ErrShape, ErrBatch, ErrMemberCase, ErrDuplicate} {
		if errors.Is(e.Kind, kind) {
			return CodeInvalidRequest
		}
	}
	return CodeParseError
}

// Error is the error member of a response, JSON-RPC 2.0 section 5.1.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

// Error is the message with its code.
func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }
