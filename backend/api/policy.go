package api

import (
	"context"
	"net/http"
	"slices"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/policy"
)

// RuleList is the owner's rules, from config.toml and from the person's own list.
type RuleList struct {
	Rules []domain.Rule `json:"rules"`
	// Problem is what is wrong with config.toml; the rules of the last good version then stay in force.
	Problem *domain.Error `json:"problem,omitempty"`
	// Lost says that rules and approvals were lost; until a person accepts it, what they would allow is asked.
	Lost *domain.Error `json:"lost,omitempty"`
}

// NewRule is one sentence of the policy.
type NewRule struct {
	Verdict domain.Verdict `json:"verdict"`
	Server  string         `json:"server"`
	// Actions are globs over tool names, "resource:GLOB" or "prompt:NAME"; empty means everything of the server.
	Actions []string `json:"actions,omitempty"`
	Client  string   `json:"client,omitempty"`
}

// Why asks what the policy would say of a call.
type Why struct {
	Server string          `json:"server"`
	Kind   domain.CallKind `json:"kind,omitempty"`
	Name   string          `json:"name"`
	// Caller is a caller's name, such as "cli"; the caller of this request when empty.
	Caller string `json:"caller,omitempty"`
	// App is the app that would call, instead of Caller.
	App *AppFile `json:"app,omitempty"`
}

// AppFile is the YAML of an app.
type AppFile struct {
	// Path is what messages call it.
	Path string `json:"path" maxLength:"4096"`
	Text string `json:"text"`
}

func (a *API) registerPolicy() {
	route(a, http.MethodGet, "/api/policy", "listRules", "List the rules", a.listRules)
	route(a, http.MethodPost, "/api/policy/rules", "addRule", "Add a rule", a.addRule)
	route(a, http.MethodDelete, "/api/policy/rules/{id}", "deleteRule", "Delete a rule", a.deleteRule)
	route(a, http.MethodPost, "/api/policy/accept-loss", "acceptLoss", "Accept the rules as they are after some were lost", a.acceptLoss)
	route(a, http.MethodPost, "/api/policy/explain", "explain", "Say what the policy answers, and why", a.explain)
}

func (a *API) listRules(context.Context, *struct{}) (*body[RuleList], error) {
	rules, err := a.Rules()
	if err != nil {
		return nil, err
	}
	_, broken := a.Config()
	return &body[RuleList]{RuleList{Rules: notNil(rules.Owner), Problem: broken, Lost: a.RulesLost()}}, nil
}

// acceptLoss widens: what was asked because of the loss is from then on as the rules that are left say.
func (a *API) acceptLoss(ctx context.Context, _ *struct{}) (*done, error) {
	if err := a.mayWiden(ctx); err != nil {
		return nil, err
	}
	if a.RulesLost() == nil {
		return &done{}, nil
	}
	if err := a.before(ctx, audit.Entry{Kind: audit.KindRule, Outcome: audit.DidAccept}); err != nil {
		return nil, err
	}
	if err := a.Governance.AcceptLoss(); err != nil {
		return nil, err
	}
	a.policyChanged()
	a.Hub.Publish(domain.Event{Topic: domain.TopicStatus})
	return &done{}, nil
}

func (a *API) addRule(ctx context.Context, in *struct{ Body NewRule }) (*body[domain.Rule], error) {
	if in.Body.Verdict != domain.Deny {
		if err := a.mayWiden(ctx); err != nil {
			return nil, err
		}
	}
	rule := domain.Rule{
		Verdict: in.Body.Verdict, Server: in.Body.Server, Actions: in.Body.Actions, Client: in.Body.Client,
		Source: domain.FromStore, CreatedAt: a.Now(),
	}
	if err := policy.Check(rule); err != nil {
		return nil, err
	}
	if same, err := a.sameRule(rule); err != nil || same != nil {
		return same, err
	}
	rule, err := a.Governance.SaveRule(rule, func(rule domain.Rule) error {
		return a.before(ctx, audit.OfRule(rule, principalOf(ctx).Caller, audit.DidAdd))
	})
	if err != nil {
		return nil, err
	}
	a.policyChanged()
	return &body[domain.Rule]{rule}, nil
}

// sameRule finds a rule that says the same and can be removed here: a second one would only have to be removed twice.
func (a *API) sameRule(rule domain.Rule) (*body[domain.Rule], error) {
	stored, err := a.Governance.Rules()
	if err != nil {
		return nil, err
	}
	for _, r := range stored {
		if r.Verdict == rule.Verdict && r.Server == rule.Server && r.Client == rule.Client && slices.Equal(r.Actions, rule.Actions) {
			return &body[domain.Rule]{r}, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

func (a *API) deleteRule(ctx context.Context, in *ItemID) (*done, error) {
	rules, err := a.Rules()
	if err != nil {
		return nil, err
	}
	for _, rule := range rules.Owner {
		if rule.ID != in.ID {
			continue
		}
		if err := a.mayDelete(ctx, rule); err != nil {
			return nil, err
		}
		if err := a.before(ctx, audit.OfRule(rule, principalOf(ctx).Caller, audit.DidRemove)); err != nil {
			return nil, err
		}
		if err := a.Governance.DeleteRule(in.ID); err != nil {
			return nil, err
		}
		a.policyChanged()
		return &done{}, nil
	}
	return nil, &domain.Error{
		Code: domain.CodeUnknownItem, Message: "there is no such rule", Hint: "See apollia policy list.",
		Args: map[string]string{"id": in.ID},
	}
}

// mayDelete: dropping an allow narrows, dropping anything else widens, and the file is edited in the file.
func (a *API) mayDelete(ctx context.Context, rule domain.Rule) error {
	if rule.Source == domain.FromConfig {
		return managedByFile("the rule", rule.Line)
	}
	if rule.Verdict == domain.Allow {
		return nil
	}
	return a.mayWiden(ctx)
}

func (a *API) policyChanged() {
	a.Hub.Publish(domain.Event{Topic: domain.TopicPolicy})
	a.Hub.Publish(domain.Event{Topic: domain.TopicServers})
}

func (a *API) explain(ctx context.Context, in *struct{ Body Why }) (*body[domain.Decision], error) {
	caller := principalOf(ctx).Caller
	if in.Body.Caller != "" && in.Body.Caller != caller.Name {
		caller = domain.Caller{Kind: domain.CallerClient, Name: in.Body.Caller, User: domain.LocalUser}
	}
	kind := in.Body.Kind
	if kind == "" {
		kind = domain.ToolCall
	}
	var layer *policy.App
	if app := in.Body.App; app != nil {
		var err error
		if layer, err = a.Servers.AppLayer(app.Path, app.Text); err != nil {
			return nil, err
		}
		caller = domain.Caller{Kind: domain.CallerApp, Name: app.Path, User: domain.LocalUser}
	}
	decision, err := a.Explain(domain.Call{Kind: kind, Server: in.Body.Server, Name: in.Body.Name, Caller: caller}, layer)
	if err != nil {
		return nil, err
	}
	return &body[domain.Decision]{decision}, nil
}
