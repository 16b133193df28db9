package session

import (
	"slices"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

func TestArgumentsAreCompletedAndLevelsSet(t *testing.T) {
	for _, revision := range Revisions() {
		mcptest.EachTransport(t, mcptest.Options{Revision: revision}, func(t *testing.T, d domain.Definition) {
			if revision == Stateless && d.Transport == domain.SSE {
				return
			}
			s := open(t, d, Options{Handshake: d.Transport == domain.SSE})
			for _, test := range []struct {
				asked domain.Completion
				want  []string
			}{
				{domain.Completion{Prompt: "greet", Argument: "who", Value: "r"}, []string{"red", "rose"}},
				{domain.Completion{Template: "test://item/{id}", Argument: "id", Value: "zz"}, []string{}},
				{domain.Completion{Prompt: "greet", Argument: "shade", Given: map[string]string{"colour": "blue"}}, []string{"blue-red", "blue-rose", "blue-green"}},
			} {
				got, err := s.Complete(mcptest.Within(t), test.asked)
				if err != nil || !slices.Equal(got.Values, test.want) || got.Total == nil || *got.Total != len(test.want) {
					t.Errorf("%s over %s: %+v completes to %+v, %v", revision, d.Transport, test.asked, got, err)
				}
			}
			if err := s.SetLogLevel(mcptest.Within(t), "warning"); err != nil {
				t.Fatal(err)
			}
			result, err := call(t, s, domain.Call{Name: "level"})
			if err != nil || mcptest.Text(t, result.Raw) != "warning" {
				t.Errorf("%s over %s: the level is %s, %v", revision, d.Transport, result.Raw, err)
			}
			if err := s.SetLogLevel(mcptest.Within(t), "loud"); domain.CodeOf(err) != domain.CodeInvalidInput {
				t.Errorf("a level that there is not: %v", err)
			}
		})
	}
}

func TestWhatIsNotAnnouncedIsNotAsked(t *testing.T) {
	s := open(t, mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.NoTools}}), Options{})
	if _, err := s.Complete(mcptest.Within(t), domain.Completion{Prompt: "greet"}); domain.CodeOf(err) != domain.CodeNotAnnounced {
		t.Errorf("completion: %v", err)
	}
	if err := s.SetLogLevel(mcptest.Within(t), "info"); domain.CodeOf(err) != domain.CodeNotAnnounced {
		t.Errorf("log level: %v", err)
	}
}
