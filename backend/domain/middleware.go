package domain

import "time"

// Middleware says which stages act on the calls of an app, between the policy and the server. What is nil is off.
type Middleware struct {
	Retry          *Retry
	Timeout        *CallTime
	Budget         *Budget
	CircuitBreaker *CircuitBreaker
	Dedup          *Dedup
	Streaming      *Streaming
	AuditCalls     *AuditCalls
	CrossContext   *CrossContext
	AutoHeal       *AutoHeal
	SemanticCache  *SemanticCache
}

// Retry makes calls again that failed and are safe to make again.
type Retry struct {
	// MaxAttempts counts the first one too.
	MaxAttempts int
}

// CallTime bounds how long a call may take at its server in all; waiting for a person does not count.
type CallTime struct{ Limit time.Duration }

// Budget bounds how many calls reach servers in any hour.
type Budget struct {
	// MaxCallsPerHour is for all servers together; 0 does not bound them.
	MaxCallsPerHour int
	// ServerLimits are for single servers, by their ids.
	ServerLimits map[string]int
	// CostPerCall is in whatever unit a person counts in.
	CostPerCall float64
	// AlertAt is the share of a limit from which on its being used up is told, above 0 and at most 1.
	AlertAt float64
}

// CircuitBreaker stops calls to a server that fails, for a while.
type CircuitBreaker struct {
	// FailureThreshold is how many calls in a row must fail.
	FailureThreshold int
	// RecoveryTime is how long it stays open before one call is let through to try.
	RecoveryTime time.Duration
}

// Dedup answers a call that was made before in the same turn with what it came to then.
type Dedup struct{}

// Streaming tells that a call is slow while its server says nothing.
type Streaming struct {
	// SlowAfter is how long it may say nothing.
	SlowAfter time.Duration
}

// AuditCalls says what the journal holds of calls.
type AuditCalls struct {
	// LogParams writes the arguments down, not only their digest.
	LogParams bool
}

// CrossContext tells an agent with each result what the results before it were about.
type CrossContext struct {
	// MaxEntries is of how many results it tells, the latest ones.
	MaxEntries int
}

// AutoHeal names other tools to an agent whose call failed.
type AutoHeal struct {
	// MaxSuggestions is how many at most.
	MaxSuggestions int
}

// SemanticCache answers a search with what one that means the same came to before.
type SemanticCache struct {
	// TTL is how long an answer is kept.
	TTL time.Duration
}

// Defaults for what a stage that is switched on leaves open.
const (
	DefaultAttempts         = 3
	DefaultCallTime         = 30 * time.Second
	DefaultAlertAt          = 0.8
	DefaultFailureThreshold = 5
	DefaultRecoveryTime     = 60 * time.Second
	DefaultSlowAfter        = 2 * time.Second
	DefaultContextEntries   = 20
	DefaultSuggestions      = 3
)

// BreakerState is whether calls reach a server.
type BreakerState string

// The states of a circuit breaker. HalfOpen lets one call through to try.
const (
	BreakerClosed   BreakerState = "closed"
	BreakerOpen     BreakerState = "open"
	BreakerHalfOpen BreakerState = "half_open"
)

// Breaker is the circuit breaker of one server.
type Breaker struct {
	Server string       `json:"server"`
	State  BreakerState `json:"state" enum:"closed,open,half_open"`
	// RetryAt is when an open one lets a call through; absent otherwise.
	RetryAt *time.Time `json:"retry_at,omitempty"`
}

// BudgetUse is what an app used of a limit in the last hour.
type BudgetUse struct {
	App string `json:"app"`
	// Server is empty for the limit of all servers together.
	Server string `json:"server,omitempty"`
	Used   int    `json:"used"`
	Limit  int    `json:"limit"`
	// Cost is that of the calls used, in whatever unit the app counts in.
	Cost float64 `json:"cost"`
	// FreeAt is when the next call is possible again; absent while one is.
	FreeAt *time.Time `json:"free_at,omitempty"`
}
