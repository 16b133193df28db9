package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"apollia.fr/connexions/backend/domain"
)

// suiteDocument is the client metadata document that the suite expects to be named.
const suiteDocument = "https://conformance-test.local/client-metadata.json"

// The ports that a client metadata document lists for answers, and how far from each is the one that is held meanwhile.
const (
	firstPort = 8913
	lastPort  = 8919
	toHeld    = 1000
	lookEvery = 50 * time.Millisecond
)

// takePort finds a callback port that is free, since scenarios may run side by side: whoever holds the port far from it
// has it. It waits while all are taken. release gives it back.
func takePort(ctx context.Context) (port int, release func(), err error) {
	for {
		for port := firstPort; port <= lastPort; port++ {
			held, err := listenAt(ctx, port+toHeld)
			if err != nil {
				continue
			}
			callback, err := listenAt(ctx, port)
			if err == nil {
				return port, func() { _ = held.Close() }, callback.Close()
			}
			_ = held.Close()
		}
		select {
		case <-time.After(lookEvery):
		case <-ctx.Done():
			return 0, nil, fmt.Errorf("no port from %d to %d is free", firstPort, lastPort)
		}
	}
}

func listenAt(ctx context.Context, port int) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
}

// writeSettings says where answers come back to, and what stands for a registration.
func writeSettings(home string, port int) error {
	text := fmt.Sprintf("[oauth]\ncallback_port = %d\nclient_metadata_url = %q\n", port, suiteDocument)
	return os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600)
}

// suiteContext is what the suite gives to a scenario.
type suiteContext struct {
	ClientID     string `json:"client_id"`
	ClientSecret string `json:"client_secret"`
	PrivateKey   string `json:"private_key_pem"`
	SigningAlg   string `json:"signing_algorithm"`
	IDPClientID  string `json:"idp_client_id"`
	IDToken      string `json:"idp_id_token"`
	IDPTokenURL  string `json:"idp_token_endpoint"`
	Workload     string `json:"valid_jwt"`
}

// auth is how a person would configure the server for a scenario; nil leaves everything to discovery.
func (c suiteContext) auth(scenario string) *domain.Auth {
	a := &domain.Auth{Type: domain.AuthOAuth, ClientID: c.ClientID}
	secret := func(name, value string) {
		if value != "" {
			a.Secrets = append(a.Secrets, domain.Variable{Name: name, Value: value})
		}
	}
	secret(domain.SecretClient, c.ClientSecret)
	switch scenario {
	case "auth/pre-registration":
	case "auth/client-credentials-jwt", "auth/client-credentials-basic":
		a.Grant, a.SigningAlg = domain.ClientCredentials, c.SigningAlg
		secret(domain.SecretKey, c.PrivateKey)
	case "auth/enterprise-managed-authorization":
		a.Grant, a.IDPClientID, a.IDPTokenURL = domain.EnterpriseManaged, c.IDPClientID, c.IDPTokenURL
		secret(domain.SecretIDToken, c.IDToken)
	case "auth/wif-jwt-bearer":
		a.Grant = domain.WorkloadIdentity
		secret(domain.SecretAssertion, c.Workload)
	case "auth/dpop", "auth/dpop-nonce":
		a.DPoP = true
	default:
		return nil
	}
	return a
}

// playSignIn connects, lists and calls a tool, signing in whenever the product asks for it.
func (p *product) playSignIn(ctx context.Context, scenario, address string, given json.RawMessage) error {
	var c suiteContext
	if len(given) > 0 {
		if err := json.Unmarshal(given, &c); err != nil {
			return fmt.Errorf("read %s: %w", contextVariable, err)
		}
	}
	if err := p.connect(ctx, address, c.auth(scenario)); err != nil {
		return err
	}
	return p.tool(ctx, "test-tool", `{}`)
}
