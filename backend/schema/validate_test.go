package schema

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestValidate(t *testing.T) {
	tests := []struct{ name, schema, value, path, problem string }{
		{"no schema", ``, `{"a":1}`, "", ""},
		{"fits", `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`, `{"a":1.0}`, "", ""},
		{"type", `{"properties":{"a":{"type":["string","null"]}}}`, `{"a":1}`, "/a", "is of type number, want null or string"},
		{"not an object", `{"type":"object"}`, `null`, "", "is of type null, want object"},
		{"missing", `{"required":["b","a"]}`, `{}`, "", `fields "a", "b" missing`},
		{"missing inside", `{"properties":{"a":{"items":{"required":["b"]}}}}`, `{"a":[{"b":1},{}]}`, "/a/1", `field "b" missing`},
		{"unknown", `{"additionalProperties":false}`, `{"x":1}`, "", `unknown field "x"`},
		{"enum", `{"properties":{"a":{"enum":["x",1,null]}}}`, `{"a":"y"}`, "/a", `want one of "x", 1, null`},
		{"const", `{"properties":{"a":{"const":"x"}}}`, `{"a":"y"}`, "/a", `want "x"`},
		{"pattern", `{"properties":{"a":{"pattern":"^a+$"}}}`, `{"a":"secret"}`, "/a", `does not match the pattern "^a+$"`},
		{"short", `{"properties":{"a":{"minLength":3}}}`, `{"a":"é"}`, "/a", "has 1 characters, want at least 3"},
		{"few", `{"properties":{"a":{"minItems":2}}}`, `{"a":[1]}`, "/a", "has 1 items, want at least 2"},
		{"small", `{"properties":{"a":{"minimum":0.5}}}`, `{"a":0}`, "/a", "want at least 0.5"},
		{"a choice is not explained by one branch", `{"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{}`, "", "does not satisfy anyOf"},
		{"forbidden", `{"not":{}}`, `{}`, "", "does not satisfy not"},
		{"reference inside", `{"$defs":{"n":{"type":"number"}},"properties":{"a":{"$ref":"#/$defs/n"}}}`, `{"a":"x"}`, "/a", "is of type string, want number"},
		{"pointer escapes", `{"properties":{"a/b~c":{"type":"string"}}}`, `{"a/b~c":1}`, "/a~1b~0c", "is of type number, want string"},
		{"draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}]}`, `[1]`, "/0", "is of type number, want string"},
		{"a format is a remark", `{"$schema":"http://json-schema.org/draft-07/schema#","format":"email"}`, `"x"`, "", ""},
		{"not JSON", `{}`, `{`, "", "not valid JSON"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			err := Validate(json.RawMessage(test.schema), json.RawMessage(test.value))
			if test.problem == "" {
				if err != nil {
					t.Fatalf("got %v, want no error", err)
				}
				return
			}
			if domain.CodeOf(err) != domain.CodeInvalidArguments {
				t.Fatalf("got %v, want %s", err, domain.CodeInvalidArguments)
			}
			e := domain.AsError(err)
			if e.Args["path"] != test.path || e.Args["problem"] != test.problem {
				t.Errorf("got %q at %q, want %q at %q", e.Args["problem"], e.Args["path"], test.problem, test.path)
			}
			if strings.Contains(e.Message, "secret") {
				t.Errorf("the sentence quotes the value: %s", e.Message)
			}
		})
	}
}

func TestUselessSchemasBlockNothing(t *testing.T) {
	for _, schema := range []string{
		`{`, `3`, `{"type":"nonsense"}`, `{"$ref":"#/$defs/missing"}`, `{"pattern":"("}`, `{"$schema":"https://unknown.example/schema"}`,
		`{"$ref":"#"}`, `{"multipleOf":1e-999999}`,
	} {
		if err := Validate(json.RawMessage(schema), json.RawMessage(`{"a":1}`)); err != nil {
			t.Errorf("%s: got %v, want no error", schema, err)
		}
	}
}

func TestNothingRemoteIsRead(t *testing.T) {
	hits := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits++
		fmt.Fprint(w, `{"type":"string"}`)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "schema.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, reference := range []string{server.URL, "file://" + file, file} {
		schema := fmt.Sprintf(`{"properties":{"a":{"$ref":%q}}}`, reference)
		if err := Validate(json.RawMessage(schema), json.RawMessage(`{"a":1}`)); err != nil {
			t.Errorf("%s was followed: %v", reference, err)
		}
	}
	if hits != 0 {
		t.Errorf("the remote schema was fetched %d times", hits)
	}
}

// explosive doubles the work with each of its levels.
func explosive(keyword, bottom string, levels int) json.RawMessage {
	var b strings.Builder
	fmt.Fprintf(&b, `{"$ref":"#/$defs/d%d","$defs":{"d0":%s`, levels, bottom)
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, `,"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i-1, i-1)
	}
	return json.RawMessage(b.String() + "}}")
}

func TestWorkIsBounded(t *testing.T) {
	for _, schema := range []json.RawMessage{
		explosive("allOf", `{}`, 60), explosive("anyOf", `{"not":{}}`, 60), explosive("oneOf", `{"type":"string"}`, 60),
	} {
		if err := Validate(schema, json.RawMessage(`{}`)); err != nil {
			t.Errorf("got %v, want a schema that is too much work to block nothing", err)
		}
	}
	if err := Validate(explosive("allOf", `{"type":"string"}`, 4), json.RawMessage(`{}`)); domain.CodeOf(err) != domain.CodeInvalidArguments {
		t.Errorf("got %v, want the small one to be used", err)
	}
}

func TestHugeNumbersAreNotComputed(t *testing.T) {
	for _, value := range []string{`1e999999999`, `1e-999999`, strings.Repeat("9", 100_000)} {
		if err := Validate(json.RawMessage(`{"multipleOf":3}`), json.RawMessage(value)); err != nil {
			t.Errorf("%.20s: got %v, want no error", value, err)
		}
	}
}

func FuzzValidate(f *testing.F) {
	f.Add([]byte(`{"type":"object","required":["a"]}`), []byte(`{"a":1}`))
	f.Add([]byte(`{"$ref":"#"}`), []byte(`1`))
	f.Add([]byte(`{"properties":{"a":{"$dynamicRef":"#x"}},"unevaluatedProperties":false}`), []byte(`{"b":[]}`))
	f.Fuzz(func(t *testing.T, schema, value []byte) {
		err := Validate(schema, value)
		if err != nil && domain.CodeOf(err) != domain.CodeInvalidArguments {
			t.Fatalf("got %v", err)
		}
	})
}

func TestNullCountsAsLeftOut(t *testing.T) {
	const schema = `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":["string","null"]},"c":{"type":"string"}},"required":["c"]}`
	for value, fits := range map[string]bool{
		`{"a":null,"b":null,"c":"x"}`: true, `{"c":"x"}`: true, `{"c":null}`: false, `{"a":7,"b":null,"c":"x"}`: false,
	} {
		if err := Validate([]byte(schema), []byte(value)); (err == nil) != fits {
			t.Errorf("%s: %v", value, err)
		}
	}
}

// A schema of chained references takes the library the longer the more there are, by the square.
func TestASchemaThatIsTooLongIsNotFollowed(t *testing.T) {
	pad := func(size int) json.RawMessage {
		const frame = `{"required":["a"],"description":""}`
		return json.RawMessage(`{"required":["a"],"description":"` + strings.Repeat("x", size-len(frame)) + `"}`)
	}
	if err := Validate(pad(maxSchema), json.RawMessage(`{}`)); domain.CodeOf(err) != domain.CodeInvalidArguments {
		t.Errorf("one that is just short enough: %v", err)
	}
	if err := Validate(pad(maxSchema+1), json.RawMessage(`{}`)); err != nil {
		t.Errorf("one that is too long: %v", err)
	}
}
