package servers

import (
	"context"
	"slices"

	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// ensure has a session ready for a server that is switched on, starting just this one when there is none.
func (s *Service) ensure(ctx context.Context, server domain.Server) error {
	if err := s.startable(server); err != nil {
		return err
	}
	if state := s.Pool.Status(server.ID).State; s.Resident && (state == domain.StateReady || state == domain.StateDegraded) {
		return nil
	}
	if err := s.want(server.ID); err != nil {
		return err
	}
	return s.Pool.Await(ctx, server.ID)
}

// want has the pool start a server as it is now: it may have been changed, switched off or removed since the caller
// read it, and no Sync can come in between.
func (s *Service) want(id string) error {
	s.syncing.Lock()
	defer s.syncing.Unlock()
	server, err := s.find(id)
	if err != nil {
		return err
	}
	if err := s.startable(server); err != nil {
		return err
	}
	s.Pool.Want(server)
	return nil
}

// offer gives what a server offers: as it was last listed when that is known, else after starting it. A command asks
// for it fresh, since it may be the only one to look in weeks.
func (s *Service) offer(ctx context.Context, idOrName string, fresh bool) (domain.Server, session.Offer, error) {
	server, err := s.find(idOrName)
	if err != nil {
		return domain.Server{}, session.Offer{}, err
	}
	known, ok := s.Pool.Offer(server.ID)
	if ok && (!fresh || !server.Enabled) {
		return server, known, nil
	}
	if err := s.ensure(ctx, server); err != nil {
		return domain.Server{}, session.Offer{}, err
	}
	known, _ = s.Pool.Offer(server.ID)
	return server, known, nil
}

// Tools lists the tools of a server with the verdict on each for the caller.
func (s *Service) Tools(ctx context.Context, idOrName string, caller domain.Caller) ([]ToolView, error) {
	server, offer, err := s.offer(ctx, idOrName, caller.Kind == domain.CallerCLI)
	if err != nil {
		return nil, err
	}
	rules, err := s.Rules()
	if err != nil {
		return nil, err
	}
	return s.toolViews(server, offer.Tools, rules, caller), nil
}

// AllTools lists the tools of every server that is switched on, as last listed.
func (s *Service) AllTools(caller domain.Caller) ([]ToolView, error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	rules, err := s.Rules()
	if err != nil {
		return nil, err
	}
	views := []ToolView{}
	for _, server := range all {
		if !server.Enabled {
			continue
		}
		offer, _ := s.Pool.Offer(server.ID)
		views = append(views, s.toolViews(server, offer.Tools, rules, caller)...)
	}
	return views, nil
}

func (s *Service) toolViews(server domain.Server, tools []domain.Tool, rules policy.Rules, caller domain.Caller) []ToolView {
	views := make([]ToolView, len(tools))
	for i, tool := range s.scanned(tools) {
		call := domain.Call{Kind: domain.ToolCall, Server: server.ID, Name: tool.Name, Caller: caller}
		target := s.toolTarget(server, tools, i)
		decision := pipeline.Verdict(call, target, rules)
		views[i] = ToolView{
			Tool: tool, FQN: naming.FQN(server.ID, tool.Name), WireName: naming.Wire(server.ID, tool.Name),
			Risk: decision.Risk, Verdict: decision.Verdict, Because: decision.Because, Held: target.Held, HeldBy: target.HeldBy,
		}
	}
	return views
}

// toolTarget is the target of a call to one tool of the list that the server gave.
func (s *Service) toolTarget(server domain.Server, tools []domain.Tool, at int) domain.Target {
	tool := &tools[at]
	target := domain.Target{Server: server, Tool: tool, Effect: tool.Effect, DefinitionDigest: s.digestsOf(tools)[at]}
	target.Held, target.HeldBy = s.Pins.Held(server, tool.Name, target.DefinitionDigest)
	return target
}

// Resources lists the resources and the templates of a server. CodeNotAnnounced when it has no such section.
func (s *Service) Resources(ctx context.Context, idOrName string) (resources, templates []domain.Resource, err error) {
	_, offer, err := s.offer(ctx, idOrName, false)
	if err != nil {
		return nil, nil, err
	}
	resources, templates = s.scannedResources(offer)
	return resources, templates, nil
}

// Skills lists the skills of a server. Nothing of them is read. A command asks the server itself: the test that a server
// is added with lists none.
func (s *Service) Skills(ctx context.Context, idOrName string, caller domain.Caller) ([]domain.Skill, error) {
	_, offer, err := s.offer(ctx, idOrName, caller.Kind == domain.CallerCLI)
	if err != nil {
		return nil, err
	}
	return notNil(offer.Skills), nil
}

// Prompts lists the prompts of a server.
func (s *Service) Prompts(ctx context.Context, idOrName string) ([]domain.Prompt, error) {
	_, offer, err := s.offer(ctx, idOrName, false)
	if err != nil {
		return nil, err
	}
	return s.scannedPrompts(offer), nil
}

// Complete proposes values for an argument of a prompt or of a template, as the server does.
func (s *Service) Complete(ctx context.Context, idOrName string, asked domain.Completion) (domain.Completions, error) {
	var found domain.Completions
	err := s.withReady(ctx, idOrName, func(id string) (err error) {
		found, err = s.Pool.Complete(ctx, id, asked)
		return err
	})
	return found, err
}

// SetLogLevel says from which level on a server is to send log messages, until the program ends.
func (s *Service) SetLogLevel(ctx context.Context, idOrName, level string) error {
	return s.withReady(ctx, idOrName, func(id string) error { return s.Pool.SetLogLevel(ctx, id, level) })
}

// Subscribe follows a resource: an event of domain.TopicResources tells when it changes.
func (s *Service) Subscribe(ctx context.Context, idOrName, uri string) error {
	return s.withReady(ctx, idOrName, func(id string) error { return s.Pool.Subscribe(ctx, id, uri) })
}

// Unsubscribe follows a resource no longer.
func (s *Service) Unsubscribe(ctx context.Context, idOrName, uri string) error {
	return s.withReady(ctx, idOrName, func(id string) error { return s.Pool.Unsubscribe(ctx, id, uri) })
}

// Subscriptions lists the resources of a server that are followed.
func (s *Service) Subscriptions(idOrName string) (list []domain.Subscription, err error) {
	err = s.withServer(idOrName, func(server domain.Server) error {
		list = notNil(s.Pool.Subscriptions(server.ID))
		return nil
	})
	return list, err
}

// Tasks lists the calls that go on as tasks; of all servers when idOrName is empty.
func (s *Service) Tasks(idOrName string) ([]domain.Task, error) {
	if idOrName == "" {
		return s.Pool.Tasks(""), nil
	}
	server, err := s.find(idOrName)
	if err != nil {
		return nil, err
	}
	return s.Pool.Tasks(server.ID), nil
}

// CancelTask asks a server to end a task.
func (s *Service) CancelTask(ctx context.Context, idOrName, task string) error {
	return s.withServer(idOrName, func(server domain.Server) error { return s.Pool.CancelTask(ctx, server.ID, task) })
}

// withReady starts the server when no session is ready.
func (s *Service) withReady(ctx context.Context, idOrName string, do func(id string) error) error {
	return s.withServer(idOrName, func(server domain.Server) error {
		if err := s.ensure(ctx, server); err != nil {
			return err
		}
		return do(server.ID)
	})
}

// Find looks a call's target up, starting its server when no session is ready. The tool of a server that is off, and
// one that it does not have, is left out.
func (s *Service) Find(ctx context.Context, call domain.Call) (domain.Target, error) {
	server, err := s.find(call.Server)
	if err != nil {
		return domain.Target{}, err
	}
	if server.Enabled {
		if err := s.ensure(ctx, server); err != nil {
			return domain.Target{}, err
		}
	}
	return s.target(server, call.Kind, call.Name), nil
}

func (s *Service) target(server domain.Server, kind domain.CallKind, name string) domain.Target {
	offer, _ := s.Pool.Offer(server.ID)
	for at := range offer.Tools {
		if kind == domain.ToolCall && offer.Tools[at].Name == name {
			return s.toolTarget(server, offer.Tools, at)
		}
	}
	found := domain.Target{Server: server, Effect: domain.Reads}
	if at := slices.IndexFunc(offer.Prompts, func(p domain.Prompt) bool { return p.Name == name }); kind == domain.PromptGet && at >= 0 {
		found.Prompt = &offer.Prompts[at]
	}
	return found
}

// Fits says why a call could not be made with its params, as far as that is known without starting its server.
func (s *Service) Fits(call domain.Call) error {
	server, err := s.find(call.Server)
	if err != nil {
		return err
	}
	target := s.target(server, call.Kind, call.Name)
	call.Target = &target
	return pipeline.Check(call)
}

// Explain says what the policy answers to a call that names only server, kind, name and caller, without starting the
// server. app is the layer of the app that would call; nil takes that of nobody.
func (s *Service) Explain(call domain.Call, app *policy.App) (domain.Decision, error) {
	server, err := s.find(call.Server)
	if err != nil {
		return domain.Decision{}, err
	}
	rules, err := s.Rules()
	if err != nil {
		return domain.Decision{}, err
	}
	call.Server, rules.App = server.ID, app
	return pipeline.Verdict(call, s.target(server, call.Kind, call.Name), rules), nil
}

// AppLayer reads what the YAML of an app, which messages call path, says of itself. Errors are those of
// config.Capabilities.
func (s *Service) AppLayer(path, text string) (*policy.App, error) {
	all, err := s.all()
	if err != nil {
		return nil, err
	}
	known := func(module string) bool {
		return slices.ContainsFunc(all, func(server domain.Server) bool { return naming.Module(server.ID) == module })
	}
	capabilities, _, err := config.Capabilities(path, []byte(text), known)
	if err != nil {
		return nil, err
	}
	return &policy.App{Capabilities: capabilities}, nil
}

// Logs reads a server's log after a sequence number; next is where to go on.
func (s *Service) Logs(idOrName string, after uint64, limit int) (lines []transport.LogLine, next uint64, err error) {
	server, err := s.find(idOrName)
	if err != nil {
		return nil, 0, err
	}
	lines, next = s.Pool.Logs(server.ID, after, limit)
	return notNil(lines), next, nil
}

// Traffic reads a server's JSON-RPC traffic after a sequence number; next is where to go on.
func (s *Service) Traffic(idOrName string, after uint64, limit int) (frames []transport.Frame, next uint64, err error) {
	server, err := s.find(idOrName)
	if err != nil {
		return nil, 0, err
	}
	frames, next = s.Pool.Traffic(server.ID, after, limit)
	return notNil(frames), next, nil
}

// notNil makes an empty list of none.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
