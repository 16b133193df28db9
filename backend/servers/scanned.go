package servers

import (
	"slices"
	"sync"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pins"
	"apollia.fr/connexions/backend/session"
)

// maxLists bounds for how many servers something is remembered.
const maxLists = 500

// perList remembers what was made of what each server says, since the same lists are asked for far more often than they
// change. Its zero value remembers nothing yet.
type perList[T any] struct {
	mu       sync.Mutex
	byServer map[string]madeOf[T]
}

type madeOf[T any] struct {
	said said
	made T
}

// said tells apart what a server says: its lists by where they are in memory, which keeps them there and which nobody
// changes once they are there.
type said struct {
	tools, resources, templates, prompts listID
	instructions                         string
}

type listID struct {
	first  any
	length int
}

func idOf[T any](list []T) listID {
	if len(list) == 0 {
		return listID{}
	}
	return listID{&list[0], len(list)}
}

func saidIn(offer session.Offer) said {
	return said{
		tools: idOf(offer.Tools), resources: idOf(offer.Resources), templates: idOf(offer.Templates), prompts: idOf(offer.Prompts),
	}
}

// of gives what the function makes of what one server says.
func (p *perList[T]) of(server string, now said, work func() T) T {
	p.mu.Lock()
	defer p.mu.Unlock()
	if known, ok := p.byServer[server]; ok && known.said == now {
		return known.made
	}
	if p.byServer == nil || len(p.byServer) >= maxLists {
		p.byServer = make(map[string]madeOf[T]) // without drafts and servers that are no more, too
	}
	made := work()
	p.byServer[server] = madeOf[T]{now, made}
	return made
}

// scans are the findings in what each server says, in the order in which it says it.
type scans struct {
	tools, resources, prompts, instructions perList[[][]domain.TextFinding]
}

// scanned are the tools of one server with what a person should look at closely in them.
func (s *Service) scanned(tools []domain.Tool) []domain.Tool {
	with := append([]domain.Tool{}, tools...)
	if len(tools) == 0 {
		return with
	}
	found := s.scans.tools.of(tools[0].Server, said{tools: idOf(tools)}, func() [][]domain.TextFinding {
		return s.Scan(definitions(pins.OfTool, tools), nil)
	})
	for i := range with {
		with[i].Findings = found[i]
	}
	return with
}

// scannedResources are the resources and the templates of one server, as scanned gives its tools.
func (s *Service) scannedResources(offer session.Offer) (resources, templates []domain.Resource) {
	both := append(append([]domain.Resource{}, offer.Resources...), offer.Templates...) // none is an empty list, never null
	if len(both) > 0 {
		found := s.scans.resources.of(both[0].Server, saidIn(offer), func() [][]domain.TextFinding {
			return s.Scan(definitions(pins.OfResource, both), slices.Concat(
				definitions(pins.OfTool, offer.Tools), definitions(pins.OfPrompt, offer.Prompts),
			))
		})
		for i := range both {
			both[i].Findings = found[i]
		}
	}
	at := len(offer.Resources)
	return both[:at:at], both[at:]
}

// scannedPrompts are the prompts of one server, as scanned gives its tools.
func (s *Service) scannedPrompts(offer session.Offer) []domain.Prompt {
	with := append([]domain.Prompt{}, offer.Prompts...)
	if len(with) == 0 {
		return with
	}
	found := s.scans.prompts.of(with[0].Server, saidIn(offer), func() [][]domain.TextFinding {
		return s.Scan(definitions(pins.OfPrompt, offer.Prompts), slices.Concat(
			definitions(pins.OfTool, offer.Tools), definitions(pins.OfResource, offer.Resources), definitions(pins.OfResource, offer.Templates),
		))
	})
	for i := range with {
		with[i].Findings = found[i]
	}
	return with
}

// scannedInstructions are the findings in what a server tells every model that uses it.
func (s *Service) scannedInstructions(server, instructions string, offer session.Offer) []domain.TextFinding {
	if instructions == "" {
		return nil
	}
	now := saidIn(offer)
	now.instructions = instructions
	return s.scans.instructions.of(server, now, func() [][]domain.TextFinding {
		return s.Scan([]*pins.Definition{pins.OfInstructions(instructions)}, slices.Concat(
			definitions(pins.OfTool, offer.Tools), definitions(pins.OfPrompt, offer.Prompts),
			definitions(pins.OfResource, offer.Resources), definitions(pins.OfResource, offer.Templates),
		))
	})[0]
}

// scannedReport is a report of a test with its findings. What is beside the tools is looked at when all of it is known.
func (s *Service) scannedReport(r domain.TestReport) domain.TestReport {
	offer := session.Offer{Tools: r.Tools, Resources: r.Resources, Templates: r.Templates, Prompts: r.Prompts}
	r.Tools = s.scanned(r.Tools)
	if r.Running {
		r.Resources = append([]domain.Resource{}, r.Resources...)
		r.Templates = append([]domain.Resource{}, r.Templates...)
		r.Prompts = append([]domain.Prompt{}, r.Prompts...)
		return r
	}
	r.Resources, r.Templates = s.scannedResources(offer)
	r.Prompts = s.scannedPrompts(offer)
	r.InstructionFindings = s.scannedInstructions(r.Server, r.Instructions, offer)
	return r
}

func definitions[T any](of func(T) *pins.Definition, things []T) []*pins.Definition {
	all := make([]*pins.Definition, len(things))
	for i, thing := range things {
		all[i] = of(thing)
	}
	return all
}

// digestsOf are the digests of the tools of one server, at least one.
func (s *Service) digestsOf(tools []domain.Tool) []string {
	return s.digests.of(tools[0].Server, said{tools: idOf(tools)}, func() []string {
		digests := make([]string, len(tools))
		for i, tool := range tools {
			digests[i] = tool.Digest()
		}
		return digests
	})
}
