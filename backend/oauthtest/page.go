package oauthtest

import (
	"html/template"
	"net/http"
)

const askPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Allow access?</title></head>
<body><main>
<h1>Allow access?</h1>
<p><strong>{{.Client}}</strong> wants to act for you at <strong>{{.Resource}}</strong>.</p>
{{with .Scopes}}<p>It asks for:</p><ul>{{range .}}<li>{{.}}</li>{{end}}</ul>{{end}}
<form method="post">
<input type="hidden" name="request" value="{{.Key}}">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
</main></body>
</html>
`

const refusalPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>This request cannot go on</title></head>
<body><main><h1>This request cannot go on</h1><p>{{.}}</p></main></body>
</html>
`

// ask shows what the person is asked. The form goes back to the address of the page.
func (q *request) ask(a asked, key string) {
	q.show(http.StatusOK, askPage, object{
		"Client": a.client.title(), "Resource": a.params.Get("resource"), "Scopes": a.scopes, "Key": key,
	})
}

// refusePage tells the person, since the client cannot be told (RFC 6749 section 4.1.2.1).
func (q *request) refusePage(why string) { q.show(http.StatusBadRequest, refusalPage, why) }

func (q *request) show(status int, page string, data any) {
	q.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	q.w.Header().Set("Cache-Control", "no-store")
	q.w.WriteHeader(status)
	_ = template.Must(template.New("page").Parse(page)).Execute(q.w, data) // the browser may be gone
}
