package transport

import (
	"encoding/base64"
	"strconv"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestMaskHidesEverySpelling(t *testing.T) {
	mask := NewMask(domain.Definition{
		URL: "https://ada:p4ssw0rd@example.com/mcp?api_key=query-secret&page=visible",
		Env: []domain.Variable{
			{Name: "PLAIN", Value: "visible-value"},
			{Name: "MARKED", Value: `quo"te&more`, Secret: true},
			{Name: "GITHUB_TOKEN", Value: "ghp_0123456789"},
			{Name: "USE_TOKEN", Value: "true"},
			{Name: "PRIVATE_KEY", Value: "-----BEGIN-----\nfirstline00\nsecondline0\n-----END-----"},
		},
		Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer header-secret"}},
		Hidden:  []string{"filled-in-secret", "clé/𝄞-secret"},
	})
	tests := []struct{ name, in, want string }{
		{"as it is", `value quo"te&more.`, "value [secret]."},
		{"in JSON", `{"v":"quo\"te&more"}`, `{"v":"[secret]"}`},
		{"in JSON of ASCII only", `{"v":"cl\u00e9/\ud834\udd1e-secret"}`, `{"v":"[secret]"}`},
		{"in JSON that escapes slashes", `{"v":"clé\/𝄞-secret"}`, `{"v":"[secret]"}`},
		{"in JSON inside JSON", `{"v":"{\"v\":\"quo\\\"te&more\"}"}`, `{"v":"{\"v\":\"[secret]\"}"}`},
		{"in an address that keeps slashes", "/cl%C3%A9/%F0%9D%84%9E-secret", "/[secret]"},
		{"in an address of small digits", "/cl%c3%a9%2f%f0%9d%84%9e-secret", "/[secret]"},
		{"in base64", base64.StdEncoding.EncodeToString([]byte("ghp_0123456789")), "[secret]"},
		{"in base64 without padding", base64.RawURLEncoding.EncodeToString([]byte("filled-in-secret")), "[secret]"},
		{"in a query", "v=quo%22te%26more", "v=[secret]"},
		{"by its name", "using ghp_0123456789", "using [secret]"},
		{"a whole header", "Authorization: Bearer header-secret", "Authorization: [secret]"},
		{"only the token of a header", "token=header-secret", "token=[secret]"},
		{"the password of the URL", "login p4ssw0rd failed", "login [secret] failed"},
		{"a query value", "key was query-secret", "key was [secret]"},
		{"filled in anywhere", "--key=filled-in-secret", "--key=[secret]"},
		{"one line of many", "read secondline0 ok", "read [secret] ok"},
		{"nothing secret", "visible-value visible true", "visible-value visible true"},
	}
	for _, test := range tests {
		if got := mask.Hide(test.in); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestTrafficHidesASecretAtTheCut(t *testing.T) {
	secret := "s3cr3t-value-that-is-long"
	mask := NewMask(domain.Definition{Env: []domain.Variable{{Name: "A", Value: secret, Secret: true}}})
	for shift := range len(secret) + 1 {
		traffic := NewTraffic(nil)
		raw := strings.Repeat("x", maxFrameText-shift) + secret + strings.Repeat("y", 100)
		traffic.record(Received, []byte(raw), mask)
		frame := traffic.After(0, 0)[0]
		if !frame.Truncated || frame.Size != len(raw) || len(frame.Text) > maxFrameText {
			t.Fatalf("frame of %d bytes: truncated %v, text of %d", frame.Size, frame.Truncated, len(frame.Text))
		}
		if tail := strings.TrimLeft(frame.Text, "x"); tail != "" && !strings.HasPrefix(masked, tail[:min(len(tail), len(masked))]) {
			t.Fatalf("cut %d bytes into the secret shows %q", shift, tail)
		}
	}
}

func TestMaskHidesASecretInsideOfBase64(t *testing.T) {
	const secret = "s3cr3t-Value/0?1"
	mask := NewMask(domain.Definition{Hidden: []string{secret}})
	for _, user := range []string{"", "a:", "ab:", "abc:", "someone:"} {
		for _, after := range []string{"", "x", "yz", "and more"} {
			for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
				text := encoding.EncodeToString([]byte(user + secret + after))
				shown := mask.Hide(text)
				if !strings.Contains(shown, masked) || strings.Contains(shown, text[len(text)/2-4:len(text)/2+4]) && user == "" && after == "" {
					t.Errorf("%q + secret + %q shows %s", user, after, shown)
				}
			}
		}
	}
}

func TestCopiesOfAMaskLearnTokensTogether(t *testing.T) {
	mask := NewMask(domain.Definition{Hidden: []string{"filled-in-secret"}})
	shown := mask
	for i := range maxTokens + 1 {
		mask.learn("Bearer token-number-" + strconv.Itoa(i))
		mask.learn("Bearer token-number-" + strconv.Itoa(i))
	}
	mask.learn("")
	tests := map[string]string{
		"filled-in-secret":                   masked,
		"sent Bearer token-number-4":         "sent " + masked,
		"only token-number-1":                "only " + masked,
		"long over: token-number-0":          "long over: token-number-0",
		`{"in":"JSON","v":"token-number-4"}`: `{"in":"JSON","v":"` + masked + `"}`,
	}
	for in, want := range tests {
		if got := shown.Hide(in); got != want {
			t.Errorf("%q is shown as %q, want %q", in, got, want)
		}
	}
}
