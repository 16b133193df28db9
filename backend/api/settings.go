package api

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/model"
)

// SettingView is one setting with where its value comes from.
type SettingView struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Default string `json:"default"`
	// From is "default", "store" or "config.toml"; what the file says wins and is changed in the file.
	From string `json:"from" enum:"default,store,config.toml"`
	// Line is the line in config.toml.
	Line int `json:"line,omitempty"`
	// Variable names the variable of our environment that counts in place of all these, with the value InForce.
	Variable string `json:"variable,omitempty"`
	InForce  string `json:"in_force,omitempty"`
	// Secret says of a secret whether there is one; its value is never told. "elsewhere" is one that was given for another
	// address than the one that is set, and is not used.
	Secret model.KeyState `json:"secret,omitempty" enum:"none,kept,elsewhere"`
}

// SettingList is every setting there is.
type SettingList struct {
	Settings []SettingView `json:"settings"`
}

// SettingChange sets one setting, or brings its default back when Value is absent.
type SettingChange struct {
	Key   string  `json:"key"`
	Value *string `json:"value,omitempty"`
}

func (a *API) registerSettings() {
	route(a, http.MethodGet, "/api/settings", "listSettings", "List the settings", a.listSettings)
	route(a, http.MethodPatch, "/api/settings", "changeSetting", "Change one setting", a.changeSetting)
}

func (a *API) listSettings(context.Context, *struct{}) (*body[SettingList], error) {
	stored, err := a.Settings.Settings()
	if err != nil {
		return nil, err
	}
	key, err := a.Model.KeyState()
	if err != nil {
		return nil, err
	}
	file, _ := a.Config()
	known := config.KnownSettings()
	list := SettingList{Settings: make([]SettingView, 0, len(known))}
	for _, setting := range known {
		view := SettingView{Key: setting.Key, Value: setting.Default, Default: setting.Default, From: "default"}
		if value, ok := stored[setting.Key]; ok {
			view.Value, view.From = value, "store"
		}
		if value, line, ok := file.SettingAt(setting.Key); ok {
			view.Value, view.From, view.Line = value, string(domain.FromConfig), line
		}
		if setting.Secret {
			view.Secret = key
			if key != model.KeyNone {
				view.From = "store"
			}
		}
		view.Variable, view.InForce = a.Environment(setting.Key)
		list.Settings = append(list.Settings, view)
	}
	return &body[SettingList]{list}, nil
}

func (a *API) changeSetting(ctx context.Context, in *struct{ Body SettingChange }) (*body[SettingList], error) {
	key := in.Body.Key
	setting, err := config.FindSetting(key)
	if err != nil {
		return nil, err
	}
	if setting.Secret {
		return nil, &domain.Error{
			Code: domain.CodeInvalidInput, Message: key + " is a secret, which is no setting like others",
			Hint: "Give it in the window, or with: apollia settings set " + key, Args: map[string]string{"setting": key},
		}
	}
	file, _ := a.Config()
	if _, line, ok := file.SettingAt(key); ok {
		return nil, managedByFile("the setting", line)
	}
	value := setting.Default
	if in.Body.Value != nil {
		value = *in.Body.Value
	}
	if widening(key, value) {
		if err := a.mayWiden(ctx); err != nil {
			return nil, err
		}
	}
	if in.Body.Value != nil {
		if err := setting.Check(value); err != nil {
			return nil, err
		}
		if err := a.CheckSetting(key, value); err != nil {
			return nil, err
		}
	}
	// No setting is a secret: see package config.
	line := audit.Entry{Kind: audit.KindSettings, Name: key, Detail: value, Outcome: audit.DidChange}
	if widening(key, value) {
		err = a.before(ctx, line)
	} else {
		a.note(ctx, line)
	}
	if err != nil {
		return nil, err
	}
	if in.Body.Value == nil {
		err = a.Settings.UnsetSetting(key)
	} else {
		err = a.Settings.SetSetting(key, value)
	}
	if err != nil {
		return nil, err
	}
	a.Hub.Publish(domain.Event{Topic: domain.TopicSettings, ID: key})
	return a.listSettings(ctx, nil)
}

// widening names the settings that decide what may run, who may decide it, which server is believed to be itself, what is
// remembered of it all, who reads what servers ask of a model and how often, which files agents reach, or what the local network
// sees. To show the network nothing, or to open no folder any more, only narrows.
func widening(key, value string) bool {
	if key == config.AnnounceKey || key == "modules.folders" {
		return value != ""
	}
	table, _, _ := strings.Cut(key, ".")
	return slices.Contains([]string{"approvals", "audit", "model", "modules", "policy", "sampling", "tls"}, table)
}

func managedByFile(what string, line int) error {
	return &domain.Error{
		Code: domain.CodeManagedByFile, Message: what + " comes from config.toml",
		Hint: "Edit line " + strconv.Itoa(line) + " of config.toml.",
		Args: map[string]string{"file": "config.toml", "line": strconv.Itoa(line)},
	}
}
