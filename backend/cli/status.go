package cli

import (
	"context"
	"errors"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/owner"
)

// statusDocument is the answer of status. Everything but Running describes an owner, or the data folder alone when
// nothing runs.
type statusDocument struct {
	Running bool   `json:"running"`
	PID     int    `json:"pid"`
	URL     string `json:"url"`
	// Owner is "window" or "serve".
	Owner      string     `json:"owner,omitempty"`
	MCPURL     string     `json:"mcp_url,omitempty"`
	SignInURL  string     `json:"sign_in_url,omitempty"`
	Version    string     `json:"version,omitempty"`
	DataFolder string     `json:"data_folder"`
	Servers    api.Counts `json:"servers"`
	Inbox      int        `json:"inbox"`
	CallsToday int        `json:"calls_today"`
	// CallsStopped is there while all calls are stopped.
	CallsStopped *api.Halted     `json:"calls_stopped,omitempty"`
	Problems     []*domain.Error `json:"problems"`
}

func newStatusCmd(in *invocation) *cobra.Command {
	var link bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Say who owns the data folder, what is ready and what waits",
		Example: "  apollia status\n  apollia status --link",
		Args:    asUsed,
		RunE:    func(cmd *cobra.Command, _ []string) error { return runStatus(cmd.Context(), in, link) },
	}
	cmd.Flags().BoolVar(&link, "link", false, "make a new one-time sign-in link for a browser")
	return cmd
}

func runStatus(ctx context.Context, in *invocation, link bool) error {
	status, err := readStatus(ctx, in, link)
	if err != nil {
		return err
	}
	return in.show(status, func() { in.status(status) })
}

func readStatus(ctx context.Context, in *invocation, link bool) (statusDocument, error) {
	home, err := config.Home(in.Getenv)
	if err != nil {
		return statusDocument{}, err
	}
	empty := statusDocument{DataFolder: home, Problems: []*domain.Error{}}
	if _, err := os.Stat(home); errors.Is(err, os.ErrNotExist) && !link {
		return empty, nil // asking must not make a data folder
	}
	status := empty
	err = in.withAnyFolder(ctx, func(c *client) error {
		status, err = fetchStatus(ctx, c, link)
		return err
	})
	if unopened(err) && !link {
		empty.Problems = append(empty.Problems, domain.AsError(err))
		return empty, nil
	}
	if domain.CodeOf(err) != domain.CodeFolderBusy || link {
		return status, err
	}
	// Somebody has the folder but cannot be asked.
	instance, err := owner.Find(home)
	if errors.Is(err, owner.ErrNone) {
		return empty, nil
	}
	empty.Running, empty.PID = err == nil, instance.PID
	return empty, err
}

func fetchStatus(ctx context.Context, c *client, link bool) (statusDocument, error) {
	s, err := get[api.Status](ctx, c, "/api/status")
	if err != nil {
		return statusDocument{}, err
	}
	status := statusDocument{
		DataFolder: s.DataFolder, Version: s.Version, Servers: s.Servers, Inbox: s.Inbox, CallsToday: s.CallsToday,
		CallsStopped: s.CallsStopped, Problems: s.Problems,
	}
	if !c.local {
		status.Running, status.PID, status.URL, status.MCPURL, status.Owner = true, s.PID, s.URL, s.MCPURL, s.Owner
	}
	if link {
		made, err := post[api.SignInLink](ctx, c, "/api/sign-in-links", nil)
		if err != nil {
			return statusDocument{}, err
		}
		status.SignInURL = made.URL
	}
	return status, nil
}

func (p *printer) status(s statusDocument) {
	state := "nothing runs; start it with: apollia serve"
	if s.Running {
		state = "running, process " + strconv.Itoa(s.PID)
	}
	address := s.URL
	if s.Running && address == "" {
		address = "none: it does not listen for commands"
	}
	p.fields(
		[2]string{"apollia", state}, [2]string{"owner", s.Owner}, [2]string{"version", s.Version},
		[2]string{"address", address}, [2]string{"gateway", s.MCPURL}, [2]string{"sign in", s.SignInURL},
		[2]string{"data folder", s.DataFolder},
		[2]string{"servers", strconv.Itoa(s.Servers.Ready) + " of " + strconv.Itoa(s.Servers.Total) + " ready"},
		[2]string{"inbox", strconv.Itoa(s.Inbox) + " waiting"},
	)
	if s.CallsStopped != nil {
		p.line("%s", haltText(*s.CallsStopped))
	}
	for _, problem := range s.Problems {
		p.line("problem: %s", printable(problem.Message))
		if problem.Hint != "" {
			p.line("  hint: %s", printable(problem.Hint))
		}
	}
}
