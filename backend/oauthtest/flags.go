package oauthtest

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Flags adds the options that programs use most to a set of command line flags; the result is complete once the set has
// been parsed.
func Flags(set *flag.FlagSet) *Options {
	o := &Options{}
	set.BoolVar(&o.Auto, "auto", false, "redirect at once instead of asking the person")
	set.BoolVar(&o.Deny, "deny", false, "redirect with access_denied")
	set.BoolVar(&o.Rotate, "rotate", false, "give a new refresh token with every refresh")
	set.BoolVar(&o.RefreshLess, "refreshless", false, "give no refresh tokens")
	set.BoolVar(&o.NoExpiry, "no-expiry", false, "do not say when tokens end")
	set.DurationVar(&o.Lifetime, "lifetime", 0, "how long access tokens live; 0: an hour")
	set.DurationVar(&o.TokenDelay, "token-delay", 0, "how long the token endpoint waits before it changes anything")
	set.BoolVar(&o.ExactRedirect, "exact-redirect", false, "compare redirect URIs byte for byte")
	set.BoolVar(&o.NoRegistration, "no-registration", false, "have no dynamic registration")
	set.BoolVar(&o.RefuseTokens, "refuse-tokens", false, "answer 401 whatever the token")
	set.BoolVar(&o.WrongISS, "wrong-iss", false, "name another issuer in redirects")
	set.BoolVar(&o.DPoPNonce, "dpop-nonce", false, "want a nonce in every proof")
	set.StringVar(&o.IssuerPath, "issuer-path", "", "path of the issuer, like /tenant1")
	o.scopeFlags(set)
	o.documentFlags(set)
	set.Func("dpop", "allowed or required: bind tokens to a key", func(mode string) error {
		o.DPoP = DPoPMode(mode)
		return among(mode, string(DPoPAllowed), string(DPoPRequired))
	})
	set.Func("place", "odd, path, root or none: where the metadata of the resource is", func(place string) error {
		o.ResourceMetadata = Place(place)
		return among(place, string(PlaceOdd), string(PlacePath), string(PlaceRoot), string(PlaceNone))
	})
	set.Func("style", "github, slack or notion: how the token endpoint speaks", func(style string) error {
		o.GitHubStyle, o.SlackStyle, o.NotionStyle = style == "github", style == "slack", style == "notion"
		return among(style, "github", "slack", "notion")
	})
	return o
}

func (o *Options) scopeFlags(set *flag.FlagSet) {
	set.BoolVar(&o.NeverEnough, "never-enough", false, "answer insufficient_scope whatever the token may")
	set.Func("scopes", "space-separated scopes that are announced", func(list string) error {
		o.ScopesSupported = strings.Fields(list)
		return nil
	})
	set.Func("required-scopes", "space-separated scopes that every request needs", func(list string) error {
		o.RequiredScopes = strings.Fields(list)
		return nil
	})
	set.Func("tool-scope", "NAME=SCOPE: calls of that tool need that scope; may be repeated", func(pair string) error {
		tool, scope, ok := strings.Cut(pair, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=SCOPE", pair)
		}
		if o.ToolScopes == nil {
			o.ToolScopes = make(map[string]string)
		}
		o.ToolScopes[tool] = scope
		return nil
	})
}

func (o *Options) documentFlags(set *flag.FlagSet) {
	set.BoolVar(&o.CIMD, "cimd", false, "accept the URL of a document as a client id")
	set.BoolVar(&o.RefuseCIMD, "refuse-cimd", false, "announce that, and redirect with invalid_client")
	set.BoolVar(&o.LoosePort, "loose-port", false, "let loopback ports differ from those in the document")
	set.Func("client-document", "file that is read in place of every such URL", func(file string) error {
		o.Fetch = func(context.Context, string) ([]byte, error) { return os.ReadFile(file) }
		return nil
	})
}

func among(value string, allowed ...string) error {
	if !slices.Contains(allowed, value) {
		return fmt.Errorf("%q is none of %s", value, strings.Join(allowed, ", "))
	}
	return nil
}
