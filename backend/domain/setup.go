package domain

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Setup is what a person confirms before a server of config.toml is started: what runs or is reached, and the names of
// what it is given. It holds no value of a variable.
type Setup struct {
	Transport  Transport `json:"transport"`
	Command    string    `json:"command,omitempty"`
	Args       []string  `json:"args,omitempty"`
	Cwd        string    `json:"cwd,omitempty"`
	URL        string    `json:"url,omitempty"`
	Env        []string  `json:"env,omitempty"`
	InheritEnv bool      `json:"inherit_env,omitempty"`
	Headers    []string  `json:"headers,omitempty"`
	// SignIn is how it is signed in to, each part as "name=value", secrets by their names alone; empty without.
	SignIn []string `json:"sign_in,omitempty"`
}

// Setup is the part of the definition that is confirmed. Its names are in order.
func (d Definition) Setup() Setup {
	return Setup{
		Transport: d.Transport, Command: d.Command, Args: d.Args, Cwd: d.Cwd, URL: d.URL,
		Env: names(d.Env), InheritEnv: d.InheritEnv, Headers: names(d.Headers), SignIn: d.Auth.parts(),
	}
}

// SetupDigest identifies the Setup of the definition.
func (d Definition) SetupDigest() string {
	s := d.Setup()
	return digest(d.StartDigest(), digest(s.Env...), digest(s.Headers...), strconv.FormatBool(s.InheritEnv), digest(s.SignIn...))
}

// parts are what is confirmed of a sign-in: where it goes, as whom, and which variable takes its token.
func (a *Auth) parts() []string {
	if a == nil {
		return nil
	}
	all := []string{
		"provider=" + a.Provider, "grant=" + string(a.Grant), "env_token_var=" + a.EnvTokenVar,
	}
	for name, text := range a.Texts() {
		all = append(all, name+"="+*text)
	}
	for _, name := range names(a.Secrets) {
		all = append(all, "secret="+name)
	}
	all = slices.DeleteFunc(all, func(part string) bool { return strings.HasSuffix(part, "=") })
	slices.Sort(all)
	return all
}

func names(variables []Variable) []string {
	var all []string
	for _, v := range variables {
		all = append(all, v.Name)
	}
	slices.Sort(all)
	return all
}

// ConfirmedSetup is the last setup of a server of config.toml that a person confirmed.
type ConfirmedSetup struct {
	Server string `json:"server"`
	// Digest is that of the definition as it stands in the file; Setup is what can be shown of it. Both are empty where no
	// setup was confirmed yet.
	Digest string    `json:"digest,omitempty"`
	Setup  *Setup    `json:"setup,omitempty"`
	At     time.Time `json:"at"`
	// Refused is the digest of a setup that a person refused, which is not asked for again by itself.
	Refused string `json:"refused,omitempty"`
}

// SetupChange is what a person is asked about a server of config.toml: Before is nil for a new one. It is the params of a
// DefinitionRequest without a tool.
type SetupChange struct {
	Before *Setup `json:"before,omitempty"`
	After  Setup  `json:"after"`
}
