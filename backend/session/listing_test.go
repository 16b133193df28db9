package session

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

// listed gives the tools of a server whose answers to tools/list are pages, one after the other.
func listed(t *testing.T, pages ...string) ([]domain.Tool, []*domain.Error) {
	t.Helper()
	fake := mcptest.NewHTTP(mcptest.Options{Revision: Stateless})
	d := mcptest.Serve(t, domain.StreamableHTTP, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") != "tools/list" {
			fake.ServeHTTP(w, r)
			return
		}
		var asked struct{ ID json.RawMessage }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, asked.ID, pages[0])
		pages = pages[1:]
	}))
	var o Offer
	warnings, err := open(t, d, Options{}).List(mcptest.Within(t), Sections()[0], &o)
	if err != nil {
		t.Fatal(err)
	}
	return o.Tools, warnings
}

func tools(first, n int) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprintf(`{"name":"tool_%d"}`, first+i))
	}
	return strings.Join(list, ",")
}

func TestAListIsBoundedOnItsLastPageToo(t *testing.T) {
	for name, test := range map[string]struct {
		pages  []string
		tools  int
		reason string
	}{
		"as many as there may be":    {[]string{`{"tools":[` + tools(0, maxItems) + `]}`}, maxItems, ""},
		"one more":                   {[]string{`{"tools":[` + tools(0, maxItems+1) + `]}`}, maxItems, "too_many"},
		"more, on the second page":   {[]string{`{"tools":[` + tools(0, 2) + `],"nextCursor":"b"}`, `{"tools":[` + tools(2, maxItems) + `]}`}, maxItems, "too_many"},
		"enough, and there are more": {[]string{`{"tools":[` + tools(0, maxItems) + `],"nextCursor":"b"}`}, maxItems, "too_many"},
	} {
		found, warnings := listed(t, test.pages...)
		reason := ""
		if len(warnings) == 1 {
			reason = warnings[0].Args["reason"]
		}
		if len(found) != test.tools || reason != test.reason || len(warnings) > 1 {
			t.Errorf("%s: %d tools, %v", name, len(found), warnings)
		}
	}
}

// A server cannot fill the memory with page after page of long definitions.
func TestAListIsBoundedInBytes(t *testing.T) {
	long := strings.Repeat("x", 8<<20)
	var pages []string
	for i := range 6 {
		pages = append(pages, fmt.Sprintf(`{"tools":[{"name":"tool_%d","description":%q}],"nextCursor":"%d"}`, i, long, i))
	}
	found, warnings := listed(t, append(pages, `{"tools":[]}`)...)
	if len(found) != 3 || len(warnings) != 1 || warnings[0].Args["reason"] != "too_many" {
		t.Errorf("%d tools, %v", len(found), warnings)
	}
}

func TestACursorThatIsNoneIsToldOf(t *testing.T) {
	for cursor, told := range map[string]bool{`5`: true, `{"page":2}`: true, `["b"]`: true, `true`: true, `null`: false, `""`: false} {
		found, warnings := listed(t, `{"tools":[`+tools(0, 3)+`],"nextCursor":`+cursor+`}`)
		if len(found) != 3 || (len(warnings) == 1) != told {
			t.Errorf("%s: %d tools, %v", cursor, len(found), warnings)
		}
		if told && len(warnings) == 1 && (warnings[0].Code != domain.CodeProtocol || !strings.Contains(warnings[0].Proof, cursor)) {
			t.Errorf("%s: told %+v", cursor, warnings[0])
		}
	}
}
