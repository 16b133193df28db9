package core

import (
	"bytes"
	"os"
	"reflect"
	"slices"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
)

// fromFile stands for whoever edited config.toml, whom nobody knows.
func fromFile() domain.Caller { return domain.Caller{Name: "config.toml", User: domain.LocalUser} }

// fileChanges are the lines of what a new config.toml changes.
func fileChanges(before, after config.Config) []audit.Entry {
	var entries []audit.Entry
	for _, rule := range missing(after.Rules, before.Rules) {
		entries = append(entries, audit.OfRule(rule, fromFile(), audit.DidAdd))
	}
	for _, rule := range missing(before.Rules, after.Rules) {
		entries = append(entries, audit.OfRule(rule, fromFile(), audit.DidRemove))
	}
	return slices.Concat(entries, settingChanges(before, after), serverChanges(before.Servers, after.Servers))
}

// missing are the rules of some that others lack, wherever in the file they stand.
func missing(some, others []domain.Rule) (rules []domain.Rule) {
	same := func(a, b domain.Rule) bool {
		return a.Verdict == b.Verdict && a.Server == b.Server && a.Client == b.Client && slices.Equal(a.Actions, b.Actions)
	}
	for _, rule := range some {
		if !slices.ContainsFunc(others, func(other domain.Rule) bool { return same(rule, other) }) {
			rules = append(rules, rule)
		}
	}
	return rules
}

func settingChanges(before, after config.Config) (entries []audit.Entry) {
	for _, setting := range config.KnownSettings() {
		was, _, had := before.SettingAt(setting.Key)
		now, _, has := after.SettingAt(setting.Key)
		if had == has && was == now {
			continue
		}
		e := audit.Entry{Kind: audit.KindSettings, Caller: fromFile(), Name: setting.Key, Detail: now, Outcome: audit.DidChange}
		if !has {
			e.Outcome = audit.DidRemove // what was stored counts again, or the default
		}
		entries = append(entries, e)
	}
	return entries
}

func serverChanges(before, after []domain.Server) (entries []audit.Entry) {
	line := func(s domain.Server, did string) {
		entries = append(entries, audit.Entry{Kind: audit.KindServer, Caller: fromFile(), Server: s.ID, Name: s.Name, Outcome: did})
	}
	find := func(list []domain.Server, id string) (domain.Server, bool) {
		at := slices.IndexFunc(list, func(s domain.Server) bool { return s.ID == id })
		if at < 0 {
			return domain.Server{}, false
		}
		return list[at], true
	}
	for _, s := range after {
		was, had := find(before, s.ID)
		if !had {
			line(s, audit.DidAdd)
		} else if !reflect.DeepEqual(was.Definition, s.Definition) || was.Enabled != s.Enabled {
			line(s, audit.DidChange)
		}
	}
	for _, s := range before {
		if _, has := find(after, s.ID); !has {
			line(s, audit.DidRemove)
		}
	}
	return entries
}

// sameText reports whether two files hold the same; one that is not there holds nothing.
func sameText(a, b string) bool {
	one, _ := os.ReadFile(a) // what cannot be read is told by whoever needs it
	other, _ := os.ReadFile(b)
	return bytes.Equal(one, other)
}

// recordAll journals what happens in any case.
func (c *Core) recordAll(entries []audit.Entry) {
	for _, e := range entries {
		if err := c.record(e); err != nil {
			c.options.Logger.Error("journal a change", "error", err)
		}
	}
}
