package cli

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"apollia.fr/connexions/backend/domain"
)

// onPaper is a printer without a terminal, with what it wrote.
func onPaper() (p *printer, out, err *bytes.Buffer) {
	out, err = &bytes.Buffer{}, &bytes.Buffer{}
	return newPrinter(Program{Stdout: out, Stderr: err, Getenv: func(string) string { return "" }}), out, err
}

func TestPrintableTakesThePowerFromText(t *testing.T) {
	tests := map[string]string{
		"plain text, été":           "plain text, été",
		"two\nlines\tand a tab":     "two\nlines\tand a tab",
		"\x1b[2Jcleared":            "\uFFFD[2Jcleared",
		"\x1b]0;title\x07":          "\uFFFD]0;title\uFFFD",
		"over\rwritten":             "overwritten",
		"C1 \u009b31m":              "C1 \uFFFD31m",
		"\u202Eexe.txt\u2066":       "\uFFFDexe.txt\uFFFD",
		"back\x08\x08space":         "back\uFFFD\uFFFDspace",
		"a family \U0001F468\u200D": "a family \U0001F468\u200D",
	}
	for text, want := range tests {
		if got := printable(text); got != want {
			t.Errorf("printable(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestTableAlignsByCharacters(t *testing.T) {
	p, out, _ := onPaper()
	p.table([]string{"NAME", "STATE", "REASON"}, [][]string{
		{"été", "ready", ""},
		{"a long name", "off", "two\nlines \x1b[31m"},
	})
	want := "" +
		"NAME         STATE  REASON\n" +
		"été          ready\n" +
		"a long name  off    two lines \uFFFD[31m\n"
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestTableIsCutAtTheEdgeOfATerminal(t *testing.T) {
	p, out, _ := onPaper()
	p.width = 30
	p.table([]string{"TOOL", "DESCRIPTION"}, [][]string{{"echo", strings.Repeat("long ", 20)}})
	for line := range strings.Lines(out.String()) {
		if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 30 {
			t.Errorf("%d columns on a terminal of 30: %q", n, line)
		}
	}
	if !strings.Contains(out.String(), "…") {
		t.Errorf("nothing shows that text was cut: %q", out.String())
	}
}

func TestColoursOnlyWhereAPersonLooks(t *testing.T) {
	p, out, _ := onPaper()
	p.table([]string{"STATE"}, [][]string{{"ready"}})
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("colour without a terminal: %q", out.String())
	}
	out.Reset()
	p.colour = true
	p.table([]string{"STATE"}, [][]string{{"ready"}})
	if !strings.Contains(out.String(), green+"ready"+reset) {
		t.Errorf("no colour on a terminal: %q", out.String())
	}
}

func TestFailTellsSentenceHintAndProof(t *testing.T) {
	failure := &domain.Error{
		Code: domain.CodeServerExited, Message: "the server ended", Hint: "Read what it wrote.",
		Proof: "line 1\nline \x1b[2J2", Args: map[string]string{"request_id": "17"},
	}
	p, out, err := onPaper()
	p.fail(failure)
	want := "error: the server ended\nhint: Read what it wrote.\nrequest: 17, see apollia inbox show 17\n  line 1\n  line \uFFFD[2J2\n"
	if diff := cmp.Diff(want, err.String()); diff != "" || out.Len() > 0 {
		t.Errorf("stdout %q, stderr:\n%s", out, diff)
	}
}

func TestFailUnderJSONIsTheOnlyDocument(t *testing.T) {
	p, out, err := onPaper()
	p.json = true
	p.fail(&domain.Error{Code: domain.CodeDenied, Message: "no <b>", Hint: "Ask."})
	want := `{"error":{"code":"denied","message":"no <b>","hint":"Ask."}}` + "\n"
	if diff := cmp.Diff(want, out.String()); diff != "" || err.Len() > 0 {
		t.Errorf("stderr %q, stdout:\n%s", err, diff)
	}

	p, out, err = onPaper()
	p.json = true
	if shown := p.show(map[string]bool{"ok": true}, func() {}); shown != nil {
		t.Fatal(shown)
	}
	p.fail(&domain.Error{Code: domain.CodeInternal, Message: "closing failed"})
	if strings.Count(out.String(), "\n") != 1 || !strings.Contains(err.String(), "closing failed") {
		t.Errorf("stdout %q, stderr %q: want one document and a message", out, err)
	}
}

func TestRequestThatIsNotThereIsNotPointedAt(t *testing.T) {
	p, _, err := onPaper()
	p.fail(&domain.Error{
		Code: domain.CodeUnknownRequest, Message: "there is no request 99", Args: map[string]string{"request_id": "99"},
	})
	if got := err.String(); got != "error: there is no request 99\n" {
		t.Errorf("said %q", got)
	}
}
