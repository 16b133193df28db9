package cli

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// Each state has its reason and exactly one command that goes on from it.
func TestEachStateHasItsReasonAndOneWayOn(t *testing.T) {
	because := func(code domain.Code) *domain.Error { return &domain.Error{Code: code, Message: "because"} }
	tests := []struct {
		name         string
		enabled      bool
		status       domain.Status
		reason, next string
	}{
		{"off", false, domain.Status{State: domain.StateOff}, "", "apollia mcp enable acme"},
		{"disconnected", true, domain.Status{State: domain.StateOff, Reason: because(domain.CodeServerOff)}, "because", "apollia mcp connect acme"},
		{"nothing runs", true, domain.Status{State: domain.StateOff, Reason: because(domain.CodeNotRunning)}, "because", "apollia serve"},
		{"installing", true, domain.Status{State: domain.StateInstalling, LastLine: "fetched 12 MB"}, "fetched 12 MB", "apollia mcp disconnect acme"},
		{"starting", true, domain.Status{State: domain.StateStarting}, "", "apollia mcp disconnect acme"},
		{"sign-in", true, domain.Status{State: domain.StateNeedsSignIn, Reason: because(domain.CodeSignInNeeded)}, "because", "apollia mcp auth acme"},
		{"approval", true, domain.Status{State: domain.StateNeedsApproval, Reason: because(domain.CodeApprovalNeeded)}, "because", "apollia inbox list"},
		{"ready", true, domain.Status{State: domain.StateReady}, "", "apollia mcp tools acme"},
		{"degraded", true, domain.Status{State: domain.StateDegraded, Reason: because(domain.CodeProtocol)}, "because", "apollia mcp logs acme"},
		{"more rights", true, domain.Status{State: domain.StateDegraded, Reason: because(domain.CodeMoreRights)}, "because", "apollia mcp auth acme"},
		{"stopped", true, domain.Status{State: domain.StateStopped, Reason: because(domain.CodeSpawnFailed)}, "because", "apollia mcp test acme"},
	}
	for _, test := range tests {
		row := rowOf(servers.View{Server: domain.Server{ID: "acme", Enabled: test.enabled}, Status: test.status})
		if row.State != test.status.State || row.Reason != test.reason || row.Next != test.next {
			t.Errorf("%s: %+v, want reason %q and next %q", test.name, row, test.reason, test.next)
		}
	}
}

func TestTransportInUseIsSaidWhereItIsAnother(t *testing.T) {
	view := servers.View{Server: domain.Server{Definition: domain.Definition{Transport: domain.StreamableHTTP}}}
	for inUse, want := range map[domain.Transport]string{
		"": "streamable_http", domain.StreamableHTTP: "streamable_http", domain.SSE: "sse, set to streamable_http",
	} {
		view.TransportInUse = inUse
		if got := transportOf(view); got != want {
			t.Errorf("%q: %q, want %q", inUse, got, want)
		}
	}
}
