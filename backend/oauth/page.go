package oauth

import (
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// words of the page that ends a sign-in. DoneAt has a place for the server.
type words struct{ Lang, Done, DoneMore, DoneAt, Failed, Over, Close string }

func wordsFor(language string) words {
	if language == "fr" {
		return words{
			Lang: "fr", Done: "Connexion réussie",
			DoneMore: "Apollia Connexions est connecté.", DoneAt: "Apollia Connexions est connecté à %s.",
			Failed: "La connexion n’a pas abouti", Over: "Rien à terminer ici", Close: "Vous pouvez fermer cet onglet.",
		}
	}
	return words{
		Lang: "en", Done: "Signed in", DoneMore: "Apollia Connexions is connected.", DoneAt: "Apollia Connexions is connected to %s.",
		Failed: "The sign-in did not work", Over: "Nothing to finish here", Close: "You can close this tab.",
	}
}

// inFrench says what went wrong, and what to do, to whoever reads French. The words of the server stay as they are.
func inFrench(e *domain.Error) (text, hint string) {
	switch e.Code {
	case domain.CodeSignInDenied:
		words := refusal{Code: e.Args["oauth_error"], Description: strings.TrimRight(e.Args["description"], ".")}.text()
		return e.Args["issuer"] + " a refusé la connexion\u00a0: «\u00a0" + words + "\u00a0».", "Reconnectez-vous quand vous voudrez."
	case domain.CodeUnknownItem, domain.CodeSignInEnded:
		return "Cette connexion est inconnue ou terminée.", "Recommencez-la dans Apollia Connexions."
	case domain.CodeSignInUnreachable, domain.CodeDNSFailed:
		return "Le serveur de connexion ne répond pas.", "Vérifiez le réseau, puis recommencez."
	case domain.CodeClientIDNeeded:
		return "Le serveur " + e.Args["issuer"] + " demande un identifiant client.", "Retournez dans Apollia Connexions pour le saisir."
	case domain.CodeSignInRefused:
		return "Le serveur " + e.Args["address"] + " ne suit pas les règles de la connexion.", "La raison est dans Apollia Connexions."
	}
	return "La connexion n’a pas pu se terminer.", "La raison est dans Apollia Connexions."
}

// languageOf is the language of whoever began the sign-in, else that of the browser.
func languageOf(r *http.Request, said string) string {
	if said == "" && strings.HasPrefix(strings.ToLower(r.Header.Get("Accept-Language")), "fr") {
		return "fr"
	}
	return said
}

// parsePage reads the template; it is ours, so that it cannot fail.
func parsePage() *template.Template {
	return template.Must(template.New("page").Parse(`<!doctype html>
<html lang="{{.Lang}}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} · Apollia Connexions</title>
<style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 15px/1.5 "IBM Plex Sans", system-ui, sans-serif }
body { background: light-dark(#f4f7f7, #0e171b); color: light-dark(#0f2329, #e7eff1) }
main { box-sizing: border-box; width: min(30rem, 100vw - 2rem); margin: 1rem; padding: 2rem; border-radius: 14px; text-align: center }
main { background: light-dark(#ffffff, #142025); border: 1px solid light-dark(#d0dadc, #2c3e45) }
h1 { font-size: 20px; line-height: 1.3; font-weight: 600; margin: 1rem 0 .5rem }
p { margin: .25rem 0 0; overflow-wrap: anywhere }
.more { color: light-dark(#43565c, #afbfc4) }
svg { display: block; margin: 0 auto }
</style>
<main>
<svg width="40" height="40" viewBox="0 0 64 64" aria-hidden="true">
<rect x="2" y="2" width="60" height="60" rx="15" fill="#0B4A5A"/>
<path d="M16 49.5V31a16 16 0 0 1 32 0v18.5M16 37.5h8M40 37.5h8" fill="none" stroke="#F2F7F7" stroke-width="6"/>
<circle cx="32" cy="37.5" r="5.6" fill="#F0B443"/>
</svg>
<h1>{{.Title}}</h1>
<p>{{.Text}}</p>
{{with .Hint}}<p class="more">{{.}}</p>{{end}}
<p class="more">{{.Close}}</p>
</main>
</html>
`))
}

// writePage tells a person how the sign-in ended. The words of strangers are shown as text.
func writePage(w io.Writer, r *http.Request, done Finished) error {
	said := wordsFor(languageOf(r, done.Language))
	page := struct{ Lang, Title, Text, Hint, Close string }{said.Lang, said.Done, said.DoneMore, "", said.Close}
	if done.Target.Server != "" {
		page.Text = fmt.Sprintf(said.DoneAt, done.Target.Server)
	}
	if done.Err != nil {
		e := domain.AsError(done.Err)
		page.Title, page.Text, page.Hint = said.Failed, e.Message, e.Hint
		if said.Lang == "fr" {
			page.Text, page.Hint = inFrench(e)
		}
		if e.Code == domain.CodeUnknownItem {
			page.Title = said.Over // as after one that worked
		}
	}
	return parsePage().Execute(w, page)
}
