package schema

import "testing"

func TestDefaultsFillOnlyWhatIsLeftOut(t *testing.T) {
	const form = `{"type":"object","properties":{"name":{"type":"string","default":"Ada"},"age":{"type":"integer","default":36},"note":{"type":"string"}}}`
	tests := map[string]string{
		``:                                `{"age":36,"name":"Ada"}`,
		`{}`:                              `{"age":36,"name":"Ada"}`,
		`{"name":""}`:                     `{"age":36,"name":""}`,
		`{"name":null,"age":1}`:           `{"name":null,"age":1}`,
		`{ "name":"x", "age":1, "z":[2]}`: `{ "name":"x", "age":1, "z":[2]}`,
	}
	for value, want := range tests {
		got, err := WithDefaults([]byte(form), []byte(value))
		if err != nil || string(got) != want {
			t.Errorf("%s became %s (%v), want %s", value, got, err, want)
		}
	}
	for _, bad := range []struct{ schema, value string }{{`[]`, `{}`}, {form, `[]`}, {form, `7`}, {``, `{}`}} {
		if got, err := WithDefaults([]byte(bad.schema), []byte(bad.value)); err == nil {
			t.Errorf("%s with %s became %s", bad.schema, bad.value, got)
		}
	}
}
