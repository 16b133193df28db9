package main

import (
	"runtime"
	"strings"
)

// words are the sentences of the native dialogs, which the page cannot show.
type words struct {
	quitTitle, quitQuestion, serversStop, more, oneCall, calls string
	yes, no                                                    string
	about, notSaved                                            string
}

func wordsIn(language string) words {
	if language == "fr" {
		return words{
			quitTitle: "Quitter Apollia Connexions ?", quitQuestion: "Quitter arrête :",
			serversStop: "serveurs : %s", more: "%s et %d autres", oneCall: "1 appel en cours", calls: "%d appels en cours",
			yes: "Quitter", no: "Rester",
			about:    "Apollia Connexions %s\n\nRelie des serveurs MCP à vos agents, et vous laisse décider.\nLicence Apache-2.0. Aucune télémétrie.",
			notSaved: "%s n’a pas été enregistré : %v",
		}
	}
	return words{
		quitTitle: "Quit Apollia Connexions?", quitQuestion: "Quitting stops:",
		serversStop: "servers: %s", more: "%s and %d more", oneCall: "1 running call", calls: "%d running calls",
		yes: "Quit", no: "Stay",
		about:    "Apollia Connexions %s\n\nConnects MCP servers to your agents, and lets you decide.\nApache-2.0 licence. No telemetry.",
		notSaved: "%s was not saved: %v",
	}
}

// dialogText writes a message so that it is shown as it is: on Linux, Wails passes it to printf.
func dialogText(s string) string {
	if runtime.GOOS != "linux" {
		return s
	}
	return strings.ReplaceAll(s, "%", "%%")
}
