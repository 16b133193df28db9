package api

import (
	"fmt"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/pins"
)

// enum gives a string type of package domain its list of values in the OpenAPI document, so that the UI's types are
// unions instead of strings. The domain itself knows nothing of OpenAPI.
type enum[T any] struct{}

// valuesOf lists the values of a string type, in their own type.
func valuesOf[T any]() []any {
	switch any(*new(T)).(type) {
	case domain.State:
		return []any{
			domain.StateOff, domain.StateInstalling, domain.StateStarting, domain.StateNeedsSignIn,
			domain.StateNeedsApproval, domain.StateReady, domain.StateDegraded, domain.StateStopped,
		}
	case domain.Transport:
		return []any{domain.Stdio, domain.StreamableHTTP, domain.SSE}
	case domain.Trust:
		return []any{domain.VerifiedOfficial, domain.Community, domain.Custom}
	case domain.Source:
		return []any{domain.FromStore, domain.FromConfig}
	case domain.Effect:
		return []any{domain.Reads, domain.Writes, domain.Destroys}
	case domain.FindingCode:
		return []any{
			domain.HiddenCharacters, domain.DisguisedLetters, domain.OverridesInstructions, domain.PosesAsSystem, domain.SteersTools,
			domain.HidesFromPerson, domain.AsksForSecrets, domain.EncodedText, domain.HiddenMarkup, domain.OutOfSight,
		}
	case domain.AddressSign:
		return []any{
			domain.UserBeforeHost, domain.LookAlikeLetter, domain.OtherLetter, domain.OtherSite, domain.NumberForName,
			domain.OwnNetwork, domain.NotEncrypted, domain.UnusualPort,
		}
	case domain.Risk:
		return []any{domain.LowRisk, domain.MediumRisk, domain.HighRisk}
	case domain.CallerKind:
		return []any{domain.CallerWindow, domain.CallerCLI, domain.CallerClient, domain.CallerApp, domain.CallerServer}
	case domain.CallKind:
		return []any{domain.ToolCall, domain.ResourceRead, domain.PromptGet}
	case domain.Verdict:
		return []any{domain.Allow, domain.Ask, domain.Deny}
	case domain.Scope:
		return []any{domain.ScopeOnce, domain.ScopeSession, domain.ScopeAlways}
	case domain.RequestKind:
		return []any{
			domain.ToolRequest, domain.SamplingRequest, domain.ElicitationFormRequest, domain.ElicitationURLRequest,
			domain.DefinitionRequest,
		}
	case domain.RequestStatus:
		return []any{
			domain.RequestWaiting, domain.RequestApproved, domain.RequestDenied, domain.RequestExpired, domain.RequestLapsed,
		}
	case domain.ResultKind:
		return []any{domain.ResultComplete, domain.ResultInputRequired, domain.ResultTask}
	case domain.NoticeKind:
		return []any{
			domain.NoticeWaiting, domain.NoticeDecided, domain.NoticeRunning, domain.NoticeAsked, domain.NoticeQuestion, domain.NoticeAnswered,
			domain.NoticeProgress, domain.NoticeTask, domain.NoticeLog,
		}
	case domain.StepName:
		return []any{
			domain.StepResolve, domain.StepSpawn, domain.StepConnect, domain.StepHandshake, domain.StepVersion,
			domain.StepCapabilities, domain.StepTools, domain.StepResources, domain.StepPrompts,
		}
	default:
		return ourValuesOf[T]()
	}
}

// ourValuesOf lists those of a type that is nobody's noun.
func ourValuesOf[T any]() []any {
	switch any(*new(T)).(type) {
	case pins.LineKind:
		return []any{pins.Same, pins.Added, pins.Removed, pins.Skipped}
	case CallStatus:
		return []any{CallRunning, CallWaiting, CallDone}
	default:
		return nil
	}
}

// Schema lists the values, as the plain strings that a decoded body holds.
func (enum[T]) Schema(huma.Registry) *huma.Schema {
	values := valuesOf[T]()
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
	alias[domain.FindingCode](r)
	alias[domain.AddressSign](r)
	alias[domain.CallerKind](r)
	alias[domain.CallKind](r)
	alias[domain.Verdict](r)
	alias[domain.Scope](r)
	alias[domain.RequestKind](r)
	alias[domain.RequestStatus](r)
	alias[domain.ResultKind](r)
	alias[domain.NoticeKind](r)
	alias[domain.StepName](r)
	alias[pins.LineKind](r)
	alias[CallStatus](r)
}

func alias[T any](r huma.Registry) {
	r.RegisterTypeAlias(reflect.TypeFor[T](), reflect.TypeFor[enum[T]]())
}

// finishSchemas makes the document say what the API does: lists are never null, and failures have our shape.
func finishSchemas(doc *huma.OpenAPI) {
	registry := doc.Components.Schemas
	shape := registry.Schema(reflect.TypeFor[FailureError](), false, "Failure")
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
