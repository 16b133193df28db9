package cli

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
)

// callDocument is what a call came to. One of Tool, URI and Prompt is set.
type callDocument struct {
	// OK is false when the tool itself failed; Result then says how.
	OK         bool   `json:"ok"`
	Server     string `json:"server"`
	Tool       string `json:"tool,omitempty"`
	URI        string `json:"uri,omitempty"`
	Prompt     string `json:"prompt,omitempty"`
	DurationMS int64  `json:"duration_ms"`
	CacheHit   bool   `json:"cache_hit"`
	Text       string `json:"text"`
	// Result is the MCP result as the server sent it.
	Result json.RawMessage `json:"result"`
}

type callOptions struct {
	server, name string
	kind         domain.CallKind
	args         string
	wait         int
	follow       bool
}

func newCallCmd(in *invocation) *cobra.Command {
	return newUseCmd(in, domain.ToolCall, &cobra.Command{
		Use:   "call SERVER TOOL",
		Short: "Call a tool",
		Long: `Call a tool, through the same policy as every other caller.

Where the policy asks, a person at this terminal is asked here. Without a terminal the request goes to the inbox, its
number is printed, and the command exits with 4; the same command within 10 minutes of the approval then runs. With
--wait it stays for that many seconds instead.`,
		Example: `  apollia mcp call acme-internal echo --args '{"message":"bonjour"}'
  apollia mcp call acme-internal import --args @file.json --wait 60
  echo '{"message":"bonjour"}' | apollia mcp call acme-internal echo --args - --json`,
		ValidArgsFunction: in.completeTool,
	})
}

func newReadCmd(in *invocation) *cobra.Command {
	return newUseCmd(in, domain.ResourceRead, &cobra.Command{
		Use:   "read SERVER URI",
		Short: "Read a resource",
		Example: `  apollia mcp read acme-internal demo://resource/static/document/features.md
  apollia mcp read acme-internal file:///logo.png > logo.png
  apollia mcp read acme-internal metrics://today --follow`,
		ValidArgsFunction: in.completeServer,
	})
}

func newPromptCmd(in *invocation) *cobra.Command {
	return newUseCmd(in, domain.PromptGet, &cobra.Command{
		Use:               "prompt SERVER NAME",
		Short:             "Run a prompt and print its messages",
		Example:           `  apollia mcp prompt acme-internal summarize --args '{"topic":"sales"}'`,
		ValidArgsFunction: in.completeServer,
	})
}

// newUseCmd completes a command that makes one call: of the server that its first word names, for what the second does.
func newUseCmd(in *invocation, kind domain.CallKind, cmd *cobra.Command) *cobra.Command {
	o := callOptions{kind: kind}
	cmd.Args = asUsed
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		o.server, o.name = args[0], args[1]
		return runCall(cmd.Context(), in, o)
	}
	if kind == domain.ResourceRead {
		cmd.Flags().BoolVar(&o.follow, "follow", false, "read it again whenever the server says that it changed, until Ctrl C")
	} else {
		cmd.Flags().StringVar(&o.args, "args", "", "arguments as a JSON object, @FILE, or - for standard input")
	}
	cmd.Flags().IntVar(&o.wait, "wait", 0, "seconds to stay while somebody decides")
	return cmd
}

func runCall(ctx context.Context, in *invocation, o callOptions) error {
	if o.wait < 0 {
		return invalidFlag("wait", "it cannot be negative", "Give a number of seconds, or leave it out.")
	}
	arguments, err := in.jsonArgument("args", o.args)
	if err != nil {
		return err
	}
	if o.follow {
		return runWatch(ctx, in, o)
	}
	connect := in.with
	if o.wait > 0 {
		connect = in.withOwner // who answers needs somebody to answer to
	}
	return connect(ctx, func(c *client) error {
		request := api.CallRequest{Server: o.server, Kind: o.kind, Name: o.name, Arguments: arguments}
		view, err := in.call(ctx, c, request, time.Duration(o.wait)*time.Second)
		if err != nil {
			return err
		}
		return in.called(view)
	})
}

// called shows a call that ended in a result.
func (in *invocation) called(view api.CallView) error {
	document := documentOf(view)
	if err := in.show(document, func() { in.result(document) }); err != nil {
		return err
	}
	if view.IsError {
		return &toldError{exitFailed}
	}
	return nil
}

func documentOf(view api.CallView) callDocument {
	document := callDocument{OK: !view.IsError, Server: view.Server, DurationMS: view.DurationMS}
	if view.Result != nil {
		document.CacheHit, document.Result = view.Result.Meta.CacheHit, view.Result.Raw
		document.Text = textOf(view.Result.Raw)
	}
	switch view.Kind {
	case domain.ResourceRead:
		document.URI = view.Name
	case domain.PromptGet:
		document.Prompt = view.Name
	default:
		document.Tool = view.Name
	}
	return document
}

// result writes the text of a result, or its data when it goes to a file and is nothing else. Only a terminal has to be
// protected from what the text holds.
func (p *printer) result(d callDocument) {
	if data, ok := onlyBlob(d.Result); ok && !p.outTerminal {
		_, _ = p.out.Write(data)
		return
	}
	text := d.Text
	if p.outTerminal {
		text = printable(text)
	}
	if !d.OK {
		p.say("error: the tool failed")
	}
	p.line("%s", strings.TrimRight(text, "\n"))
}

// jsonArgument reads the value of a flag such as --args. What it holds is checked by the API; here it must be JSON to be
// sent at all.
func (in *invocation) jsonArgument(flag, given string) (json.RawMessage, error) {
	text, err := in.argumentText(flag, given)
	if err != nil || text == "" {
		return nil, err
	}
	if !json.Valid([]byte(text)) {
		return nil, &domain.Error{
			Code: domain.CodeInvalidArguments, Message: "--" + flag + " is not JSON: " + jsonFault(text),
			Hint: "Give an object in single quotes, such as --" + flag + ` '{"message":"hello"}', or @FILE.`,
		}
	}
	return json.RawMessage(text), nil
}

func (in *invocation) argumentText(flag, given string) (text string, err error) {
	file, isFile := strings.CutPrefix(given, "@")
	switch {
	case given == "-":
		text, err = boundedText(flag, in.Stdin)
	case isFile:
		text, err = fileText(flag, file)
	default:
		text = given
	}
	return strings.TrimSpace(text), err
}

// maxText is the most that a flag reads from elsewhere, in bytes: more than the API takes.
const maxText = 16 << 20

// fileText reads the file that a flag names.
func fileText(flag, path string) (string, error) {
	from, err := os.Open(path)
	if err != nil {
		return "", invalidFlag(flag, err.Error(), "Give a file that can be read.")
	}
	defer func() { _ = from.Close() }() // only read from
	return boundedText(flag, from)
}

// boundedText reads what a flag names, of which there may be no end.
func boundedText(flag string, from io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxText+1))
	if err != nil {
		return "", invalidFlag(flag, err.Error(), "Give a file, or an input, that can be read.")
	}
	if len(text) > maxText {
		return "", invalidFlag(flag, "it is longer than 16 MiB", "Give less.")
	}
	return string(text), nil
}

func jsonFault(text string) string {
	var anything any
	if err := json.Unmarshal([]byte(text), &anything); err != nil {
		return err.Error()
	}
	return "it holds more than one value"
}
