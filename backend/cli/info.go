package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// infoDocument is a server with everything that is known of it. Its state and reason are those of a list.
type infoDocument struct {
	servers.View
	State  domain.State `json:"state"`
	Reason string       `json:"reason"`
	// Next is the command that goes on from this state.
	Next string `json:"next"`
}

func newInfoCmd(in *invocation) *cobra.Command {
	return &cobra.Command{
		Use:               "info SERVER",
		Short:             "Show how a server is reached and what is known of it",
		Example:           "  apollia mcp info acme-internal",
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE:              func(cmd *cobra.Command, args []string) error { return runInfo(cmd.Context(), in, args[0]) },
	}
}

func runInfo(ctx context.Context, in *invocation, server string) error {
	return in.with(ctx, func(c *client) error {
		view, err := get[servers.View](ctx, c, at("servers", server))
		if err != nil {
			return err
		}
		return in.show(infoDocument{view, stateOf(view), reasonOf(view), nextOf(view)}, func() { in.info(view) })
	})
}

func (p *printer) info(v servers.View) {
	source := string(v.Source)
	if v.Line > 0 {
		source += " line " + strconv.Itoa(v.Line)
	}
	server := ""
	if v.Info != nil {
		server = v.Info.Name + " " + v.Info.Version
	}
	p.fields(
		[2]string{"name", v.Name}, [2]string{"id", v.ID}, [2]string{"state", string(stateOf(v))},
		[2]string{"reason", reasonOf(v)}, [2]string{"next", nextOf(v)}, [2]string{"server", server},
		[2]string{"transport", transportOf(v)}, [2]string{"revision", v.ProtocolVersion},
		[2]string{"command", strings.Join(append([]string{v.Command}, v.Args...), " ")},
		[2]string{"folder", v.Cwd}, [2]string{"url", v.URL},
		[2]string{"environment", variableNames(v.Env)}, [2]string{"headers", variableNames(v.Headers)},
		[2]string{"roots", strings.Join(v.Roots, ", ")}, [2]string{"timeout", v.Timeout().String()},
		[2]string{"largest message", strconv.FormatInt(v.MaxMessage(), 10) + " bytes"},
		[2]string{"trust", string(v.Trust)}, [2]string{"calls without a rule", v.DefaultVerdict.String()},
		[2]string{"kept in", source}, [2]string{"tool names", v.Prefix + "…"},
		[2]string{"offers", fmt.Sprintf("%d tools, %d resources, %d prompts", v.Tools, v.Resources, v.Prompts)},
		[2]string{"announces", strings.Join(capabilities(v.Capabilities), ", ")},
		[2]string{"instructions", firstLine(v.Instructions)},
		[2]string{"cacheable tools", strings.Join(v.CacheableTools, ", ")},
		[2]string{"added", moment(v.CreatedAt)},
	)
	for _, warning := range v.Warnings {
		p.note(warning.Message)
	}
	if v.Moved != nil {
		p.note("the local network has it at " + v.Moved.To + " now: to reach it there, run apollia mcp move " + v.ID)
	}
	p.lookAt("the instructions", v.ID, v.InstructionFindings)
	if v.StrayLines > 0 {
		p.note(strconv.Itoa(v.StrayLines) + " lines on its standard output were no JSON-RPC")
	}
}

// transportOf is how a server is reached, and what it was set to where that is another transport.
func transportOf(v servers.View) string {
	if v.TransportInUse == "" || v.TransportInUse == v.Transport {
		return string(v.Transport)
	}
	return string(v.TransportInUse) + ", set to " + string(v.Transport)
}

// variableNames lists names only: a value may be a secret whatever its mark says.
func variableNames(variables []domain.Variable) string {
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = v.Name
	}
	return strings.Join(names, ", ")
}

func capabilities(raw json.RawMessage) []string {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return sortedKeys(members)
}
