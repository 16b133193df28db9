package api

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/doctor"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/events"
	"apollia.fr/connexions/backend/inbox"
	"apollia.fr/connexions/backend/model"
	"apollia.fr/connexions/backend/pipeline"
	"apollia.fr/connexions/backend/policy"
	"apollia.fr/connexions/backend/secrets"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/toolbox"
)

// Governance is where the person's rules and standing approvals are kept.
type Governance interface {
	Rules() ([]domain.Rule, error)
	// SaveRule tells before of a new rule, with its ID, before it counts; an error keeps it from that.
	SaveRule(rule domain.Rule, before func(domain.Rule) error) (domain.Rule, error)
	DeleteRule(id string) error
	Approvals() ([]domain.Approval, error)
	DeleteApproval(id string) error
	// AcceptLoss takes the rules as they are for all there are, although some were lost.
	AcceptLoss() error
}

// SettingsStore keeps the settings a person changed outside config.toml.
type SettingsStore interface {
	Settings() (map[string]string, error)
	SetSetting(key, value string) error
	UnsetSetting(key string) error
}

// Parts are what the API offers to its callers. All are required.
type Parts struct {
	Version    string
	DataFolder string
	Servers    *servers.Service
	// Call is the pipeline; the API adds the caller and never goes around it.
	Call domain.CallFunc
	// Toolbox is what agents see.
	Toolbox    *toolbox.Toolbox
	Inbox      *inbox.Inbox
	Governance Governance
	Settings   SettingsStore
	// Answer gives a person's decision to the inbox and keeps a standing approval where one was made.
	Answer func(id string, answer domain.Answer) (domain.Request, error)
	Audit  *audit.Log
	// Record writes a line into the journal and tells those who look at it.
	Record func(audit.Entry) error
	Hub    *events.Hub
	// Config is the last good configuration with what is wrong with the current file.
	Config func() (config.Config, *domain.Error)
	// Kept are the answers that may be given again.
	Kept *pipeline.Kept
	// Breakers and Budgets are what is known of servers that fail, and of what apps used.
	Breakers *pipeline.Breakers
	Budgets  *pipeline.Budgets
	// Setting is the value in force of a known setting: config.toml, else what was stored, else the default.
	Setting func(key string) string
	// Explain says what the policy answers to a call that names only server, kind, name and caller, of a server or of a native
	// module; nil is the layer of no app.
	Explain func(call domain.Call, app *policy.App) (domain.Decision, error)
	// CheckSetting refuses a value that is well formed and cannot be used on this computer.
	CheckSetting func(key, value string) error
	// Environment is the variable of our environment that counts in place of a setting, with its value; empty for none.
	Environment func(key string) (variable, value string)
	// Model asks the endpoint that answers servers that want a text.
	Model *model.Client
	// Texts counts what a server asked a model for in the last hour, and says how much it may.
	Texts func(server string) (asked, most int)
	// Rules are the rules in force, from the file and the store.
	Rules func() (policy.Rules, error)
	// Instance says who owns the data folder and where it listens.
	Instance func() Instance
	// Secrets says where secrets live.
	Secrets func(context.Context) secrets.Place
	// CheckSecrets looks for the key of the secrets, which may take a while, and says where it is.
	CheckSecrets func(context.Context) secrets.Place
	// RenewKey gives up a key that is lost, see secrets.Vault.Renew.
	RenewKey func(context.Context) (secrets.Renewal, error)
	// Network is what is seen of the local network, after a first search if settle is true; Look asks it again. Announced is
	// what it gets to see of our own servers.
	Network   func(ctx context.Context, settle bool) domain.NetworkSight
	Look      func()
	Announced func() []domain.Announcement
	// Problems are what a person should know of the whole program.
	Problems func() []*domain.Error
	// RulesLost is the one of them that says that rules were lost, nil when none were.
	RulesLost func() *domain.Error
	// SignInLink makes a one-time link, when something listens.
	SignInLink func() (string, error)
	// StopCalls ends all calls and holds new ones, ResumeCalls lets them go on; Halt is what holds, with the number of calls
	// that are held.
	StopCalls   func(by domain.Caller) (domain.Halt, error)
	ResumeCalls func() error
	Halt        func() (*domain.Halt, int)
	// Doctor looks the machine over.
	Doctor func(context.Context) []doctor.Finding
	// Stop asks the owner to end; the answer is sent first.
	Stop   func()
	Logger *slog.Logger
	Now    func() time.Time
}

// API is the HTTP API over one core.
type API struct {
	Parts
	mux   *http.ServeMux
	huma  huma.API
	calls *calls
	// session is this run of the owner: "for this session" ends with it, for the window and the command line.
	session string
}

// New builds the API. Close ends the calls that still run.
func New(p Parts) *API {
	a := &API{Parts: p, mux: http.NewServeMux(), session: rand.Text()}
	a.calls = newCalls(p.Call, p.Hub, p.Now)
	a.huma = humago.New(a.mux, description(p.Version))
	a.register()
	finishSchemas(a.huma.OpenAPI())
	return a
}

// Running counts the calls in flight.
func (a *API) Running() int { return a.calls.running("") }

// Close cancels running calls and waits for them.
func (a *API) Close() { a.calls.close() }

// OpenAPI is the description of the API, from which the UI's types are made.
func (a *API) OpenAPI() ([]byte, error) { return a.huma.OpenAPI().MarshalJSON() }

// Handler serves the API to callers that are already known, such as the window or a command in the same process.
// Callers over the network go through Guard.
func (a *API) Handler(who Principal) http.Handler {
	who.Caller.Session = a.session
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.mux.ServeHTTP(goneWriter{w}, r.WithContext(withPrincipal(r.Context(), who)))
	})
}

func description(version string) huma.Config {
	c := huma.DefaultConfig("Apollia Connexions", version)
	c.OpenAPIPath, c.DocsPath, c.SchemasPath = "/api/openapi", "", ""
	// The window must never see $schema links: they would point at a host it does not have.
	c.CreateHooks = nil
	c.Transformers = []huma.Transformer{uniformErrors}
	nameEnums(c.Components.Schemas)
	return c
}

func (a *API) register() {
	a.registerServers()
	a.registerSignIns()
	a.registerAppSignIns()
	a.registerOffers()
	a.registerSubscriptions()
	a.registerTasks()
	a.registerDrafts()
	a.registerCalls()
	a.registerInbox()
	a.registerTexts()
	a.registerHalt()
	a.registerPool()
	a.registerPolicy()
	a.registerActivity()
	a.registerSettings()
	a.registerSecrets()
	a.registerModel()
	a.registerNetwork()
	a.registerToolbox()
	a.registerStatus()
	a.mux.HandleFunc("GET /api/events", a.streamEvents)
	a.mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, problem(&domain.Error{
			Code: domain.CodeUnknownItem, Message: "there is no such address in the API",
			Hint: "See /api/openapi.json for what there is.", Args: map[string]string{"path": r.URL.Path},
		}))
	})
}

// body is an answer that is one JSON document.
type body[T any] struct{ Body T }

// done is the answer of an operation that has nothing to say.
type done struct{}

// ItemID addresses one item. It is exported because huma follows no unexported embedded type.
type ItemID struct {
	ID string `path:"id"`
}

// route adds one operation. Its handler returns domain errors; the caller's identity is in principalOf(ctx).
func route[I, O any](a *API, method, path, id, summary string, handle func(context.Context, *I) (*O, error)) {
	huma.Register(a.huma, huma.Operation{
		OperationID: id, Method: method, Path: path, Summary: summary,
		MaxBodyBytes: maxBody, SkipValidateBody: false,
	}, func(ctx context.Context, in *I) (*O, error) {
		out, err := handle(context.WithValue(ctx, operationKey{}, id), in)
		if err != nil {
			return nil, problem(err)
		}
		return out, nil
	})
}

type operationKey struct{}

// operationOf is the name of what is asked for, such as "answerRequest".
func operationOf(ctx context.Context) string {
	id, _ := ctx.Value(operationKey{}).(string)
	return id
}

// maxBody bounds a request's body, in bytes: a pasted snippet or the arguments of one call.
const maxBody = 16 << 20
