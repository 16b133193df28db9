package config

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestDefaultsAreAllowed(t *testing.T) {
	seen := make(map[string]bool)
	for _, s := range KnownSettings() {
		if err := s.Check(s.Default); err != nil {
			t.Errorf("%s: %v", s.Key, err)
		}
		if seen[s.Key] {
			t.Errorf("%s is there twice", s.Key)
		}
		seen[s.Key] = true
	}
}

func TestCheckSetting(t *testing.T) {
	for _, tt := range []struct {
		key, value string
		ok         bool
	}{
		{"server.listen", "localhost:80", true},
		{"server.listen", "[::1]:7433", true},
		{"server.listen", "127.8.0.1:0", true},
		{"server.listen", "0.0.0.0:7433", false},
		{"server.listen", ":7433", false},
		{"server.listen", "127.0.0.1", false},
		{"server.listen", "127.0.0.1:http", false},
		{"server.listen", "127.0.0.1:70000", false},
		{"server.listen", "127.0.0.1:+1", false},
		{"server.listen", "example.org:80", false},
		{"approvals.from_cli", "always", true},
		{"approvals.from_cli", "Always", false},
		{"ui.language", "fr", true},
		{"ui.language", "de", false},
		{"ui.letter_shortcuts", "false", true},
		{"ui.letter_shortcuts", "off", false},
		{"call_max_time", "0.5", false},
		{"call_max_time", "1.5", true},
		{"call_max_time", "NaN", false},
		{"call_max_time", "", false},
		{"tls.ca_file", "", true},
		{"tls.ca_file", "ca.pem", false},
		{"server.token_encryption_key", "", true},
		{"server.token_encryption_key", "${VAULT_KEY}", true},
		{"server.token_encryption_key", "file:/etc/apollia/vault.key", true},
		{"server.token_encryption_key", "file:vault.key", false},
		{"server.token_encryption_key", "${VAULT_KEY:-default}", false},
		{"server.token_encryption_key", "x${VAULT_KEY}", false},
		{"server.token_encryption_key", "Zm9vYmFyYmF6cXV1eGZvb2JhcmJhenF1dXhmb29iYXI=", false},
		{"oauth.callback_port", "8914", true},
		{"oauth.callback_port", "0", false},
		{"oauth.client_metadata_url", "", true},
		{"oauth.client_metadata_url", "https://acme.example/client.json", true},
		{"oauth.client_metadata_url", "http://acme.example/client.json", false},
		{"oauth.client_metadata_url", "https://acme.example", false},
		{"model.base_url", "", true},
		{"model.base_url", "http://127.0.0.1:11434/v1", true},
		{"model.base_url", "https://api.example.com", true},
		{"model.base_url", "127.0.0.1:11434/v1", false},
		{"model.base_url", "https://sk-1@api.example.com/v1", false},
		{"model.base_url", "https://api.example.com/v1?key=sk-1", false},
		{"model.base_url", "ftp://api.example.com/v1", false},
		{"model.name", "mistralai/Mistral-Small:latest", true},
		{"model.name", "two\nlines", false},
		{"model.key", "sk-1", false},
		{"sampling.per_hour", "0", false},
		{"sampling.per_hour", "250", true},
		{"elicitation.per_hour", "0", false},
		{"elicitation.per_hour", "20", true},
		{"defaults.buffer_size", "-1", false},
		{"defaults.buffer_size", "100000.5", false},
	} {
		s, err := FindSetting(tt.key)
		if err != nil {
			t.Fatal(err)
		}
		err = s.Check(tt.value)
		if (err == nil) != tt.ok || !tt.ok && domain.CodeOf(err) != domain.CodeInvalidInput {
			t.Errorf("%s = %q gives %v", tt.key, tt.value, err)
		}
	}
	if _, err := FindSetting("ui.colour"); domain.CodeOf(err) != domain.CodeUnknownItem {
		t.Errorf("an unknown setting gives %v", err)
	}
}
