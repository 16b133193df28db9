package domain

import (
	"errors"
	"maps"
)

// Class groups error codes by what a caller can do about them. Exit codes and HTTP statuses follow from it.
type Class int

// Failed is the zero value: something did not work and no other class says more.
const (
	Failed Class = iota
	Usage
	NotFound
	Conflict
	SignIn
	Refused
	Unreachable
)

// Code is a stable name of a failure, the same in the API, on the command line and in the UI's word lists.
type Code string

// The codes of the product. A new one gets a class below and words in both languages of the UI.
const (
	CodeInternal        Code = "internal"
	CodeCanceled        Code = "canceled"
	CodeToolFailed      Code = "tool_failed"
	CodeOutcomeUnknown  Code = "outcome_unknown"
	CodeCallTimeout     Code = "call_timeout"
	CodeMessageTooLarge Code = "message_too_large"
	CodeReadOnly        Code = "storage_read_only"
	CodeDiskFull        Code = "disk_full"
	CodeFolderForeign   Code = "data_folder_foreign"
	CodeFolderOpen      Code = "data_folder_open"
	CodeFolderBusy      Code = "data_folder_busy"
	CodeDBDamaged       Code = "database_damaged"
	CodeDBNewer         Code = "database_newer"
	// CodeRulesLost stays until a person accepts that rules and approvals are gone: until then everything is asked.
	CodeRulesLost     Code = "rules_lost"
	CodePortBusy      Code = "port_busy"
	CodeOtherVersion  Code = "other_version"
	CodeNotRunning    Code = "not_running"
	CodeAuditBroken   Code = "audit_broken"
	CodeAddressConfig Code = "listen_invalid"
	CodeSecretsInFile Code = "secrets_in_file"
	// CodeUnverified keeps content back that is not what was promised.
	CodeUnverified Code = "content_unverified"
	// CodeInputRefused ends a call whose server asked for something that it does not get here.
	CodeInputRefused Code = "input_refused"

	CodeInvalidInput     Code = "invalid_input"
	CodeInvalidName      Code = "invalid_name"
	CodeInvalidArguments Code = "invalid_arguments"
	CodeConfigInvalid    Code = "config_invalid"
	CodeVariableUnset    Code = "variable_unset"
	CodeManagedByFile    Code = "managed_by_file"
	CodeTestRequired     Code = "test_required"
	CodeNotAnnounced     Code = "not_announced"
	// CodeModelNotSet says that there is no model to ask for a text.
	CodeModelNotSet Code = "model_not_set"
	// CodeSamplingUnfit says that what a server asks for cannot be put to a model.
	CodeSamplingUnfit Code = "sampling_unfit"

	CodeUnknownServer  Code = "unknown_server"
	CodeUnknownTool    Code = "unknown_tool"
	CodeUnknownRequest Code = "unknown_request"
	CodeUnknownItem    Code = "unknown_item"

	CodeDuplicateName   Code = "duplicate_name"
	CodeAlreadyAnswered Code = "already_answered"
	// CodeSecretKeyPresent refuses to give up a key that is not lost.
	CodeSecretKeyPresent Code = "secret_key_present"

	CodeSignInNeeded Code = "sign_in_needed"
	// CodeMoreRights says that a token was taken and may not do what was asked: a new sign-in can be for more.
	CodeMoreRights        Code = "more_rights_needed"
	CodeCredentialMissing Code = "credential_missing"
	CodeKeyringDown       Code = "keyring_unavailable"
	CodeSecretKeyMissing  Code = "secret_key_missing"
	// CodeSignInRefused says that a server of the sign-in does not keep to its rules.
	CodeSignInRefused Code = "sign_in_refused"
	// CodeSignInDenied says that the person, or the authorization server, said no.
	CodeSignInDenied Code = "sign_in_denied"
	// CodeSignInEnded says that a sign-in was given up, or took too long.
	CodeSignInEnded       Code = "sign_in_ended"
	CodeSignInUnreachable Code = "sign_in_unreachable"
	CodeClientIDNeeded    Code = "client_id_needed"
	CodeCallbackPortBusy  Code = "callback_port_busy"

	CodeUnauthorized    Code = "unauthorized"
	CodeDenied          Code = "denied"
	CodeDefinitionHeld  Code = "definition_held"
	CodeApprovalNeeded  Code = "approval_needed"
	CodeApprovalDenied  Code = "approval_denied"
	CodeApprovalExpired Code = "approval_expired"
	CodeSelfApproval    Code = "self_approval_refused"
	CodeCallsStopped    Code = "calls_stopped"
	// CodeSamplingLimit says that a server asked for as many texts as it may in an hour.
	CodeSamplingLimit Code = "sampling_limit"
	// CodeBudgetSpent says that an app made as many calls as it may in an hour.
	CodeBudgetSpent Code = "budget_spent"
	// CodeElicitationLimit says that a server asked as many forms and pages of a person as it may in an hour.
	CodeElicitationLimit Code = "elicitation_limit"

	CodeServerOff        Code = "server_off"
	CodeProgramNotFound  Code = "program_not_found"
	CodeSpawnFailed      Code = "spawn_failed"
	CodeServerExited     Code = "server_exited"
	CodeNoAnswer         Code = "no_answer"
	CodeNotJSONRPC       Code = "not_json_rpc"
	CodeDNSFailed        Code = "dns_failed"
	CodeConnRefused      Code = "connection_refused"
	CodeConnTimeout      Code = "connection_timeout"
	CodeConnFailed       Code = "connection_failed"
	CodeTLSFailed        Code = "tls_failed"
	CodeHTTPStatus       Code = "http_status"
	CodeHTML             Code = "html_instead_of_mcp"
	CodeProtocol         Code = "protocol_error"
	CodeNoCommonRevision Code = "no_common_revision"
	CodeConnClosed       Code = "connection_closed"
	CodeModelUnreachable Code = "model_unreachable"
	// CodeBreakerOpen says that a server failed several times in a row and is left alone for a while.
	CodeBreakerOpen Code = "breaker_open"
	// CodeModelRefused says that the endpoint of the model answered, and gave no text.
	CodeModelRefused Code = "model_refused"
)

// Class tells what kind of failure a code is; an unknown code is Failed.
func (c Code) Class() Class {
	switch c {
	case CodeInvalidInput, CodeInvalidName, CodeInvalidArguments, CodeConfigInvalid, CodeVariableUnset,
		CodeManagedByFile, CodeTestRequired, CodeNotAnnounced, CodeAddressConfig,
		CodeModelNotSet, CodeSamplingUnfit:
		return Usage
	case CodeUnknownServer, CodeUnknownTool, CodeUnknownRequest, CodeUnknownItem:
		return NotFound
	case CodeDuplicateName, CodeAlreadyAnswered, CodeSecretKeyPresent:
		return Conflict
	case CodeSignInNeeded, CodeMoreRights, CodeCredentialMissing, CodeKeyringDown, CodeSecretKeyMissing, CodeSignInRefused, CodeSignInDenied,
		CodeSignInEnded, CodeClientIDNeeded, CodeCallbackPortBusy:
		return SignIn
	case CodeUnauthorized, CodeDenied, CodeDefinitionHeld, CodeApprovalNeeded, CodeApprovalDenied, CodeApprovalExpired,
		CodeSelfApproval, CodeCallsStopped, CodeSamplingLimit, CodeElicitationLimit, CodeBudgetSpent:
		return Refused
	case CodeServerOff, CodeProgramNotFound, CodeSpawnFailed, CodeServerExited, CodeNoAnswer, CodeNotJSONRPC,
		CodeDNSFailed, CodeConnRefused, CodeConnTimeout, CodeConnFailed, CodeTLSFailed, CodeHTTPStatus, CodeHTML,
		CodeProtocol, CodeNoCommonRevision, CodeConnClosed, CodeOutcomeUnknown, CodeSignInUnreachable,
		CodeModelUnreachable, CodeModelRefused, CodeBreakerOpen:
		return Unreachable
	default:
		return Failed
	}
}

// WantsSignIn tells whether what failed may pass once a person has signed in.
func (c Code) WantsSignIn() bool { return c == CodeSignInNeeded || c == CodeMoreRights }

// Error is a failure that a person can act on: a stable code, a sentence, and what to do next. It never holds a secret.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	// Args are the facts of the sentence, such as a file's line or a variable's name, so that the UI can say it in
	// the person's language.
	Args map[string]string `json:"args,omitempty"`
	// Proof is what shows the cause: the last lines of stderr, a status line, a certificate chain.
	Proof string `json:"proof,omitempty"`
	// Cause is the error underneath, for errors.Is and for logs; it is not sent anywhere.
	Cause error `json:"-"`
}

// Error is the sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap gives the error underneath.
func (e *Error) Unwrap() error { return e.Cause }

// ArgAlternatives is the argument of an error that names other tools, by their FQNs with spaces between.
const ArgAlternatives = "alternatives"

// With returns a copy of e with one more argument.
func (e *Error) With(key, value string) *Error {
	c := *e
	c.Args = maps.Clone(e.Args)
	if c.Args == nil {
		c.Args = make(map[string]string, 1)
	}
	c.Args[key] = value
	return &c
}

// AsError finds the domain error in err's chain, or wraps err as an internal one. It returns nil for nil.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Code: CodeInternal, Message: err.Error(), Cause: err}
}

// CodeOf gives the code of err: empty for nil, CodeInternal for an error that is not ours.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return AsError(err).Code
}

// ErrEnding is the cause of a context that is over because Apollia ends.
var ErrEnding = errors.New("this program ends")

// ErrUnsent in an error's chain proves that nothing of the call reached its server, so that it may be sent again and
// its approval is not used up. Put it into Error.Cause.
var ErrUnsent = errors.New("not sent")

// Unsent reports whether err proves that the call never reached its server: it says so by ErrUnsent, or by a code that
// can only come up before anything is sent. When in doubt it says no.
func Unsent(err error) bool {
	if err == nil {
		return false
	}
	switch CodeOf(err) {
	case CodeServerOff, CodeProgramNotFound, CodeSpawnFailed, CodeVariableUnset, CodeCredentialMissing, CodeKeyringDown,
		CodeSecretKeyMissing, CodeDNSFailed, CodeConnRefused:
		return true
	default:
		return errors.Is(err, ErrUnsent)
	}
}
