// Package audit writes and verifies the audit log.
package audit

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"apollia.fr/connexions/backend/domain"
)

// Kind says what an entry tells.
type Kind string

// The kinds of entries. A call has an intent before anything happens and an outcome after.
const (
	KindIntent   Kind = "intent"
	KindVerdict  Kind = "verdict" // the rules decided about a call
	KindOutcome  Kind = "outcome"
	KindAnswer   Kind = "answer"   // a person answered a request
	KindRequest  Kind = "request"  // a request ended without an answer, or its approval without a use
	KindRule     Kind = "rule"     // a rule was made or ended, or all calls were stopped
	KindApproval Kind = "approval" // a standing approval was made or ended
	KindServer   Kind = "server"   // a definition was added, changed, switched or removed
	KindSignIn   Kind = "sign_in"  // a sign-in to a server began, ended or was given up
	KindSettings Kind = "settings" // a setting was changed
	KindJournal  Kind = "journal"  // old files of the journal itself were removed
	KindBudget   Kind = "budget"   // a call brought an app close to the end of its budget
)

// Kinds lists them.
func Kinds() []string {
	kinds := []Kind{
		KindIntent, KindVerdict, KindOutcome, KindAnswer, KindRequest, KindRule, KindApproval, KindServer, KindSignIn, KindSettings,
		KindBudget, KindJournal,
	}
	words := make([]string, len(kinds))
	for i, kind := range kinds {
		words[i] = string(kind)
	}
	return words
}

// How a call ended.
const (
	OutcomeOK        = "ok"
	OutcomeToolError = "tool_error" // the tool says that it failed
	OutcomeError     = "error"
	OutcomeRefused   = "refused"
	OutcomeCanceled  = "canceled"
	OutcomeUnknown   = "unknown" // it was sent, and may have run
)

const (
	// maxArguments is the longest arguments kept, in bytes; of longer ones only the digest is.
	maxArguments = 64 << 10
	// maxText is the longest name kept, in bytes: an address of a resource has no limit of its own.
	maxText = 4 << 10
	// maxLine is longer than any line that is written, in bytes.
	maxLine = 1 << 20
)

// Entry is one line of the log. It never holds a secret: of arguments it holds the digest, unless the person asked for
// more.
type Entry struct {
	// Seq counts entries from 1 without a gap. It is written first: see sequenceOf.
	Seq       uint64          `json:"seq"`
	At        time.Time       `json:"at"`
	Kind      Kind            `json:"kind"`
	CallID    string          `json:"call_id,omitempty"`
	Caller    domain.Caller   `json:"caller"`
	Server    string          `json:"server"`
	CallKind  domain.CallKind `json:"call_kind,omitempty"`
	Name      string          `json:"name"`
	RequestID string          `json:"request_id,omitempty"`
	// RequestKind is what was answered, Scope how long an approval lasts.
	RequestKind domain.RequestKind `json:"request_kind,omitempty"`
	Scope       domain.Scope       `json:"scope,omitempty"`
	// ArgumentsDigest is domain.Call.ArgumentsDigest.
	ArgumentsDigest string          `json:"arguments_digest,omitempty"`
	Arguments       json.RawMessage `json:"arguments,omitempty"`
	// Detail says more of what was done, in no fixed words: the new value of a setting, how long an approval lasts.
	Detail  string `json:"detail,omitempty"`
	Verdict string `json:"verdict,omitempty"`
	Because string `json:"because,omitempty"`
	RuleID  string `json:"rule_id,omitempty"`
	Outcome string `json:"outcome,omitempty"`
	Code    string `json:"code,omitempty"`
	// Unsent says of a call that ended that it provably never reached its server.
	Unsent     bool  `json:"unsent,omitempty"`
	DurationMS int64 `json:"duration_ms,omitempty"`
	// Bytes is the length of the result.
	Bytes int64 `json:"bytes,omitempty"`
	// Prior is set on the first entry under a new key, by Append alone.
	Prior *Prior `json:"prior,omitempty"`
	// Removed is set on the line that tells of a file that was too old to keep.
	Removed *Removed `json:"removed,omitempty"`
	// Hash seals the entry and all before it: HMAC-SHA256 over the hash before and the line without its own.
	Hash string `json:"hash,omitempty"`
}

// Prior is what the first entry under a new key says of those before it, whose seals nobody can check without the old
// key. Such an entry begins a file, and no other one does with a Prior.
type Prior struct {
	// Entries is the number of the last entry before.
	Entries uint64 `json:"entries"`
	// SHA256 is that of the files before, one after the other, in hexadecimal.
	SHA256 string `json:"sha256"`
}

// Removed is where the last file that was removed for its age ended. It seals what is left: Verify begins there.
type Removed struct {
	// Entries is the number of the last entry in that file.
	Entries uint64 `json:"entries"`
	// Last is the hash of that entry.
	Last string `json:"last"`
}

// urgent tells the entries that are on disk before Append returns: refusals, and all that may let something through, now or
// by another definition or setting.
func (e Entry) urgent() bool {
	switch e.Kind {
	case KindAnswer, KindRule, KindApproval, KindServer, KindSettings:
		return true
	default:
		return e.Outcome == OutcomeRefused || e.Prior != nil || e.Removed != nil
	}
}

// bound cuts what has no limit of its own.
func (e *Entry) bound() {
	e.Name, e.Caller.Name, e.Detail = clip(e.Name), clip(e.Caller.Name), clip(e.Detail)
	if len(e.Arguments) > maxArguments || len(e.Arguments) > 0 && !json.Valid(e.Arguments) {
		e.Arguments = nil
	}
}

func clip(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// A line ends in its hash: the bytes before it are what it seals, but for the closing brace.
const (
	hashBefore = `,"hash":"`
	hashAfter  = `"}`
	hashTail   = len(hashBefore) + 2*hashSize + len(hashAfter)
	hashSize   = 32
)

// link is a place in the chain: the last entry before the next one.
type link struct {
	seq  uint64
	hash []byte // nil before the first entry
}

// write numbers and seals the entry that follows after, and returns its line, with the line feed, and its link. The line lies
// in the buffer.
func (after link) write(mac hash.Hash, buffer *bytes.Buffer, e *Entry) ([]byte, link, error) {
	e.Seq, e.Hash = after.seq+1, ""
	buffer.Reset()
	if err := json.NewEncoder(buffer).Encode(e); err != nil {
		return nil, after, fmt.Errorf("encode audit entry: %w", err)
	}
	buffer.Truncate(buffer.Len() - len("}\n"))
	sum := after.sum(mac, buffer.Bytes())
	e.Hash = hex.EncodeToString(sum)
	buffer.WriteString(hashBefore)
	buffer.WriteString(e.Hash)
	buffer.WriteString(hashAfter)
	buffer.WriteByte('\n')
	return buffer.Bytes(), link{e.Seq, sum}, nil
}

// sum is the hash of the line that follows after; open is that line up to its hash.
func (after link) sum(mac hash.Hash, open []byte) []byte {
	mac.Reset()
	mac.Write(after.hash)
	mac.Write(open)
	mac.Write([]byte{'}'})
	return mac.Sum(nil)
}

// readLink takes a line apart without decoding it: its link, and the part that the hash seals. ok is false for what is
// no line of ours, such as half of one.
func readLink(line []byte) (l link, open []byte, ok bool) {
	if len(line) < hashTail {
		return link{}, nil, false
	}
	open, tail := line[:len(line)-hashTail], line[len(line)-hashTail:]
	digits, before := bytes.CutPrefix(tail, []byte(hashBefore))
	digits, after := bytes.CutSuffix(digits, []byte(hashAfter))
	sum, err := hex.DecodeString(string(digits))
	seq, counted := sequenceOf(open)
	if !before || !after || !counted || err != nil {
		return link{}, nil, false
	}
	return link{seq, sum}, open, true
}

// sequenceOf reads the number that every line starts with.
func sequenceOf(line []byte) (uint64, bool) {
	rest, ok := strings.CutPrefix(string(line[:min(len(line), 32)]), `{"seq":`)
	if !ok {
		return 0, false
	}
	digits, _, _ := strings.Cut(rest, ",")
	seq, err := strconv.ParseUint(digits, 10, 64)
	return seq, err == nil
}

// decode reads an entry from a line that readLink took apart.
func decode(line []byte) (Entry, error) {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return e, fmt.Errorf("read audit entry: %w", err)
	}
	return e, nil
}
