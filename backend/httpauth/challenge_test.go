package httpauth

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestParseChallenges(t *testing.T) {
	type params = map[string]string
	tests := []struct {
		header []string
		want   []Challenge
	}{
		{[]string{`Bearer`}, []Challenge{{"bearer", params{}}}},
		{
			[]string{`Bearer resource_metadata="https://mcp.example/.well-known/x?a=1,2", scope="files:read files:write"`},
			[]Challenge{{"bearer", params{"resource_metadata": "https://mcp.example/.well-known/x?a=1,2", "scope": "files:read files:write"}}},
		},
		{
			[]string{`bearer realm="a \"b\" c",error=insufficient_scope , Scope = "x"`},
			[]Challenge{{"bearer", params{"realm": `a "b" c`, "error": "insufficient_scope", "scope": "x"}}},
		},
		{
			[]string{`Basic realm="files", Bearer scope="x", DPoP algs="ES256 ES384", error="use_dpop_nonce"`},
			[]Challenge{{"basic", params{"realm": "files"}}, {"bearer", params{"scope": "x"}}, {"dpop", params{"algs": "ES256 ES384", "error": "use_dpop_nonce"}}},
		},
		{[]string{`Basic realm="a"`, `Bearer`}, []Challenge{{"basic", params{"realm": "a"}}, {"bearer", params{}}}},
		{[]string{`Bearer resource_metadata=https://mcp.example/prm, scope=x`}, []Challenge{{"bearer", params{"resource_metadata": "https://mcp.example/prm", "scope": "x"}}}},
		{[]string{`Bearer scope="a", scope="b"`}, []Challenge{{"bearer", params{"scope": "a"}}}},
		{[]string{`Bearer scope="never ends`}, []Challenge{{"bearer", params{}}}},
		{[]string{`Bearer scope="ends in \`}, []Challenge{{"bearer", params{}}}},
		{[]string{`Negotiate YWJj==, Bearer scope="x"`}, []Challenge{{"negotiate", params{"ywjj": "="}}, {"bearer", params{"scope": "x"}}}},
		{[]string{`Negotiate YWI=, Bearer realm=, scope="x"`}, []Challenge{{"negotiate", params{"ywi": ""}}, {"bearer", params{"realm": "", "scope": "x"}}}},
		{[]string{``, ` , `, `=`}, nil},
	}
	for _, test := range tests {
		if got := ParseChallenges(test.header); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q:\n%v, want\n%v", test.header, got, test.want)
		}
	}
}

func TestChallengesAreBounded(t *testing.T) {
	if got := ParseChallenges([]string{strings.Repeat("Bearer, ", 1000)}); len(got) != maxChallenges {
		t.Errorf("%d challenges", len(got))
	}
}

func TestChallengeOf(t *testing.T) {
	for header, want := range map[string]string{
		`Basic realm="x"`: "", `Bearer, Bearer scope="y"`: "bearer", `Bearer scope="x", DPoP algs="ES256"`: "dpop",
	} {
		if got := ChallengeOf(http.Header{"Www-Authenticate": {header}}); got.Scheme != want {
			t.Errorf("%s: %q, want %q", header, got.Scheme, want)
		}
	}
	// As in RFC 9449 section 7.2: what is said of the one holds for the other, which says only what is its own.
	for _, header := range []string{
		`Bearer error="insufficient_scope", scope="x", resource_metadata="https://mcp.example/prm", DPoP algs="ES256", scope="y"`,
		`DPoP algs="ES256", scope="y", Bearer error="insufficient_scope", scope="x", resource_metadata="https://mcp.example/prm"`,
	} {
		got := ChallengeOf(http.Header{"Www-Authenticate": {header}})
		want := map[string]string{"algs": "ES256", "scope": "y", "error": "insufficient_scope", "resource_metadata": "https://mcp.example/prm"}
		if got.Scheme != "dpop" || !reflect.DeepEqual(got.Params, want) {
			t.Errorf("%s: %v", header, got)
		}
	}
}

func FuzzParseChallenges(f *testing.F) {
	for _, seed := range []string{`Bearer resource_metadata="https://a/b", scope="x y"`, `Basic realm="\"", DPoP`, `Bearer a=b c=d`, `=,"\`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		for _, c := range ParseChallenges([]string{header}) {
			if c.Scheme == "" || c.Scheme != strings.ToLower(c.Scheme) || len(c.Params) > maxChallenges {
				t.Errorf("%q: %v", header, c)
			}
		}
	})
}
