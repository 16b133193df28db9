package domain

import (
	"reflect"
	"testing"
)

func TestAuthFaults(t *testing.T) {
	secret := func(name string) []Variable { return []Variable{{Name: name, Value: "hush"}} }
	tests := map[string]struct {
		auth      Auth
		transport Transport
		want      []string // fields and reasons
	}{
		"all discovered":     {auth: Auth{Type: AuthOAuth}},
		"another type":       {auth: Auth{Type: "basic"}, want: []string{"type: auth_type"}},
		"known provider":     {auth: Auth{Type: AuthOAuth, Provider: "google", ClientID: "x"}},
		"without its client": {auth: Auth{Type: AuthOAuth, Provider: "google"}, want: []string{"client_id: client_id"}},
		"unknown provider":   {auth: Auth{Type: AuthOAuth, Provider: "gogle", ClientID: "x"}, want: []string{"provider: provider"}},
		"custom": {
			auth: Auth{Type: AuthOAuth, Provider: CustomProvider, ClientID: "x"}, want: []string{"authorize_url: custom_provider", "token_url: custom_provider"},
		},
		"tenant":       {auth: Auth{Type: AuthOAuth, Tenant: "acme"}, want: []string{"tenant: tenant"}},
		"address":      {auth: Auth{Type: AuthOAuth, RedirectURI: "localhost:8913"}, want: []string{"redirect_uri: address"}},
		"fragment":     {auth: Auth{Type: AuthOAuth, RedirectURI: "http://127.0.0.1:8913/callback#x"}, want: []string{"redirect_uri: address"}},
		"user":         {auth: Auth{Type: AuthOAuth, RedirectURI: "http://me:pw@127.0.0.1:8913/callback"}, want: []string{"redirect_uri: address"}},
		"port":         {auth: Auth{Type: AuthOAuth, RedirectURI: "http://127.0.0.1:89130/callback"}, want: []string{"redirect_uri: address"}},
		"port 0":       {auth: Auth{Type: AuthOAuth, RedirectURI: "http://127.0.0.1:0/callback"}, want: []string{"redirect_uri: address"}},
		"good address": {auth: Auth{Type: AuthOAuth, RedirectURI: "http://[::1]:8913/callback?a=b"}},
		"no port":      {auth: Auth{Type: AuthOAuth, RedirectURI: "https://acme.example"}},
		"no provider":  {auth: Auth{Type: AuthOAuth, TokenURL: "https://auth.example/token"}, want: []string{"token_url: useless"}},
		"bad name":     {auth: Auth{Type: AuthOAuth, Provider: "notion", ClientID: "x", EnvTokenVar: "MY KEY"}, transport: Stdio, want: []string{"env_token_var: unusable_name"}},
		"variable":     {auth: Auth{Type: AuthOAuth, RedirectURI: "${BACK}"}},
		"useless":      {auth: Auth{Type: AuthOAuth, EnvTokenVar: "KEY"}, want: []string{"env_token_var: useless"}},
		"program":      {auth: Auth{Type: AuthOAuth, Provider: "notion", ClientID: "x", EnvTokenVar: "KEY"}, transport: Stdio},
		"bare program": {auth: Auth{Type: AuthOAuth}, transport: Stdio, want: []string{"env_token_var: env_token_var", "provider: provider_missing"}},
		"grant":        {auth: Auth{Type: AuthOAuth, Grant: "password"}, want: []string{"grant: grant"}},
		"credentials":  {auth: Auth{Type: AuthOAuth, Grant: ClientCredentials, ClientID: "x", Secrets: secret(SecretKey)}},
		"no secret":    {auth: Auth{Type: AuthOAuth, Grant: ClientCredentials, ClientID: "x"}, want: []string{"client_secret: grant_incomplete"}},
		"workload":     {auth: Auth{Type: AuthOAuth, Grant: WorkloadIdentity, Secrets: secret(SecretAssertion)}},
		"enterprise": {
			auth: Auth{Type: AuthOAuth, Grant: EnterpriseManaged, ClientID: "x"},
			want: []string{"id_token: grant_incomplete", "idp_client_id: grant_incomplete", "idp_token_url: grant_incomplete"},
		},
	}
	for name, test := range tests {
		if test.transport == "" {
			test.transport = StreamableHTTP
		}
		var got []string
		for _, fault := range test.auth.Faults(test.transport) {
			got = append(got, fault.Field+": "+fault.Reason)
			if fault.Message == "" || fault.Hint == "" {
				t.Errorf("%s: a fault without words: %+v", name, fault)
			}
		}
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}
