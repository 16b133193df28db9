package model

import (
	"encoding/json"
	"testing"
)

func TestLooseTexts(t *testing.T) {
	for raw, want := range map[string]loose{
		`"a\nb"`: "a\nb", `""`: "", `null`: "", `12`: "12", `{"city":"Paris"}`: `{"city":"Paris"}`, `[1]`: "[1]", `true`: "true",
	} {
		var got struct {
			Text loose `json:"text"`
		}
		if err := json.Unmarshal([]byte(`{"text": `+raw+` }`), &got); err != nil || got.Text != want {
			t.Errorf("%s: %q, %v", raw, got.Text, err)
		}
	}
}

func TestZeroIsAValueAndAbsentIsNone(t *testing.T) {
	for want, asked := range map[string]chatRequest{
		`{"model":"m","messages":null}`:                                {Model: "m"},
		`{"model":"m","messages":null,"max_tokens":1,"temperature":0}`: {Model: "m", MaxTokens: new(int64(1)), Temperature: new(0.0)},
	} {
		if got, err := json.Marshal(asked); err != nil || string(got) != want {
			t.Errorf("%s, %v", got, err)
		}
	}
}
