package store

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

func TestRules(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	at := time.Date(2026, 7, 28, 10, 0, 0, 0, time.UTC)
	first, err := s.SaveRule(domain.Rule{Verdict: domain.Deny, Server: "files", Actions: []string{"delete_*"}, CreatedAt: at}, nil)
	must(t, err)
	second, err := s.SaveRule(domain.Rule{Verdict: domain.Allow, Client: "claude", CreatedAt: at}, nil)
	must(t, err)
	if first.ID == "" || first.ID == second.ID || first.Source != domain.FromStore {
		t.Errorf("saved rules are %+v and %+v, want two IDs and their source", first, second)
	}
	second.Verdict = domain.Ask
	_, err = s.SaveRule(second, nil)
	must(t, err)

	got, err := s.Rules()
	must(t, err)
	if diff := cmp.Diff([]domain.Rule{first, second}, got); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	must(t, s.DeleteRule(first.ID))
	for _, id := range []string{first.ID, "0" + second.ID, "+" + second.ID, "", "x", "99999999999999999999"} {
		wantCode(t, s.DeleteRule(id), domain.CodeUnknownItem)
	}
	third, err := s.SaveRule(domain.Rule{}, nil)
	must(t, err)
	if third.ID == first.ID {
		t.Errorf("the ID %s of a deleted rule was given out again", third.ID)
	}
	_, err = s.SaveRule(first, nil)
	wantCode(t, err, domain.CodeUnknownItem)
}

func TestApprovals(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	for _, session := range []string{"one", "two", "one"} {
		_, err := s.SaveApproval(domain.Approval{Scope: domain.ScopeSession, Caller: domain.Caller{Session: session}}, nil)
		must(t, err)
	}
	must(t, s.DeleteApprovals(func(a domain.Approval) bool { return a.Caller.Session == "one" }))
	must(t, s.DeleteApprovals(func(domain.Approval) bool { return false }))
	got, err := s.Approvals()
	must(t, err)
	if len(got) != 1 || got[0].Caller.Session != "two" {
		t.Fatalf("approvals are %+v, want the one of session two", got)
	}
	must(t, s.DeleteApproval(got[0].ID))
	wantCode(t, s.DeleteApproval(got[0].ID), domain.CodeUnknownItem)
}

func TestAuditHead(t *testing.T) {
	s := open(t, t.TempDir(), Options{})
	if seq, hash, err := s.AuditHead(); seq != 0 || hash != nil || err != nil {
		t.Errorf("head of a fresh store is %d %x, %v", seq, hash, err)
	}
	must(t, s.SetAuditHead(7, []byte{1, 2, 3}))
	if seq, hash, err := s.AuditHead(); seq != 7 || string(hash) != "\x01\x02\x03" || err != nil {
		t.Errorf("head is %d %x, %v", seq, hash, err)
	}
}
