package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// sessionRow is a live session.
type sessionRow struct {
	Server          string       `json:"server"`
	State           domain.State `json:"state"`
	References      int          `json:"references"`
	ProtocolVersion string       `json:"protocol_version"`
	// PID is 0 for a server that is reached by an address.
	PID   int   `json:"pid"`
	AgeMS int64 `json:"age_ms"`
	// RSSBytes is the memory of the process that we started; 0 where that cannot be known.
	RSSBytes int64 `json:"rss_bytes"`
	// Cache is what is kept of its answers; absent where no cacheable tool was called.
	Cache *domain.CacheUse `json:"cache,omitempty"`
	// Breaker is absent where no call had one.
	Breaker *domain.Breaker `json:"breaker,omitempty"`
}

type sessionList struct {
	Sessions []sessionRow `json:"sessions"`
	// Budgets are absent where calls count for none.
	Budgets []domain.BudgetUse `json:"budgets,omitempty"`
}

func newPoolCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:     "pool",
		Short:   "List the live sessions with their references, age and memory",
		Example: "  apollia mcp pool",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runPool(cmd.Context(), in) },
	}
}

func runPool(ctx context.Context, in *invocation) error {
	return in.with(ctx, func(c *client) error {
		list, err := get[api.ServerList](ctx, c, "/api/servers")
		if err != nil {
			return err
		}
		pool, err := get[api.PoolState](ctx, c, "/api/pool")
		if err != nil {
			return err
		}
		answer := sessionList{Sessions: []sessionRow{}, Budgets: pool.Budgets}
		for _, view := range list.Servers {
			if isLive(view) {
				row := sessionOf(view, time.Now())
				row.Cache, row.Breaker = cacheOf(pool, view.ID), breakerOf(pool, view.ID)
				answer.Sessions = append(answer.Sessions, row)
			}
		}
		return in.show(answer, func() { in.sessions(answer.Sessions); in.budgets(answer.Budgets) })
	})
}

func isLive(view servers.View) bool {
	switch stateOf(view) {
	case domain.StateStarting, domain.StateReady, domain.StateDegraded:
		return true
	default:
		return view.PID != 0
	}
}

func sessionOf(view servers.View, now time.Time) sessionRow {
	row := sessionRow{
		Server: view.ID, State: stateOf(view), References: view.References, ProtocolVersion: view.ProtocolVersion,
		PID: view.PID, RSSBytes: residentBytes(view.PID),
	}
	if !view.Since.IsZero() {
		row.AgeMS = now.Sub(view.Since).Milliseconds()
	}
	return row
}

func cacheOf(pool api.PoolState, server string) *domain.CacheUse {
	at := slices.IndexFunc(pool.Caches, func(use domain.CacheUse) bool { return use.Server == server })
	if at < 0 {
		return nil
	}
	return &pool.Caches[at]
}

func breakerOf(pool api.PoolState, server string) *domain.Breaker {
	at := slices.IndexFunc(pool.Breakers, func(b domain.Breaker) bool { return b.Server == server })
	if at < 0 {
		return nil
	}
	return &pool.Breakers[at]
}

func breakerText(b *domain.Breaker) string {
	switch {
	case b == nil:
		return "-"
	case b.RetryAt != nil:
		return string(b.State) + " until " + b.RetryAt.Local().Format(time.TimeOnly)
	default:
		return string(b.State)
	}
}

// budgets says what was used of each limit.
func (p *printer) budgets(budgets []domain.BudgetUse) {
	for _, b := range budgets {
		of := "all servers"
		if b.Server != "" {
			of = b.Server
		}
		p.note(fmt.Sprintf("budget of %s for %s: %d of %d calls in the last hour, cost %g", b.App, of, b.Used, b.Limit, b.Cost))
	}
}

// cacheText is how many answers are kept, and how often one of them was given.
func cacheText(use *domain.CacheUse) string {
	if use == nil {
		return "-"
	}
	return fmt.Sprintf("%d kept, %d of %d calls", use.Entries, use.Hits, use.Hits+use.Misses)
}

func (p *printer) sessions(sessions []sessionRow) {
	rows := make([][]string, 0, len(sessions))
	for _, s := range sessions {
		age := (time.Duration(s.AgeMS) * time.Millisecond).Round(time.Second).String()
		rows = append(rows, []string{
			s.Server, string(s.State), strconv.Itoa(s.References), s.ProtocolVersion, orDash(int64(s.PID)), age, mebibytes(s.RSSBytes),
			cacheText(s.Cache), breakerText(s.Breaker),
		})
	}
	p.list("There is no live session.", []string{"SERVER", "STATE", "REFERENCES", "REVISION", "PROCESS", "AGE", "MEMORY", "CACHE", "BREAKER"}, rows)
}

func orDash(n int64) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(n, 10)
}

func mebibytes(n int64) string {
	if n == 0 {
		return "-"
	}
	return strconv.FormatInt(n>>20, 10) + " MiB"
}
