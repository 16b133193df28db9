package api

import (
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"apollia.fr/connexions/backend/domain"
)

// enum gives a string type of package domain its list of values in the OpenAPI document, so that the UI's types are
// unions instead of strings. The domain itself knows nothing of OpenAPI.
type enum[T any] struct{}

var enums = map[reflect.Type][]any{ // the values' own types; Schema makes strings of them
	reflect.TypeFor[domain.State](): {
		domain.StateOff, domain.StateInstalling, domain.StateStarting, domain.StateNeedsSignIn,
		domain.StateNeedsApproval, domain.StateReady, domain.StateDegraded, domain.StateStopped,
	},
	reflect.TypeFor[domain.Transport]():  {domain.Stdio, domain.StreamableHTTP, domain.SSE},
	reflect.TypeFor[domain.Trust]():      {domain.VerifiedOfficial, domain.Community, domain.Custom},
	reflect.TypeFor[domain.Source]():     {domain.FromStore, domain.FromConfig},
	reflect.TypeFor[domain.Effect]():     {domain.Reads, domain.Writes, domain.Destroys},
	reflect.TypeFor[domain.Risk]():       {domain.LowRisk, domain.MediumRisk, domain.HighRisk},
	reflect.TypeFor[domain.CallerKind](): {domain.CallerWindow, domain.CallerCLI, domain.CallerClient, domain.CallerApp},
	reflect.TypeFor[domain.CallKind]():   {domain.ToolCall, domain.ResourceRead, domain.PromptGet},
	reflect.TypeFor[domain.Verdict]():    {"allow", "ask", "deny"},
	reflect.TypeFor[domain.Scope]():      {domain.ScopeOnce, domain.ScopeSession, domain.ScopeAlways},
	reflect.TypeFor[domain.RequestKind](): {
		domain.ToolRequest, domain.SamplingRequest, domain.ElicitationFormRequest, domain.ElicitationURLRequest,
		domain.DefinitionRequest,
	},
	reflect.TypeFor[domain.RequestStatus](): {
		domain.RequestWaiting, domain.RequestApproved, domain.RequestDenied, domain.RequestExpired, domain.RequestLapsed,
	},
	reflect.TypeFor[domain.ResultKind](): {domain.ResultComplete, domain.ResultInputRequired, domain.ResultTask},
	reflect.TypeFor[domain.NoticeKind](): {
		domain.NoticeWaiting, domain.NoticeRunning, domain.NoticeProgress, domain.NoticeLog,
	},
	reflect.TypeFor[domain.StepName](): {
		domain.StepResolve, domain.StepSpawn, domain.StepConnect, domain.StepHandshake, domain.StepVersion,
		domain.StepCapabilities, domain.StepTools, domain.StepResources, domain.StepPrompts,
	},
	reflect.TypeFor[CallStatus](): {CallRunning, CallWaiting, CallDone},
}

// Schema lists the values, as the plain strings that a decoded body holds.
func (enum[T]) Schema(huma.Registry) *huma.Schema {
	values := enums[reflect.TypeFor[T]()]
	words := make([]any, len(values))
	for i, value := range values {
		words[i] = fmt.Sprint(value)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: words}
}

func nameEnums(r huma.Registry) {
	alias[domain.State](r)
	alias[domain.Transport](r)
	alias[domain.Trust](r)
	alias[domain.Source](r)
	alias[domain.Effect](r)
	alias[domain.Risk](r)
	alias[domain.CallerKind](r)
	alias[domain.CallKind](r)
	alias[domain.Verdict](r)
	alias[domain.Scope](r)
	alias[domain.RequestKind](r)
	alias[domain.RequestStatus](r)
	alias[domain.ResultKind](r)
	alias[domain.NoticeKind](r)
	alias[domain.StepName](r)
	alias[CallStatus](r)
}

func alias[T any](r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[enum[T]]())
}

// finishSchemas makes the document say what the API does: lists are never null, and failures have our shape.
func finishSchemas(doc *huma.OpenAPI) {
	registry := doc.Components.Schemas
	shape := registry.Schema(reflect.TypeFor[Problem](), false, "Problem")
	for name, schema := range registry.Map() {
		if name == "ErrorModel" {
			*schema = *shape
			continue
		}
		neverNull(schema)
	}
}

func neverNull(s *huma.Schema) {
	if s == nil {
		return
	}
	if s.Type == huma.TypeArray {
		s.Nullable = false
	}
	neverNull(s.Items)
	for _, property := range s.Properties {
		neverNull(property)
	}
}
