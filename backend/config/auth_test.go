package config

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

const signIns = `
[[mcp_servers]]
name = "found"
url = "https://mcp.example/mcp"
[mcp_servers.auth]
[[mcp_servers]]
name = "calendar"
transport = "sse"
url = "https://mcp.example/sse"
[mcp_servers.auth]
type = "oauth2"
provider = "custom"
client_id = "${CLIENT:-us}"
client_secret = "${CLIENT_SECRET}"
authorize_url = "https://auth.example/authorize"
token_url = "https://auth.example/token"
scopes = ["read", "write"]
redirect_uri = "http://localhost:8913/callback"
pkce = false
dpop = true
[[mcp_servers]]
name = "notion"
command = "mcp-notion"
auth = { provider = "notion", client_id = "us", env_token_var = "NOTION_API_KEY" }
[[mcp_servers]]
name = "robot"
url = "https://mcp.example/mcp"
auth = { grant = "client_credentials", client_id = "us", private_key = "${KEY}", signing_alg = "ES256" }
`

func TestSignInsOfTheFile(t *testing.T) {
	c, err := Load(write(t, signIns))
	if err != nil {
		t.Fatal(err)
	}
	off := false
	var got []*domain.Auth
	for _, s := range c.Servers {
		got = append(got, s.Auth)
	}
	compare(t, got, []*domain.Auth{
		{Type: "oauth"},
		{
			Type: "oauth", Provider: "custom", ClientID: "${CLIENT:-us}", AuthorizeURL: "https://auth.example/authorize",
			TokenURL: "https://auth.example/token", Scopes: []string{"read", "write"}, RedirectURI: "http://localhost:8913/callback", PKCE: &off, DPoP: true,
			Secrets: []domain.Variable{{Name: "client_secret", Value: "${CLIENT_SECRET}", Secret: true}},
		},
		{Type: "oauth", Provider: "notion", ClientID: "us", EnvTokenVar: "NOTION_API_KEY"},
		{
			Type: "oauth", Grant: domain.ClientCredentials, ClientID: "us", SigningAlg: "ES256",
			Secrets: []domain.Variable{{Name: "private_key", Value: "${KEY}", Secret: true}},
		},
	})
}

func TestSignInsAreWrittenAsTheyAreRead(t *testing.T) {
	c, err := Load(write(t, signIns))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "config.toml")
	for _, s := range c.Servers {
		if err := AppendServer(path, s); err != nil {
			t.Fatal(err)
		}
	}
	again, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range again.Servers {
		compare(t, s.Auth, c.Servers[i].Auth)
	}
}

func TestFaultsOfSignInsNameTheirLine(t *testing.T) {
	for text, want := range map[string]string{
		"auth = { provider = \"gogle\", client_id = \"x\" }":  "unknown provider",
		"auth = { provider = \"google\" }":                    "needs client_id",
		"auth = { grant = \"password\" }":                     "unknown grant",
		"auth = { env_token_var = \"X\" }":                    "does nothing",
		"auth = { provder = \"google\" }":                     "unknown key",
		"auth = { scopes = \"read\" }":                        "must be a list of texts",
		"auth = 3":                                            "must be a table",
		"auth = { client_secret = \"${A\" }":                  "client_secret",
		"auth = { provider = \"custom\", client_id = \"x\" }": "authorize_url",
	} {
		_, err := Load(write(t, "[[mcp_servers]]\nname = \"a\"\nurl = \"https://x.example\"\n"+text+"\n"))
		var e *domain.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, want) || e.Args["line"] != "4" {
			t.Errorf("%s: %v, %v", text, err, e)
		}
	}
}
