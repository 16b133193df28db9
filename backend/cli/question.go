package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

func newAnswerCmd(in *invocation) *cobra.Command {
	var data, edit string
	var closed, noBrowser bool
	cmd := &cobra.Command{
		Use:   "answer REQUEST",
		Short: "Answer the question of a server",
		Long: `Answer the question of a server: with --data, or with what its form proposes. A page that it wants opened opens in your
browser; one that is open already is done with then, and the call goes on. To decline, see apollia inbox deny.

A text that a server asks for, or that the model gave, is sent with other words by --edit: the whole JSON that apollia inbox
show --json has as params, in which only words, the system prompt and the length may differ.

By default only a person at an interactive terminal may answer; see [approvals] from_cli in config.toml.`,
		Example:           "  apollia inbox answer 3 --data '{\"name\":\"Ada\"}'\n  apollia inbox answer 3 --cancel",
		Args:              asUsed,
		ValidArgsFunction: in.completeRequest,
		RunE: func(cmd *cobra.Command, args []string) error {
			if edit != "" && (closed || data != "") {
				return wrongUsage("--edit excludes --data and --cancel", "Choose one of them.")
			}
			if edit != "" {
				params, err := in.jsonArgument("edit", edit)
				if err != nil {
					return err
				}
				return runInboxAnswer(cmd.Context(), in, args[0], api.AnswerRequest{Approve: true, Params: params, Review: true}, false)
			}
			if closed && data != "" {
				return wrongUsage("--data and --cancel exclude each other", "Choose one of them.")
			}
			if closed {
				return runInboxAnswer(cmd.Context(), in, args[0], api.AnswerRequest{Cancel: true}, false)
			}
			content, err := in.jsonArgument("data", data)
			if err != nil {
				return err
			}
			return runReply(cmd.Context(), in, args[0], api.AnswerRequest{Approve: true, Data: content}, !noBrowser)
		},
	}
	cmd.Flags().StringVar(&data, "data", "", "the fields as a JSON object, @FILE, or - for standard input")
	cmd.Flags().StringVar(&edit, "edit", "", "what is sent in place of it, as a JSON object, @FILE, or - for standard input")
	cmd.Flags().BoolVar(&closed, "cancel", false, "close the question without an answer, and cancel the call with it")
	cmd.Flags().BoolVar(&noBrowser, "no-browser", false, "print the address of a page instead of opening it")
	return cmd
}

// runReply answers the question of a server, and nothing else: a call, a text or a change is approved with approve.
func runReply(ctx context.Context, in *invocation, id string, answer api.AnswerRequest, browser bool) error {
	return in.with(ctx, func(c *client) error {
		r, err := get[domain.Request](ctx, c, at("inbox", id))
		if err != nil {
			return err
		}
		if !isQuestion(r) {
			return wrongUsage("request "+r.ID+" is no question of a server", "Approve it with: apollia inbox approve "+r.ID)
		}
		return in.giveInboxAnswer(ctx, c, id, answer, browser)
	})
}

// question is what a server asks of a person.
type question struct {
	Message string          `json:"message"`
	Schema  json.RawMessage `json:"requestedSchema"`
}

// formField is one field of a form.
type formField struct {
	name     string
	required bool

	Title       string          `json:"title"`
	Description string          `json:"description"`
	Type        string          `json:"type"`
	Default     json.RawMessage `json:"default"`
	Enum        []string        `json:"enum"`
	Titles      []string        `json:"enumNames"`
	OneOf       []choice        `json:"oneOf"`
	Items       struct {
		Enum  []string `json:"enum"`
		AnyOf []choice `json:"anyOf"`
	} `json:"items"`
}

// choice is one value of a field, with what people call it.
type choice struct {
	Value string `json:"const"`
	Title string `json:"title"`
}

func (f formField) choices() []choice {
	if len(f.OneOf) > 0 || len(f.Items.AnyOf) > 0 {
		return append(f.OneOf, f.Items.AnyOf...)
	}
	var all []choice
	for i, value := range append(f.Enum, f.Items.Enum...) {
		c := choice{Value: value}
		if i < len(f.Titles) {
			c.Title = f.Titles[i]
		}
		all = append(all, c)
	}
	return all
}

// formFields are the fields of a form in the order of its schema.
func formFields(schema json.RawMessage) ([]formField, error) {
	var form struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if err := json.Unmarshal(schema, &form); err != nil || len(form.Properties) == 0 {
		return nil, err
	}
	members := json.NewDecoder(bytes.NewReader(form.Properties))
	if _, err := members.Token(); err != nil {
		return nil, err
	}
	var fields []formField
	for members.More() {
		name, err := members.Token()
		if err != nil {
			return nil, err
		}
		var f formField
		if err := members.Decode(&f); err != nil {
			return nil, err
		}
		f.name = fmt.Sprint(name)
		f.required = slices.Contains(form.Required, f.name)
		fields = append(fields, f)
	}
	return fields, nil
}

// reply shows the question of a server and has the person at the terminal answer it.
func (in *invocation) reply(ctx context.Context, c *client, r domain.Request, server servers.View) error {
	in.say("")
	in.say("%s", requestText(r, server))
	for {
		word, err := in.ask(ctx, waysToAnswer(r))
		if unanswered(err) {
			return stillWaits(r.ID, err)
		}
		if err != nil {
			return err
		}
		said, err := in.replyOf(ctx, r, strings.ToLower(strings.TrimSpace(word)))
		if err != nil {
			return err
		}
		if said.final {
			_, err = post[domain.Request](ctx, c, at("inbox", r.ID, "answer"), said.answer)
		}
		switch domain.CodeOf(err) {
		case domain.CodeAlreadyAnswered:
			return nil // the first answer wins
		case domain.CodeInvalidArguments:
			in.warn(domain.AsError(err))
			continue
		case "":
			if said.open {
				in.openPage(ctx, r, false)
			}
		}
		if said.final || err != nil {
			return err
		}
	}
}

// said is what a word at the terminal means for the question of a server.
type said struct {
	answer api.AnswerRequest
	// final says that it answers the question.
	final bool
	// open says that the page is to be opened.
	open bool
}

// waysToAnswer are the words for a question.
func waysToAnswer(r domain.Request) string {
	switch {
	case r.Kind != domain.ElicitationURLRequest:
		return "[a]nswer  [d]ecline  [c]ancel: "
	case wasOpened(r):
		return "[g]o on  [o]pen again  [d]ecline  [c]ancel: "
	default:
		return "[o]pen  [d]ecline  [c]ancel: "
	}
}

func (in *invocation) replyOf(ctx context.Context, r domain.Request, word string) (said, error) {
	yes := said{answer: api.AnswerRequest{Approve: true}, final: true}
	switch word {
	case "d", "decline", "deny", "n", "no":
		return said{final: true}, nil
	case "c", "cancel":
		return said{answer: api.AnswerRequest{Cancel: true}, final: true}, nil
	}
	if r.Kind == domain.ElicitationURLRequest {
		return pageReply(r, word, yes), nil
	}
	var err error
	switch word {
	case "a", "answer", "y", "yes":
		yes.answer.Data, err = in.fill(ctx, r)
		return yes, err
	}
	return said{}, nil
}

// pageReply is what a word means for a page: one that was opened before can be opened again, which answers nothing.
func pageReply(r domain.Request, word string, yes said) said {
	switch word {
	case "o", "open":
		yes.open, yes.final = true, !wasOpened(r)
		return yes
	case "g", "go", "go on", "y", "yes":
		yes.open = !wasOpened(r)
		return yes
	}
	return said{}
}

// fill asks for each field of a form. An empty line leaves a field as proposed.
func (in *invocation) fill(ctx context.Context, r domain.Request) (json.RawMessage, error) {
	var q question
	if err := json.Unmarshal(r.Params, &q); err != nil {
		return nil, err
	}
	fields, err := formFields(q.Schema)
	if err != nil {
		return nil, err
	}
	content := map[string]any{}
	for _, f := range fields {
		line, err := in.ask(ctx, f.prompt())
		if err != nil {
			return nil, err
		}
		if line = strings.TrimSpace(line); line != "" {
			content[f.name] = f.value(line)
		}
	}
	return json.Marshal(content)
}

// prompt says what a field wants, in one line and a list of its choices.
func (f formField) prompt() string {
	head := "  " + oneLine(f.name)
	if f.Title != "" && f.Title != f.name {
		head += ", " + oneLine(f.Title)
	}
	if f.Description != "" {
		head += ": " + oneLine(f.Description)
	}
	lines := []string{head}
	for i, c := range f.choices() {
		lines = append(lines, strings.TrimRight("    "+strconv.Itoa(i+1)+"  "+oneLine(c.Value)+"  "+oneLine(c.Title), " "))
	}
	var facts []string
	if f.Type != "" {
		facts = append(facts, oneLine(f.Type))
	}
	if f.required {
		facts = append(facts, "required")
	}
	if f.Default != nil {
		facts = append(facts, "empty for "+oneLine(string(f.Default)))
	}
	return strings.Join(append(lines, "  ("+strings.Join(facts, ", ")+"): "), "\n")
}

// value is what a line means for a field; the form's own check refuses what it does not take.
func (f formField) value(line string) any {
	switch f.Type {
	case "boolean":
		switch strings.ToLower(line) {
		case "y", "yes", "true", "1", "o", "oui":
			return true
		case "n", "no", "false", "0", "non":
			return false
		}
	case "integer", "number":
		if json.Valid([]byte(line)) {
			return json.RawMessage(line)
		}
	case "array":
		values := []string{}
		for word := range strings.SplitSeq(line, ",") {
			values = append(values, f.chosen(strings.TrimSpace(word)))
		}
		return values
	}
	return f.chosen(line)
}

// chosen takes a choice by its number or its name.
func (f formField) chosen(word string) string {
	choices := f.choices()
	if n, err := strconv.Atoi(word); err == nil && 1 <= n && n <= len(choices) {
		return choices[n-1].Value
	}
	return word
}

// questionText is what a person needs to judge the question of a server, whose words are kept from moving the cursor.
func questionText(r domain.Request, server servers.View) string {
	name := oneLine(nameOf(r, server))
	lines := []string{"Request " + r.ID + ": " + name + " asks" + inCall(r)}
	var q question
	if json.Unmarshal(r.Params, &q) != nil {
		return lines[0] + "\n" + indent(printable(string(r.Params)), "    ")
	}
	lines = append(lines, "  it says", indent(printable(q.Message), "    "))
	fields, err := formFields(q.Schema)
	if err != nil {
		return strings.Join(append(lines, indent(printable(string(q.Schema)), "    ")), "\n")
	}
	for _, f := range fields {
		lines = append(lines, indent(strings.TrimSuffix(f.prompt(), ": "), "  "))
	}
	return strings.Join(lines, "\n")
}

func inCall(r domain.Request) string {
	if r.CallID == "" {
		return ", in no call that is known"
	}
	return " in the call of " + oneLine(r.Tool) + " by " + callerName(r.Caller)
}
