package cli

import (
	"context"
	"encoding/json"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// pageText is what a person needs to judge a page that a server wants opened.
func pageText(r domain.Request, server servers.View) string {
	name := oneLine(nameOf(r, server))
	head := "Request " + r.ID + ": " + name + " wants a page opened" + inCall(r)
	a := r.Address
	if a == nil {
		return head
	}
	var q question
	_ = json.Unmarshal(r.Params, &q) // without a message the page still says everything
	lines := []string{head}
	if q.Message != "" {
		lines = append(lines, "  it says", indent(printable(q.Message), "    "))
	}
	lines = append(lines, "  leads to    "+oneLine(a.Host))
	if a.Shown != "" {
		lines = append(lines, "  shown as    "+oneLine(a.Shown))
	}
	for _, sign := range a.Signs {
		lines = append(lines, "  look        "+oneLine(signText(sign, name)))
	}
	lines = append(lines, "  address     "+oneLine(a.URL))
	if a.Opened {
		lines = append(lines, "  It was opened for this call. The call goes on once you are done there.")
	}
	return strings.Join(lines, "\n")
}

// signText says what may deceive about an address.
func signText(f domain.AddressFinding, server string) string {
	switch f.Sign {
	case domain.LookAlikeLetter:
		return "the letter " + f.Args["code"] + " looks like \"" + f.Args["latin"] + "\" and is not (" + f.Args["script"] + ")"
	case domain.OtherLetter:
		return "the letter \"" + f.Args["letter"] + "\" is " + f.Args["code"] + " (" + f.Args["script"] + ")"
	case domain.UserBeforeHost:
		return "\"" + f.Args["user"] + "\" stands before the @: it is a user name, not the site, and is taken out"
	case domain.OtherSite:
		return server + " answers from " + f.Args["site"] + ", another site"
	case domain.NumberForName:
		return "the site is a number, not a name"
	case domain.OwnNetwork:
		return "it is on this computer or its network"
	case domain.NotEncrypted:
		return "it is not encrypted: others on the way can read what you type there"
	case domain.UnusualPort:
		return "port " + f.Args["port"] + " is not the usual one"
	default:
		return string(f.Sign)
	}
}

// wasOpened reports whether a page was opened for the same call before.
func wasOpened(r domain.Request) bool { return r.Address != nil && r.Address.Opened }

// openPage opens what a person agreed to open, or prints where it is.
func (in *invocation) openPage(ctx context.Context, r domain.Request, noBrowser bool) {
	if r.Address == nil {
		return
	}
	if in.openLink(ctx, "page-"+r.ID, r.Address.URL, noBrowser) {
		in.say("Your browser shows the page. If none opens, go to:\n  %s", oneLine(r.Address.URL))
		return
	}
	in.say("Open this address in a browser:\n  %s", oneLine(r.Address.URL))
}
