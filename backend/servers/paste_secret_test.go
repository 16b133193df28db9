package servers

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestLooksSecret(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		want        bool
	}{
		{"API_KEY", "abc", true},
		{"apiKey", "abc", true},
		{"x-api-key", "abc", true},
		{"OPENAIAPIKEY", "abc", true},
		{"PGPASSWORD", "abc", true},
		{"Authorization", "abc", true},
		{"AUTH", "abc", true},
		{"COOKIE", "a=b", true},
		{"--secret-key", "abc", true},
		{"AWS_SECRET_ACCESS_KEY", "/abc", true},
		{"", "ghp_0123456789abcdef", true},
		{"", "github_pat_0123456789", true},
		{"", "sk-proj-0123456789", true},
		{"X", "Bearer abcdef", true},
		{"X", "Basic bGVhOnB3", true},
		{"X", "eyJhbGciOiJI.eyJzdWIiOiIx.abc", true},
		{"DATABASE_URL", "postgres://lea:pw@db/x", true},
		{"DATABASE_URL", "postgres://lea@db/x", false},
		{"DATABASE_URL", "postgres://db/x", false},
		{"API_KEY", "", false},
		{"API_KEY", "${API_KEY}", false},
		{"Authorization", "Bearer ${TOKEN}", false},
		{"API_KEY", "${secret:a/b}", false},
		{"USE_TOKEN", "true", false},
		{"MAX_TOKENS", "100", false},
		{"AUTHOR", "Lea", false},
		{"AUTH_MODE", "none", false},
		{"AUTH_TYPE", "basic", false},
		{"KEY_FILE", "/x", false},
		{"AWS_ACCESS_KEY_ID", "abc", false},
		{"AWS_ACCESS_KEY_ID", "AKIAIOSFODNN7EXAMPLE", true},
		{"TOKEN_URL", "https://x", false},
		{"KEYBOARD", "fr", false},
		{"MODE", "ro", false},
		{"", "sk-SK", false},
		{"", "/home/lea", false},
	} {
		if got := LooksSecret(tt.name, tt.value); got != tt.want {
			t.Errorf("%s=%s: %v", tt.name, tt.value, got)
		}
	}
}

func TestLiftSecrets(t *testing.T) {
	for name, tt := range map[string]struct {
		in   domain.Definition
		want string
	}{
		"same secret twice": {
			domain.Definition{Name: "a", Command: "x", Args: []string{"--token", "abc", "--token=abc", "--token=def"}},
			"a |  | x·--token·${TOKEN}·--token=${TOKEN}·--token=${TOKEN_2} | env TOKEN=abc!·TOKEN_2=def!",
		},
		"secret that is a variable already": {
			domain.Definition{Name: "a", Command: "x", Args: []string{"-e", "TOKEN=abc"}, Env: []domain.Variable{{Name: "TOKEN", Value: "abc"}}},
			"a |  | x·-e·TOKEN=${TOKEN} | env TOKEN=abc!",
		},
		"header in an argument": {
			domain.Definition{Name: "a", Command: "x", Args: []string{"--header", "Authorization: Bearer abcd", "--header", "X: 1"}},
			"a |  | x·--header·Authorization: ${AUTHORIZATION}·--header·X: 1 | env AUTHORIZATION=Bearer abcd!",
		},
		"flags are no values": {
			domain.Definition{Name: "a", Command: "x", Args: []string{"--token", "--verbose", "C:\\key", "https://x/y", "1key"}},
			"a |  | x·--token·--verbose·C:\\key·https://x/y·1key",
		},
		"password in an argument": {
			domain.Definition{Name: "a", Command: "x", Args: []string{"postgres://lea:pw@db/x", "--9key", "abc"}},
			"a |  | x·${SECRET}·--9key·${SECRET_9KEY} | env SECRET=postgres://lea:pw@db/x!·SECRET_9KEY=abc!",
		},
		"user of an address beside a header": {
			domain.Definition{Name: "a", URL: "https://lea@x.com?y", Headers: []domain.Variable{{Name: "authorization", Value: "${A}"}}},
			"a |  | https://x.com?y | headers authorization=${A}",
		},
		"a name that programs go by": {
			domain.Definition{Name: "a", Command: "x", Args: []string{"--pwd", "hush"}},
			"a |  | x·--pwd·${SECRET_PWD} | env SECRET_PWD=hush!",
		},
		"references stay": {
			domain.Definition{Name: "a", URL: "https://${U}:${P}@x.com/${T}?key=${K}", Args: []string{"--token", "${T}"}},
			"a |  | https://${U}:${P}@x.com/${T}?key=${K}",
		},
	} {
		before := spelled(tt.in)
		if got := spelled(LiftSecrets(tt.in)); got != tt.want {
			t.Errorf("%s: got  %s\nwant %s", name, got, tt.want)
		}
		if spelled(tt.in) != before {
			t.Errorf("%s: the definition that was given is changed", name)
		}
	}
}
