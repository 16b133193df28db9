package core_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/api"
	"apollia.fr/connexions/backend/core"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// tested runs a live test to its end and gives the answer as it was sent.
func tested(t *testing.T, c *core.Core, request api.TestRequest) answer {
	t.Helper()
	report := decode[domain.TestReport](t, ask(t, window(c), http.MethodPost, "/api/tests", request))
	return ask(t, window(c), http.MethodGet, "/api/tests/"+report.ID+"?wait_ms=60000", nil)
}

// mirror is a web page that shows the request that asked for it.
func mirror(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = fmt.Fprintf(w, "<html>%v %v</html>", r.URL, r.Header)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

func TestProofsLeaveOutWhatLooksLikeASecret(t *testing.T) {
	const secret = "ghp_0123456789abcdef"
	c := open(t, options(t, core.Serve))
	page := mirror(t)
	dying := mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Die}, Text: "bad token " + secret})
	dying.Args = []string{"--token", secret}
	for name, d := range map[string]domain.Definition{
		"argument": dying,
		"header":   {Transport: domain.StreamableHTTP, URL: page, Headers: []domain.Variable{{Name: "X-Access-Key", Value: secret}}},
		"path":     {Transport: domain.StreamableHTTP, URL: page + "/" + secret + "/mcp"},
	} {
		d.Name = name
		a := tested(t, c, api.TestRequest{Definition: &d})
		if report := decode[domain.TestReport](t, a); report.OK || report.Error == nil || report.Error.Proof == "" {
			t.Errorf("%s: the test gives no proof: %s", name, a.body)
		}
		if bytes.Contains(a.body, []byte(secret)) {
			t.Errorf("%s: the report shows the secret: %s", name, a.body)
		}
	}
}

func TestAProcessThatInheritsOurEnvironmentShowsNoSecretOfIt(t *testing.T) {
	const secret = "0123456789abcdef0123"
	o := options(t, core.Serve)
	o.Environ = append(o.Environ, "GITHUB_TOKEN="+secret, "PWD=/tmp/"+secret[:4])
	c := open(t, o)
	d := domain.Definition{
		Name: "sh", Transport: domain.Stdio, Command: "/bin/sh", InheritEnv: true,
		Args: []string{"-c", `echo "at $PWD with $GITHUB_TOKEN" >&2; exit 1`},
	}
	a := tested(t, c, api.TestRequest{Definition: &d})
	report := decode[domain.TestReport](t, a)
	if report.Error == nil || !strings.HasSuffix(report.Error.Proof, " with [secret]") || !strings.HasPrefix(report.Error.Proof, "at /") {
		t.Errorf("the proof is %+v", report.Error)
	}
	if bytes.Contains(a.body, []byte(secret)) {
		t.Errorf("the report shows the secret: %s", a.body)
	}
}

// The secret of our environment is filled into an address and a header whose names say nothing.
func TestWhatAServerRepeatsIsNeitherShownNorKept(t *testing.T) {
	const secret = "ghp_0123456789abcdef"
	o := options(t, core.Serve)
	o.Environ = append(o.Environ, "UPSTREAM_TOKEN="+secret)
	c := open(t, o)
	d := mcptest.Serve(t, domain.StreamableHTTP, mcptest.NewHTTP(mcptest.Options{Name: "fake", Echo: "X-Plain"}))
	d.URL += "/${UPSTREAM_TOKEN}"
	d.Headers = []domain.Variable{{Name: "X-Plain", Value: "${UPSTREAM_TOKEN}"}}
	d.DefaultVerdict = domain.Allow
	var shown []answer
	get := func(path string) { shown = append(shown, ask(t, window(c), http.MethodGet, path, nil)) }
	shown = append(shown, tested(t, c, api.TestRequest{Definition: &d}),
		ask(t, window(c), http.MethodPost, "/api/servers", api.NewServer{Definition: d, SkipTest: true}),
		ask(t, window(c), http.MethodPost, "/api/servers/fake/health", nil))
	call := decode[api.CallView](t, ask(t, window(c), http.MethodPost, "/api/calls", api.CallRequest{
		Server: "fake", Kind: domain.ResourceRead, Name: "test://none",
	}))
	get("/api/calls/" + call.ID + "?wait_ms=60000")
	for _, path := range []string{
		"servers", "servers/fake", "servers/fake/tools", "servers/fake/resources", "servers/fake/prompts", "servers/fake/logs",
		"servers/fake/traffic", "activity", "status",
	} {
		get("/api/" + path)
	}
	all := string(bytes.Join(bodies(shown), []byte("\n")))
	if strings.Contains(all, secret) || strings.Count(all, "[secret]") < 20 || !strings.Contains(all, "not found [secret]") {
		t.Errorf("the API says %s", all)
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
	err := filepath.WalkDir(o.Home, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(secret)) {
			t.Errorf("%s holds the secret", path)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

func bodies(answers []answer) (all [][]byte) {
	for _, a := range answers {
		all = append(all, a.body)
	}
	return all
}

func TestSecretsInConfigAreNotShown(t *testing.T) {
	const secret = "ghp_0123456789abcdef"
	o := options(t, core.Serve)
	write(t, filepath.Join(o.Home, "config.toml"), `
[[mcp_servers]]
name = "remote"
url = "`+mirror(t)+`/?token=`+secret+`"
headers = { Authorization = "Bearer `+secret+`", X-Plain = "seen" }
enabled = false
[[mcp_servers]]
name = "local"
command = "true"
args = ["--api-key", "`+secret+`"]
enabled = false
`)
	c := open(t, o)
	for _, a := range []answer{
		ask(t, window(c), http.MethodGet, "/api/servers", nil),
		ask(t, window(c), http.MethodGet, "/api/servers/remote", nil),
		tested(t, c, api.TestRequest{ServerID: "remote"}),
	} {
		if bytes.Contains(a.body, []byte(secret)) {
			t.Errorf("the secret is shown: %s", a.body)
		}
	}
	if a := ask(t, window(c), http.MethodGet, "/api/servers/remote", nil); !bytes.Contains(a.body, []byte(`"value":"seen"`)) {
		t.Errorf("what is no secret is hidden: %s", a.body)
	}
}
