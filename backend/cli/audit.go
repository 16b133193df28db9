package cli

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// lastEntries is how many entries are shown when nothing says from when.
const lastEntries = 100

type auditOptions struct {
	server, since, kind string
	follow              bool
}

// auditDocument is a stretch of the journal, oldest first.
type auditDocument struct {
	Entries []audit.Entry `json:"entries"`
}

func newAuditCmd(in *invocation) *cobra.Command {
	var o auditOptions
	verify := &cobra.Command{
		Use:     "verify",
		Short:   "Check that nobody changed the journal",
		Example: "  apollia audit verify",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runAuditVerify(cmd.Context(), in) },
	}
	cmd := newGroup(&cobra.Command{
		Use:   "audit",
		Short: "Show the journal of calls and decisions",
		Long: `Show the journal of calls and decisions, oldest first: the last ` + strconv.Itoa(lastEntries) + ` entries, or all since a moment.

With --follow --json each entry is one line of JSON as it comes.`,
		Example: "  apollia audit --since 24h\n  apollia audit --server acme-internal --follow\n  apollia audit verify",
	}, verify)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return runAudit(cmd.Context(), in, o) }
	cmd.Flags().StringVar(&o.server, "server", "", "only this server")
	cmd.Flags().StringVar(&o.since, "since", "", "from this moment: 2026-01-31, 2026-01-31T09:00:00Z, or how long ago: 90m, 24h, 7d")
	cmd.Flags().StringVar(&o.kind, "kind", "", "only these lines: "+strings.Join(audit.Kinds(), ", "))
	cmd.Flags().BoolVar(&o.follow, "follow", false, "go on showing what comes, until Ctrl C")
	return cmd
}

func runAudit(ctx context.Context, in *invocation, o auditOptions) error {
	since, err := sinceOf(o.since, time.Now())
	if err != nil {
		return err
	}
	if o.kind != "" && !slices.Contains(audit.Kinds(), o.kind) {
		return invalidFlag("kind", quoted(o.kind)+" is no kind of line", "Write one of "+strings.Join(audit.Kinds(), ", ")+".")
	}
	connect := in.withAnyFolder
	if o.follow {
		connect = in.withOwner
	}
	return connect(ctx, func(c *client) error {
		j := journal{client: c, since: since, kind: o.kind}
		if o.server != "" {
			view, err := get[servers.View](ctx, c, at("servers", o.server))
			if err != nil {
				return err
			}
			j.server = view.ID
		}
		if o.follow {
			return j.follow(ctx, in)
		}
		entries, err := j.read(ctx, 0)
		if err != nil {
			return err
		}
		return in.show(auditDocument{entries}, func() { in.entries(entries) })
	})
}

// sinceOf reads a moment, or how long ago it was.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly, time.DateTime} {
		if t, err := time.ParseInLocation(layout, text, now.Location()); err == nil {
			return t, nil
		}
	}
	if days, ok := daysOf(text); ok {
		return now.AddDate(0, 0, -days), nil
	}
	if ago, err := time.ParseDuration(text); err == nil && ago >= 0 {
		return now.Add(-ago), nil
	}
	return time.Time{}, invalidFlag("since", quoted(text)+" is no moment", "Write 2026-01-31, 2026-01-31T09:00:00Z, 90m, 24h or 7d.")
}

func daysOf(text string) (days int, ok bool) {
	if len(text) < 2 || text[len(text)-1] != 'd' {
		return 0, false
	}
	days, err := strconv.Atoi(text[:len(text)-1])
	return days, err == nil && days >= 0
}

// journal reads the audit log through the API, which gives it newest first.
type journal struct {
	client *client
	server string
	kind   string
	since  time.Time
}

// read gives the entries after a sequence number, oldest first: all of them when the number or a moment bounds them,
// else the last few.
func (j journal) read(ctx context.Context, after uint64) ([]audit.Entry, error) {
	limit, bounded := lastEntries, after > 0 || !j.since.IsZero()
	if bounded {
		limit = pageSize
	}
	entries := []audit.Entry{}
	for before := uint64(0); ; {
		page, err := j.page(ctx, before, limit)
		if err != nil {
			return nil, err
		}
		for _, entry := range page.Entries {
			if entry.Seq > after {
				entries = append(entries, entry)
			}
		}
		before = page.Before
		reached := len(page.Entries) > 0 && page.Entries[len(page.Entries)-1].Seq <= after
		if !bounded || before == 0 || reached {
			slices.Reverse(entries)
			return entries, nil
		}
	}
}

func (j journal) page(ctx context.Context, before uint64, limit int) (api.Activity, error) {
	query := []string{"server", j.server, "kind", j.kind, "limit", strconv.Itoa(limit)}
	if before > 0 {
		query = append(query, "before", strconv.FormatUint(before, 10))
	}
	if !j.since.IsZero() {
		query = append(query, "since", j.since.Format(time.RFC3339Nano))
	}
	return get[api.Activity](ctx, j.client, "/api/activity", query...)
}

func (j journal) follow(ctx context.Context, in *invocation) error {
	last := uint64(0)
	return j.client.follow(ctx, about(domain.TopicActivity, ""), func() error {
		entries, err := j.read(ctx, last)
		if err != nil {
			return err
		}
		for _, entry := range entries {
			last = entry.Seq
			if err := in.each(entry, func() { in.line("%s", entryLine(entry)) }); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *printer) entries(entries []audit.Entry) {
	rows := make([][]string, 0, len(entries))
	for _, e := range entries {
		rows = append(rows, entryCells(e))
	}
	p.list("The journal holds nothing like this.", []string{"TIME", "WHAT", "CALLER", "SERVER", "NAME", "VERDICT", "OUTCOME", "MS", "CALL"}, rows)
}

func entryCells(e audit.Entry) []string {
	took := ""
	if e.DurationMS > 0 {
		took = strconv.FormatInt(e.DurationMS, 10)
	}
	name := e.Name
	if e.Detail != "" {
		name = strings.TrimSpace(name + " (" + e.Detail + ")")
	}
	return []string{
		moment(e.At), string(e.Kind), callerName(e.Caller), e.Server, name, e.Verdict, e.Outcome, took, e.CallID,
	}
}

// entryLine is an entry of a journal that goes on, where no later one can widen the columns.
func entryLine(e audit.Entry) string {
	cells := entryCells(e)
	widths := []int{19, 8, 8, 16, 24, 7, 10, 6, 0}
	for i, cell := range cells {
		cells[i] = padded(oneLine(cell), widths[i])
	}
	return strings.Join(cells, "")
}

func runAuditVerify(ctx context.Context, in *invocation) error {
	return in.withAnyFolder(ctx, func(c *client) error {
		report, err := get[audit.Report](ctx, c, "/api/audit/verify")
		if err != nil {
			return err
		}
		if report.Error != nil {
			return in.broken(report)
		}
		return in.show(report, func() {
			in.line("the journal is whole: %d entries", report.Entries)
			if report.Removed > 0 {
				in.line("%d before them were removed, since they are kept for no longer: apollia settings get audit.keep_days", report.Removed)
			}
			if report.Unchecked > 0 {
				in.line("the first %d were sealed with a key that is lost: whether they were changed before the new key can no longer be checked; "+
					"since then they were not", report.Unchecked)
			}
		})
	})
}

// broken tells a journal that somebody changed: under --json the report says it.
func (p *printer) broken(report audit.Report) error {
	if !p.json {
		return report.Error
	}
	if err := p.show(report, nil); err != nil {
		return err
	}
	return &toldError{exitOf(report.Error)}
}
