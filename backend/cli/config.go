package cli

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

type configOptions struct {
	server     string
	set, unset []string
	show       bool
}

// configDocument is what a server is given: its environment, its headers and its sign-in.
type configDocument struct {
	Server string        `json:"server"`
	Values []configValue `json:"values"`
}

type configValue struct {
	Key string `json:"key"`
	// Value is absent for a secret.
	Value  string `json:"value,omitempty"`
	Secret bool   `json:"secret"`
}

func newConfigCmd(in *invocation) *cobra.Command {
	var o configOptions
	cmd := &cobra.Command{
		Use:   "config SERVER",
		Short: "Show or change what a server is given: its variables, its headers, its sign-in",
		Long: `Show or change what a server is given: its variables as env.NAME, its headers as header.NAME, its sign-in as auth.NAME,
such as auth.client_id, auth.client_secret and auth.scopes=read,write. cacheable_tools=a,b names the tools whose answers may be
kept and given again, cache_ttl=60 for how many seconds.

--set KEY without a value asks for it: a terminal does not show what is typed, and a script gives a line of standard
input. So a secret need not stand on the command line. A value that was a secret stays one.`,
		Example: `  apollia mcp config acme-internal
  apollia mcp config acme-internal --set env.API_TOKEN < token.txt
  apollia mcp config acme-internal --set env.LOG_LEVEL=debug --unset header.X-Old`,
		Args:              asUsed,
		ValidArgsFunction: in.completeServer,
		RunE: func(cmd *cobra.Command, args []string) error {
			o.server = args[0]
			return runConfig(cmd.Context(), in, o)
		},
	}
	cmd.Flags().StringArrayVar(&o.set, "set", nil, "KEY=value, or KEY alone to be asked for the value; may be repeated")
	cmd.Flags().StringArrayVar(&o.unset, "unset", nil, "KEY to take away; may be repeated")
	cmd.Flags().BoolVar(&o.show, "show", false, "show what is set, as without any flag")
	return cmd
}

func runConfig(ctx context.Context, in *invocation, o configOptions) error {
	return in.with(ctx, func(c *client) error {
		view, err := get[servers.View](ctx, c, at("servers", o.server))
		if err != nil {
			return err
		}
		if len(o.set)+len(o.unset) > 0 {
			if view, err = in.reconfigure(ctx, c, view, o); err != nil {
				return err
			}
		}
		document := configDocument{view.ID, valuesOf(view.Definition)}
		return in.show(document, func() { in.config(document) })
	})
}

// reconfigure changes the values and saves the definition. It starts no test: a server that is short of a value has
// none to pass.
func (in *invocation) reconfigure(ctx context.Context, c *client, view servers.View, o configOptions) (servers.View, error) {
	d := view.Clone()
	for _, key := range o.unset {
		p, err := placeOf(&d, "unset", key)
		if err != nil {
			return view, err
		}
		if !p.unset() {
			return view, invalidFlag("unset", "there is no "+quoted(key), "See what is set with: apollia mcp config "+view.ID)
		}
	}
	for _, text := range o.set {
		key, value, given := strings.Cut(text, "=")
		p, err := placeOf(&d, "set", key)
		if err != nil {
			return view, err
		}
		if !given {
			if value, err = in.value(ctx, "set", key); err != nil {
				return view, err
			}
		}
		if err := p.set(value, !given); err != nil {
			return view, err
		}
	}
	saved, err := send[servers.View](ctx, c, http.MethodPut, at("servers", view.ID), api.ServerChange{Definition: d, SkipTest: true})
	if err == nil {
		in.say("Try: apollia mcp test %s", view.ID)
	}
	return saved, err
}

// place is a value of a server that can be set, and taken away where it is set.
type place struct {
	set   func(value string, secret bool) error
	unset func() bool
}

// placeOf finds what a key is about.
func placeOf(d *domain.Definition, flag, key string) (place, error) {
	kind, name, _ := strings.Cut(key, ".")
	switch {
	case name != "" && kind == "env" && d.Transport == domain.Stdio:
		return variablePlace(&d.Env, name), nil
	case name != "" && (kind == "header" || kind == "headers") && d.Transport != domain.Stdio:
		return variablePlace(&d.Headers, name), nil
	case kind == "auth":
		return authPlace(d, flag, name)
	case key == cacheableTools:
		return cacheableToolsPlace(d), nil
	case key == cacheTTL:
		return cacheTTLPlace(d), nil
	}
	where := "env.NAME for a variable of the program"
	if d.Transport != domain.Stdio {
		where = "header.NAME for a header"
	}
	return place{}, invalidFlag(flag, quoted(key)+" is no value of this server", "Write "+where+", or auth.NAME for its sign-in.")
}

func variablePlace(variables *[]domain.Variable, name string) place {
	return place{
		set: func(value string, secret bool) error {
			*variables = withValue(*variables, domain.Variable{Name: name, Value: value, Secret: secret})
			return nil
		},
		unset: func() bool {
			at := indexOf(*variables, name)
			if at >= 0 {
				*variables = slices.Delete(slices.Clone(*variables), at, at+1)
			}
			return at >= 0
		},
	}
}

func indexOf(variables []domain.Variable, name string) int {
	return slices.IndexFunc(variables, func(v domain.Variable) bool { return v.Name == name })
}

// withValue puts a variable in place of the one with its name. What was a secret stays one.
func withValue(variables []domain.Variable, v domain.Variable) []domain.Variable {
	at := indexOf(variables, v.Name)
	if at < 0 {
		return append(slices.Clone(variables), v)
	}
	v.Secret = v.Secret || variables[at].Secret
	variables = slices.Clone(variables)
	variables[at] = v
	return variables
}

func valuesOf(d domain.Definition) []configValue {
	values := []configValue{}
	for _, v := range d.Env {
		values = append(values, valueOf("env.", v))
	}
	for _, v := range d.Headers {
		values = append(values, valueOf("header.", v))
	}
	return append(append(values, authValues(d.Auth)...), cacheValues(d)...)
}

func valueOf(kind string, v domain.Variable) configValue {
	if v.Secret || strings.Contains(v.Value, "${secret:") {
		return configValue{Key: kind + v.Name, Secret: true}
	}
	return configValue{Key: kind + v.Name, Value: v.Value}
}

func (p *printer) config(d configDocument) {
	rows := make([][]string, 0, len(d.Values))
	for _, v := range d.Values {
		if v.Secret {
			v.Value = "(secret)"
		}
		rows = append(rows, []string{v.Key, v.Value})
	}
	p.list("This server is given no value of its own.", []string{"KEY", "VALUE"}, rows)
}
