package servers

import (
	"encoding/json"
	"fmt"
	"slices"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pins"
)

// DefinitionChange is a changed definition as a person reads it before accepting it.
type DefinitionChange struct {
	// New says that nobody has accepted any definition of the tool yet.
	New bool `json:"new"`
	// Findings are what to look at closely in the new definition.
	Findings []domain.TextFinding `json:"findings"`
	Changes  []pins.Change        `json:"changes"`
	// Before and After are what the server called its version; empty where it is not known.
	Before string `json:"before_version,omitempty"`
	After  string `json:"after_version,omitempty"`
	// Ended are the callers whose standing approvals ended with the change.
	Ended []domain.Caller `json:"ended"`
	// Cut says that the definition is longer than what is shown.
	Cut bool `json:"cut,omitempty"`
}

// Listed hears what a running server says its tools are now.
func (s *Service) Listed(serverID, version string, tools []domain.Tool) error {
	server, err := s.find(serverID)
	if domain.CodeOf(err) == domain.CodeUnknownServer {
		return nil // it was removed meanwhile
	}
	if err != nil {
		return err
	}
	return s.Pins.Listed(server, version, tools)
}

// pinTested accepts the tools that a person saw at the test of a server that was added, or made another.
func (s *Service) pinTested(server domain.Server, testID string, tested domain.Definition, unseen bool) error {
	if unseen {
		return nil // where nothing was accepted yet, the first list will be
	}
	report, ok := s.tests.report(testID)
	if !ok || !report.OK || !s.tests.passed(testID, tested) {
		return s.Pins.Begin(server.ID, "", nil)
	}
	return s.Pins.Begin(server.ID, versionOf(report.Info), report.Tools)
}

func versionOf(info *domain.Implementation) string {
	if info == nil {
		return ""
	}
	return info.Version
}

// ReviewTool asks a person again about a tool whose definition is held, and gives the id of the request. CodeUnknownTool, and CodeUnknownItem when it is not
// held.
func (s *Service) ReviewTool(idOrName, tool string) (string, error) {
	server, err := s.find(idOrName)
	if err != nil {
		return "", err
	}
	offer, _ := s.Pool.Offer(server.ID)
	at := slices.IndexFunc(offer.Tools, func(t domain.Tool) bool { return t.Name == tool })
	if at < 0 {
		return "", &domain.Error{
			Code: domain.CodeUnknownTool, Message: fmt.Sprintf("the server %s has no tool %q", server.Name, tool),
			Hint: "See what it offers with: apollia mcp tools " + server.ID, Args: map[string]string{"server": server.ID, "tool": tool},
		}
	}
	return s.Pins.Review(server, versionOf(s.Pool.Status(server.ID).Info), offer.Tools[at])
}

// DefinitionChange lays a request about a changed tool out for a person. CodeUnknownItem for any other request.
func (s *Service) DefinitionChange(r domain.Request) (DefinitionChange, error) {
	var change domain.DefinitionChange
	if !pins.Concerns(r) || json.Unmarshal(r.Params, &change) != nil {
		return DefinitionChange{}, &domain.Error{
			Code: domain.CodeUnknownItem, Message: "request " + r.ID + " is not about a changed tool", Hint: "Look at the request itself.",
			Args: map[string]string{"id": r.ID},
		}
	}
	before, after := domain.Tool{Server: r.Server, Name: r.Tool}, pins.Tool(r.Server, r.Tool, change.After)
	laid := DefinitionChange{
		New: change.Before == nil, After: change.After.Version, Ended: notNil(change.Ended), Cut: change.After.Cut,
		Findings: s.findingsIn(after),
	}
	if change.Before != nil {
		before = pins.Tool(r.Server, r.Tool, *change.Before)
		laid.Before, laid.Cut = change.Before.Version, laid.Cut || change.Before.Cut
	}
	laid.Changes = pins.Diff(before, after)
	return laid, nil
}

// findingsIn scans one tool among the others of its server, whose names it may use.
func (s *Service) findingsIn(tool domain.Tool) []domain.TextFinding {
	offer, _ := s.Pool.Offer(tool.Server)
	others := slices.DeleteFunc(slices.Clone(offer.Tools), func(t domain.Tool) bool { return t.Name == tool.Name })
	return notNil(s.Scan([]*pins.Definition{pins.OfTool(tool)}, definitions(pins.OfTool, others))[0])
}
