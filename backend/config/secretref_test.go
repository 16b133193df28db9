package config

import (
	"errors"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestMoveSecretsChangesOnlyTheReferences(t *testing.T) {
	d := domain.Definition{
		Command: "run ${HOME}", Args: []string{"--key=${secret:old/arg.KEY}", "$${literal}", "${A:-b}"},
		Env:     []domain.Variable{{Name: "TOKEN", Value: "${secret:old/env.TOKEN}", Secret: true}, {Name: "PLAIN", Value: "x"}},
		Headers: []domain.Variable{{Name: "Authorization", Value: "Bearer ${secret:old/header.Authorization}", Secret: true}},
	}
	moved, err := MoveSecrets(d, func(ref string) (string, error) {
		return "${secret:" + strings.Replace(ref, "old/", "new/", 1) + "}", nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got := []string{moved.Command, moved.Args[0], moved.Args[1], moved.Args[2], moved.Env[0].Value, moved.Env[1].Value, moved.Headers[0].Value}
	want := []string{
		"run ${HOME}", "--key=${secret:new/arg.KEY}", "$${literal}", "${A:-b}", "${secret:new/env.TOKEN}", "x",
		"Bearer ${secret:new/header.Authorization}",
	}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("field %d is %q, want %q", i, got[i], want[i])
		}
	}
	if d.Args[0] != "--key=${secret:old/arg.KEY}" || !moved.Env[0].Secret {
		t.Error("the given definition changed, or a mark was lost")
	}
}

func TestMoveSecretsPassesFailuresOn(t *testing.T) {
	d := domain.Definition{URL: "https://host/${secret:a/b}"}
	stop := errors.New("stop")
	if _, err := MoveSecrets(d, func(string) (string, error) { return "", stop }); !errors.Is(err, stop) {
		t.Fatalf("got %v, want %v", err, stop)
	}
	if _, err := MoveSecrets(domain.Definition{URL: "${"}, nil); domain.CodeOf(err) != domain.CodeConfigInvalid {
		t.Fatalf("got %v, want %s", err, domain.CodeConfigInvalid)
	}
}
