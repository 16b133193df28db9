package cli

import (
	"context"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/model"
)

func newSettingsCmd(in *invocation) *cobra.Command {
	get := &cobra.Command{
		Use:     "get [KEY]",
		Short:   "Print the settings, or one of them",
		Example: "  apollia settings get\n  apollia settings get server.listen",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSettingsGet(cmd.Context(), in, given(args, 0))
		},
	}
	set := &cobra.Command{
		Use:   "set KEY [VALUE]",
		Short: "Change a setting",
		Long: `Change a setting. One that config.toml gives is changed in that file.

model.key is a secret: without a value on the command line it is asked for. A terminal does not show what is typed, and a
script gives a line of standard input. It is kept in the secret store, for the address that model.base_url names.`,
		Example: "  apollia settings set server.listen 127.0.0.1:7500\n  apollia settings set model.key < key.txt",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && args[1] == "" && args[0] != modelKey {
				args = []string{args[0], "none"} // some settings may be empty; the others say so
			}
			return asUsed(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[0] == modelKey {
				return runModelKeySet(cmd.Context(), in, args)
			}
			if len(args) < 2 {
				return wrongUsage("VALUE is missing", "Usage: "+cmd.UseLine())
			}
			return runSettingsChange(cmd.Context(), in, args[0], func(ctx context.Context, c *client) (api.SettingList, error) {
				return send[api.SettingList](ctx, c, http.MethodPatch, "/api/settings", api.SettingChange{Key: args[0], Value: &args[1]})
			})
		},
	}
	unset := &cobra.Command{
		Use:     "unset KEY",
		Short:   "Bring the default of a setting back, or forget a secret",
		Example: "  apollia settings unset server.listen\n  apollia settings unset model.key",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSettingsChange(cmd.Context(), in, args[0], func(ctx context.Context, c *client) (api.SettingList, error) {
				if args[0] == modelKey {
					return send[api.SettingList](ctx, c, http.MethodDelete, "/api/model/key", nil)
				}
				return send[api.SettingList](ctx, c, http.MethodPatch, "/api/settings", api.SettingChange{Key: args[0]})
			})
		},
	}
	return newGroup(&cobra.Command{
		Use:     "settings",
		Short:   "Read and change the settings",
		Example: "  apollia settings get",
	}, get, set, unset)
}

func runSettingsGet(ctx context.Context, in *invocation, key string) error {
	return in.withAnyFolder(ctx, func(c *client) error {
		list, err := get[api.SettingList](ctx, c, "/api/settings")
		if err != nil {
			return err
		}
		if key == "" {
			return in.show(list, func() { in.settings(list.Settings) })
		}
		setting, err := settingOf(list, key)
		if err != nil {
			return err
		}
		return in.show(setting, func() {
			if setting.Variable != "" {
				in.line("%s", printable(setting.InForce))
				in.note(setting.Variable + " counts in place of " + setting.Value)
				return
			}
			in.line("%s", shownValue(setting))
		})
	})
}

// runSettingsChange changes a setting and shows what it is now.
func runSettingsChange(ctx context.Context, in *invocation, key string, change func(context.Context, *client) (api.SettingList, error)) error {
	return in.withAnyFolder(ctx, func(c *client) error {
		list, err := change(ctx, c)
		if err != nil {
			return err
		}
		setting, err := settingOf(list, key)
		if err != nil {
			return err
		}
		return in.show(setting, func() { in.line("%s = %s", setting.Key, shownValue(setting)) })
	})
}

// modelKey is the one setting that is a secret.
const modelKey = "model.key"

// runModelKeySet asks for the key, which never stands on the command line: every program can read that.
func runModelKeySet(ctx context.Context, in *invocation, args []string) error {
	if len(args) > 1 {
		return wrongUsage("a key on the command line can be read by every program",
			"Leave it out and type it when asked, or give it as a line of standard input.")
	}
	return runSettingsChange(ctx, in, modelKey, func(ctx context.Context, c *client) (api.SettingList, error) {
		key, err := in.typed(ctx, modelKey)
		if err != nil {
			return api.SettingList{}, err
		}
		return send[api.SettingList](ctx, c, http.MethodPut, "/api/model/key", api.ModelKey{Key: key})
	})
}

// shownValue is a value, or whether there is one that is secret.
func shownValue(s api.SettingView) string {
	switch s.Secret {
	case model.KeyKept:
		return "(set)"
	case model.KeyElsewhere:
		return "(set for another address, and not used)"
	case model.KeyNone:
		return "(not set)"
	}
	return printable(s.Value)
}

func settingOf(list api.SettingList, key string) (api.SettingView, error) {
	for _, setting := range list.Settings {
		if setting.Key == key {
			return setting, nil
		}
	}
	return api.SettingView{}, &domain.Error{
		Code: domain.CodeUnknownItem, Message: "there is no setting " + key, Hint: "See: apollia settings get",
		Args: map[string]string{"key": key},
	}
}

func (p *printer) settings(settings []api.SettingView) {
	rows := make([][]string, 0, len(settings))
	for _, s := range settings {
		from := s.From
		if s.Line > 0 {
			from += " line " + strconv.Itoa(s.Line)
		}
		if s.Variable != "" {
			s.Value, from = s.InForce, s.Variable
		}
		rows = append(rows, []string{s.Key, shownValue(s), from})
	}
	p.table([]string{"SETTING", "VALUE", "FROM"}, rows)
}
