package oauth

import (
	"html/template"
	"io"
	"net/http"
	"strings"

	"apollia.fr/connexions/backend/domain"
)

// words of the page that ends a sign-in.
type words struct{ Lang, Done, DoneMore, Failed, Close string }

func wordsFor(language string) words {
	if language == "fr" {
		return words{
			Lang: "fr", Done: "Connexion réussie", DoneMore: "Apollia Connexions est connecté.", Failed: "La connexion n’a pas abouti",
			Close: "Vous pouvez fermer cet onglet.",
		}
	}
	return words{
		Lang: "en", Done: "Signed in", DoneMore: "Apollia Connexions is connected.", Failed: "The sign-in did not work", Close: "You can close this tab.",
	}
}

// inFrench says what went wrong, and what to do, to whoever reads French. The words of the server stay as they are.
func inFrench(e *domain.Error) (text, hint string) {
	switch e.Code {
	case domain.CodeSignInDenied:
		words := refusal{Code: e.Args["oauth_error"], Description: e.Args["description"]}.text()
		return "La connexion a été refusée par " + e.Args["issuer"] + " : " + words + ".", "Recommencez la connexion quand vous le souhaitez."
	case domain.CodeUnknownItem, domain.CodeSignInEnded:
		return "Cette connexion est inconnue ou terminée.", "Recommencez-la dans Apollia Connexions."
	case domain.CodeSignInUnreachable, domain.CodeDNSFailed:
		return "Le serveur de connexion ne répond pas.", "Vérifiez le réseau, puis recommencez."
	case domain.CodeClientIDNeeded:
		return "Le serveur " + e.Args["issuer"] + " demande un identifiant client.", "Retournez dans Apollia Connexions pour le saisir."
	case domain.CodeSignInRefused:
		return "Le serveur " + e.Args["address"] + " ne suit pas les règles de la connexion.", "Les détails sont dans Apollia Connexions."
	}
	return "Une erreur est survenue.", "Les détails sont dans Apollia Connexions."
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
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 16px/1.5 system-ui, sans-serif }
body { background: light-dark(#f7f5f2, #191817); color: light-dark(#23211e, #ecebe8) }
main { max-width: 34rem; margin: 2rem; text-align: center }
h1 { font-size: 1.5rem; margin: 0 0 .5rem }
p { margin: .25rem 0; overflow-wrap: anywhere }
.more { color: light-dark(#5d5953, #b4b0a9) }
</style>
<main>
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
	if done.Err != nil {
		e := domain.AsError(done.Err)
		page.Title, page.Text, page.Hint = said.Failed, e.Message, e.Hint
		if said.Lang == "fr" {
			page.Text, page.Hint = inFrench(e)
		}
	}
	return parsePage().Execute(w, page)
}
