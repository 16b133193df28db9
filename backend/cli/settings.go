package cli

import (
	"context"
	"net/http"
	"strconv"

	"github.com/spf13/cobra"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/domain"
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
		Use:     "set KEY VALUE",
		Short:   "Change a setting",
		Long:    "Change a setting. One that config.toml gives is changed in that file.",
		Example: "  apollia settings set server.listen 127.0.0.1:7500",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && args[1] == "" {
				args = []string{args[0], "none"} // some settings may be empty; the others say so
			}
			return asUsed(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSettingsChange(cmd.Context(), in, api.SettingChange{Key: args[0], Value: &args[1]})
		},
	}
	unset := &cobra.Command{
		Use:     "unset KEY",
		Short:   "Bring the default of a setting back",
		Example: "  apollia settings unset server.listen",
		Args:    asUsed,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runSettingsChange(cmd.Context(), in, api.SettingChange{Key: args[0]})
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
			in.line("%s", printable(setting.Value))
		})
	})
}

func runSettingsChange(ctx context.Context, in *invocation, change api.SettingChange) error {
	return in.withAnyFolder(ctx, func(c *client) error {
		list, err := send[api.SettingList](ctx, c, http.MethodPatch, "/api/settings", change)
		if err != nil {
			return err
		}
		setting, err := settingOf(list, change.Key)
		if err != nil {
			return err
		}
		return in.show(setting, func() { in.line("%s = %s", setting.Key, printable(setting.Value)) })
	})
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
		rows = append(rows, []string{s.Key, s.Value, from})
	}
	p.table([]string{"SETTING", "VALUE", "FROM"}, rows)
}
