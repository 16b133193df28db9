package native

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Bounds of one value in a result.
const (
	maxText  = 32 << 10 // bytes of a text that are shown
	maxBlob  = 24 << 10 // bytes of a blob that are shown
	maxExact = 1 << 53  // integers beyond it lose digits in many readers of JSON
)

type blobValue struct {
	Base64 string `json:"base64"`
	Bytes  int    `json:"bytes"`
	Cut    bool   `json:"cut,omitempty"`
}

type textValue struct {
	Start string `json:"start"`
	Bytes int    `json:"bytes"`
	Cut   bool   `json:"cut,omitempty"`
	// Replaced says that bytes that are no UTF-8 were replaced.
	Replaced bool `json:"replaced,omitempty"`
}

// shown gives a value of SQLite in JSON, without a loss that is not told.
func shown(value any) any {
	switch value := value.(type) {
	case int64:
		if value > maxExact || value < -maxExact {
			return map[string]string{"$integer": strconv.FormatInt(value, 10)}
		}
	case float64:
		if math.IsInf(value, 0) {
			return map[string]string{"$real": strings.TrimPrefix(fmt.Sprint(value), "+")}
		}
	case []byte:
		blob := blobValue{Bytes: len(value), Cut: len(value) > maxBlob}
		blob.Base64 = base64.StdEncoding.EncodeToString(value[:min(len(value), maxBlob)])
		return map[string]blobValue{"$blob": blob}
	case string:
		if len(value) > maxText || !utf8.ValidString(value) {
			text := textValue{Start: value, Bytes: len(value), Cut: len(value) > maxText, Replaced: !utf8.ValidString(value)}
			if text.Cut {
				text.Start = string(wholeRunes([]byte(value[:maxText])))
			}
			return map[string]textValue{"$text": text}
		}
	case time.Time:
		return value.Format(time.RFC3339Nano)
	}
	return value
}

// bound reads parameters: an array for ?, an object for :name.
func bound(raw json.RawMessage) ([]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var given any
	if err := decoder.Decode(&given); err == io.EOF {
		return nil, nil
	} else if err != nil {
		return nil, &unreadError{err}
	}
	var values []any
	switch given := given.(type) {
	case nil:
	case []any:
		for i, one := range given {
			value, err := param(one)
			if err != nil {
				return nil, refuse("The parameter %d cannot be used: %w.", i+1, err)
			}
			values = append(values, value)
		}
	case map[string]any:
		for name, one := range given {
			value, err := param(one)
			if err != nil {
				return nil, refuse("The parameter %q cannot be used: %w.", name, err)
			}
			values = append(values, sql.Named(strings.TrimLeft(name, ":@$"), value))
		}
	default:
		return nil, &unreadError{fmt.Errorf("parameters are %T", given)}
	}
	if len(values) > maxParams {
		return nil, refuse("There are more than %d parameters.", maxParams)
	}
	return values, nil
}

func param(given any) (any, error) {
	switch given := given.(type) {
	case nil, string:
		return given, nil
	case bool:
		if given {
			return int64(1), nil
		}
		return int64(0), nil
	case json.Number:
		return numberOf(given.String())
	case map[string]any:
		return marked(given)
	}
	return nil, refuse("a list is no value of SQLite")
}

func numberOf(digits string) (any, error) {
	if !strings.ContainsAny(digits, ".eE") {
		whole, err := strconv.ParseInt(digits, 10, 64)
		if err != nil {
			return nil, refuse("the number does not fit into 64 bits")
		}
		return whole, nil
	}
	number, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return nil, refuse("the number is out of range")
	}
	return number, nil
}

// marked reads what shown writes for values that JSON has no form for.
func marked(given map[string]any) (any, error) {
	if digits, ok := given["$integer"].(string); ok && len(given) == 1 {
		return numberOf(digits)
	}
	blob, ok := given["$blob"].(map[string]any)
	text, written := blob["base64"].(string)
	if !ok || !written || len(given) != 1 {
		return nil, refuse("an object is no value of SQLite, except {\"$integer\":\"…\"} and {\"$blob\":{\"base64\":\"…\"}}")
	}
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, refuse("the blob is no base64")
	}
	return content, nil
}
