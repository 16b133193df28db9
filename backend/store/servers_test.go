package store

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

func aServer(id string) domain.Server {
	return domain.Server{
		ID: id,
		Definition: domain.Definition{
			Name: "Server " + id, Transport: domain.Stdio, Command: "npx", Args: []string{"-y", "a b"},
			Env:            []domain.Variable{{Name: "TOKEN", Value: "${secret:" + id + "/TOKEN}", Secret: true}},
			DefaultVerdict: domain.Allow,
		},
		Trust: domain.Custom, Enabled: true, Source: domain.FromStore,
		CreatedAt: time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC), UpdatedAt: time.Date(2026, 7, 29, 10, 0, 0, 0, time.UTC),
	}
}

func TestServersAreKeptWhole(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	b, a := aServer("b"), aServer("a")
	must(t, s.SaveServer(b))
	must(t, s.SaveServer(a))
	b.Enabled = false
	must(t, s.SaveServer(b))

	got, err := s.Servers()
	must(t, err)
	if diff := cmp.Diff([]domain.Server{a, b}, got); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	one, err := s.Server("b")
	must(t, err)
	if diff := cmp.Diff(b, one); diff != "" {
		t.Errorf("server b (-want +got):\n%s", diff)
	}
	_, err = s.Server("c")
	wantCode(t, err, domain.CodeUnknownServer)
}

func TestSecretIsNeverSavedInADefinition(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	v := aServer("a")
	v.Headers = []domain.Variable{{Name: "Authorization", Value: "Bearer hunter2", Secret: true}}
	err := s.SaveServer(v)
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error is %v, want one without the secret", err)
	}
	_, err = s.Server("a")
	wantCode(t, err, domain.CodeUnknownServer)
	wantCode(t, s.SaveServer(domain.Server{}), domain.CodeInvalidName)
}

func TestTrash(t *testing.T) {
	now := time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	a := aServer("a")
	must(t, s.SaveServer(a))
	must(t, s.SaveOffer("a", []byte(`{"tools":[]}`)))
	must(t, s.DeleteServer("a"))

	left, err := s.Servers()
	must(t, err)
	trash, err := s.Trash()
	must(t, err)
	if len(left) != 0 || len(trash) != 1 || trash[0].ID != "a" {
		t.Errorf("after deleting, servers are %v and trash is %v", left, trash)
	}
	wantCode(t, s.DeleteServer("a"), domain.CodeUnknownServer)

	back, err := s.RestoreServer("a")
	must(t, err)
	if diff := cmp.Diff(a, back); diff != "" {
		t.Errorf("restored server (-want +got):\n%s", diff)
	}
	if _, ok, err := s.Offer("a"); err != nil || !ok {
		t.Errorf("offer of a restored server: known %v, %v", ok, err)
	}
	_, err = s.RestoreServer("a")
	wantCode(t, err, domain.CodeUnknownServer)
}

func TestRestoreDoesNotReplaceANewServer(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	must(t, s.SaveServer(aServer("a")))
	must(t, s.DeleteServer("a"))
	must(t, s.SaveServer(aServer("a")))
	_, err := s.RestoreServer("a")
	wantCode(t, err, domain.CodeDuplicateName)

	gone, err := s.PurgeTrash(time.Now().Add(time.Hour))
	must(t, err)
	if len(gone) != 0 {
		t.Errorf("purge gives up the secrets of %v, which a saved server carries", gone)
	}
	if trash, _ := s.Trash(); len(trash) != 0 {
		t.Errorf("trash is %v after the purge", trash)
	}
}

func TestPurgeTrashForgetsOldOnes(t *testing.T) {
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	s := open(t, t.TempDir(), Options{Now: func() time.Time { return now }})
	for _, id := range []string{"old", "recent"} {
		must(t, s.SaveServer(aServer(id)))
		must(t, s.SaveOffer(id, []byte(`1`)))
		must(t, s.DeleteServer(id))
		now = now.Add(24 * time.Hour)
	}
	gone, err := s.PurgeTrash(time.Date(2026, 7, 1, 12, 0, 0, 0, time.UTC))
	must(t, err)
	if diff := cmp.Diff([]string{"old"}, gone); diff != "" {
		t.Errorf("purged (-want +got):\n%s", diff)
	}
	for id, want := range map[string]bool{"old": false, "recent": true} {
		if _, ok, err := s.Offer(id); err != nil || ok != want {
			t.Errorf("offer of %s: known %v (%v), want %v", id, ok, err, want)
		}
	}
}
