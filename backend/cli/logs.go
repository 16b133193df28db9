package cli

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
	"apollia.fr/connexions/backend/session"
	"apollia.fr/connexions/backend/transport"
)

// pageSize is how many entries one request fetches: the most the API gives.
const pageSize = 1000

func newLogsCmd(in *invocation) *cobra.Command {
	var level string
	cmd := newStreamCmd(in, "logs", "Show what a server wrote and what happened to it", func(ctx context.Context, server string, follow bool) error {
		if level == "" {
			return runStream(ctx, in, logStream(in), server, follow)
		}
		if !slices.Contains(session.LogLevels(), level) {
			return invalidFlag("level", "there is no "+quoted(level), "Use one of "+strings.Join(session.LogLevels(), ", ")+".")
		}
		// The owner keeps to the level; this command alone would end with it.
		return in.withOwner(ctx, func(c *client) error {
			if _, err := send[struct{}](ctx, c, http.MethodPut, at("servers", server, "log-level"), api.LogLevel{Level: level}); err != nil {
				return err
			}
			return showStream(ctx, in, c, logStream(in), server, follow)
		})
	})
	cmd.Flags().StringVar(&level, "level", "", "ask the server for log messages from this level on: "+strings.Join(session.LogLevels(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("level", cobra.FixedCompletions(session.LogLevels(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func newTraceCmd(in *invocation) *cobra.Command {
	return newStreamCmd(in, "trace", "Show the JSON-RPC traffic of a server, secrets masked", func(ctx context.Context, server string, follow bool) error {
		return runStream(ctx, in, trafficStream(in), server, follow)
	})
}

func newStreamCmd(in *invocation, verb, short string, run func(context.Context, string, bool) error) *cobra.Command {
	var follow bool
	cmd := &cobra.Command{
		Use:               verb + " SERVER",
		Short:             short,
		Long:              short + ".\n\nWith --follow --json each entry is one line of JSON as it comes.",
		Example:           "  apollia mcp " + verb + " acme-internal\n  apollia mcp " + verb + " acme-internal --follow",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return run(cmd.Context(), args[0], follow) },
	}
	cmd.Flags().BoolVar(&follow, "follow", false, "go on showing what comes, until Ctrl C")
	return cmd
}

// stream is one kind of numbered entries that a server makes.
type stream[Entry any] struct {
	topic domain.Topic
	// read fetches the entries after a sequence number.
	read func(ctx context.Context, c *client, server string, after uint64) (entries []Entry, next uint64, err error)
	// all is the document of everything there is.
	all  func(entries []Entry, next uint64) any
	show func(Entry)
}

func logStream(in *invocation) stream[transport.LogLine] {
	return stream[transport.LogLine]{
		topic: domain.TopicLogs,
		read: func(ctx context.Context, c *client, server string, after uint64) ([]transport.LogLine, uint64, error) {
			page, err := get[api.LogPage](ctx, c, at("servers", server, "logs"), pageQuery(after)...)
			return page.Lines, page.Next, err
		},
		all: func(lines []transport.LogLine, next uint64) any { return api.LogPage{Lines: lines, Next: next} },
		show: func(l transport.LogLine) {
			in.line("%s  %s%s", moment(l.At), padded(l.Stream, 9), printable(l.Text))
		},
	}
}

func trafficStream(in *invocation) stream[transport.Frame] {
	return stream[transport.Frame]{
		topic: domain.TopicTraffic,
		read: func(ctx context.Context, c *client, server string, after uint64) ([]transport.Frame, uint64, error) {
			page, err := get[api.TrafficPage](ctx, c, at("servers", server, "traffic"), pageQuery(after)...)
			return page.Frames, page.Next, err
		},
		all: func(frames []transport.Frame, next uint64) any { return api.TrafficPage{Frames: frames, Next: next} },
		show: func(f transport.Frame) {
			arrow := "->"
			if f.Direction == transport.Received {
				arrow = "<-"
			}
			in.line("%s  %s %s", moment(f.At), arrow, printable(f.Text))
		},
	}
}

func pageQuery(after uint64) []string {
	return []string{"after", strconv.FormatUint(after, 10), "limit", strconv.Itoa(pageSize)}
}

func runStream[E any](ctx context.Context, in *invocation, s stream[E], server string, follow bool) error {
	connect := in.with
	if follow {
		connect = in.withOwner
	}
	return connect(ctx, func(c *client) error { return showStream(ctx, in, c, s, server, follow) })
}

func showStream[E any](ctx context.Context, in *invocation, c *client, s stream[E], server string, follow bool) error {
	if follow {
		return followStream(ctx, in, c, s, server)
	}
	entries, next, err := s.readAll(ctx, c, server, 0)
	if err != nil {
		return err
	}
	return in.show(s.all(entries, next), func() {
		for _, entry := range entries {
			s.show(entry)
		}
		if len(entries) == 0 {
			in.say("There is nothing yet.")
		}
	})
}

// readAll reads page after page until one is not full.
func (s stream[E]) readAll(ctx context.Context, c *client, server string, after uint64) ([]E, uint64, error) {
	all := []E{}
	for {
		entries, next, err := s.read(ctx, c, server, after)
		if err != nil {
			return all, after, err
		}
		all, after = append(all, entries...), next
		if len(entries) < pageSize {
			return all, after, nil
		}
	}
}

func followStream[E any](ctx context.Context, in *invocation, c *client, s stream[E], server string) error {
	view, err := get[servers.View](ctx, c, at("servers", server))
	if err != nil {
		return err
	}
	after := uint64(0)
	return c.follow(ctx, about(s.topic, view.ID), func() error {
		entries, next, err := s.readAll(ctx, c, view.ID, after)
		after = next
		for _, entry := range entries {
			if err := in.each(entry, func() { s.show(entry) }); err != nil {
				return err
			}
		}
		return err
	})
}

// each shows one entry of a stream that goes on: a line of JSON or text.
func (p *printer) each(entry any, text func()) error {
	if p.json {
		p.answered = true
		return p.document(entry)
	}
	text()
	return nil
}
