package pool

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
	"apollia.fr/connexions/backend/session"
)

// What a skill says of its files is what they must be, over every transport and in both eras.
func TestSkillsAreListedAndTheirFilesChecked(t *testing.T) {
	for _, revision := range session.Revisions() {
		for _, behaviour := range []mcptest.Behaviour{mcptest.Skills, mcptest.TamperedSkills} {
			o := mcptest.Options{Revision: revision, Behave: []mcptest.Behaviour{behaviour}}
			mcptest.EachTransport(t, o, func(t *testing.T, d domain.Definition) {
				if revision == session.Stateless && d.Transport == domain.SSE {
					return // that transport has only the older revisions
				}
				p := newPool(t, nil)
				start(t, p, server("one", d))
				offer, _ := p.Offer("one")
				if len(offer.Skills) != 1 || offer.Skills[0].Name != "invoices" || len(offer.Skills[0].Files) != 2 {
					t.Fatalf("skills %+v", offer.Skills)
				}
				for _, file := range offer.Skills[0].Files {
					result, err := p.Call(mcptest.Within(t), domain.Call{Kind: domain.ResourceRead, Server: "one", Name: file.URI})
					switch {
					case behaviour == mcptest.TamperedSkills:
						wantCode(t, err, domain.CodeUnverified)
						if result.Raw != nil {
							t.Errorf("%s: %s got through", file.URI, result.Raw)
						}
					case err != nil || !strings.Contains(string(result.Raw), file.URI):
						t.Errorf("%s: %s, %v", file.URI, result.Raw, err)
					}
				}
			})
		}
	}
}
