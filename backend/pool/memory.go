package pool

import (
	"encoding/json"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/session"
)

// record is what is kept of a server between two starts.
type record struct {
	session.RawOffer
	era
	// Ready is the start digest of the definition that was ready, so that nothing of it is left to install.
	Ready string `json:"ready,omitempty"`
}

// era is what was seen of how a server wants to be spoken to. Each member is the start digest of the definition that it
// was seen of, empty when it was not seen.
type era struct {
	// Handshake: it needs initialize.
	Handshake string `json:"handshake,omitempty"`
	// SSE: it speaks that transport, though the definition names Streamable HTTP.
	SSE string `json:"sse,omitempty"`
}

func (p *Pool) recall(serverID string) (record, bool) {
	var kept record
	if p.options.Offers == nil {
		return kept, false
	}
	raw, known, err := p.options.Offers.Offer(serverID)
	if err == nil && known {
		err = json.Unmarshal(raw, &kept)
	}
	if err != nil {
		p.options.Logger.Warn("offer not read", "server", serverID, "err", err)
		return record{}, false
	}
	return kept, known
}

func (p *Pool) save(serverID string, m record) {
	if p.options.Offers == nil {
		return
	}
	raw, err := json.Marshal(m)
	if err == nil {
		err = p.options.Offers.SaveOffer(serverID, raw)
	}
	if err != nil {
		// It is only for the time before the next start.
		p.options.Logger.Warn("offer not kept", "server", serverID, "err", err)
	}
}

// recordOf is what is worth keeping of a session that spoke a revision over a transport.
func recordOf(o session.Offer, revision string, transport domain.Transport, server domain.Server) record {
	m := record{RawOffer: o.Raw(), Ready: server.StartDigest()}
	if transport == domain.SSE && server.Transport == domain.StreamableHTTP {
		m.SSE = server.StartDigest()
	}
	if revision < session.Stateless {
		m.Handshake = server.StartDigest()
	}
	return m
}

// Remember keeps what a passed test of a server found out, until the server itself starts. The report must be one of
// Probe in this process, whose entries still have their raw form.
func (p *Pool) Remember(server domain.Server, report domain.TestReport) {
	o := session.Offer{Tools: report.Tools, Resources: report.Resources, Templates: report.Templates, Prompts: report.Prompts}
	m := recordOf(o, report.ProtocolVersion, report.TransportInUse, server)
	p.save(server.ID, m)
	if s := p.find(server.ID); s != nil {
		s.learn(m, o)
	}
}
