package naming

import (
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestServerID(t *testing.T) {
	tests := []struct{ name, want string }{
		{"acme-internal", "acme_internal"},
		{"GitHub", "github"},
		{"Câbler l'Été", "cabler_l_ete"},
		{"Cafe\u0301 Noir", "cafe_noir"},
		{"Œuvre & Straße", "oeuvre_strasse"},
		{"Łódź İzmir", "lodz_izmir"},
		{"  __a--b__  ", "a_b"},
		{"a_b", "a_b"},
		{"v1.2.3", "v1_2_3"},
		{"日本 tools", "tools"},
		{"👩\u200d💻 tools", "tools"},
		{"日" + strings.Repeat(" ", MaxName-2) + "x", "x"},
		{strings.Repeat("x", 32), strings.Repeat("x", 32)},
		{strings.Repeat("x", 32) + "!!", strings.Repeat("x", 32)},
	}
	for _, test := range tests {
		got, err := ServerID(test.name)
		if err != nil || got != test.want {
			t.Errorf("ServerID(%q) = %q, %v; want %q", test.name, got, err, test.want)
		}
		if !ValidID(got) {
			t.Errorf("ServerID(%q) = %q, which ValidID refuses", test.name, got)
		}
	}
}

func TestServerIDRefuses(t *testing.T) {
	for _, name := range []string{"", " ", "___", "日本語", "\u0301", strings.Repeat("x", 33), strings.Repeat("é", 20) + strings.Repeat("æ", 7)} {
		id, err := ServerID(name)
		if domain.CodeOf(err) != domain.CodeInvalidName {
			t.Errorf("ServerID(%q) = %q, %v; want %s", name, id, err, domain.CodeInvalidName)
			continue
		}
		if e := domain.AsError(err); e.Args["name"] != name || e.Hint == "" {
			t.Errorf("ServerID(%q): error lacks the name or a hint: %+v", name, e)
		}
	}
}

func TestANameThatIsTooLongSaysSo(t *testing.T) {
	_, err := ServerID(strings.Repeat("x", MaxID+1))
	if e := domain.AsError(err); e.Args["reason"] != "too_long" || e.Args["max"] != "32" {
		t.Errorf("%+v", e)
	}
}

func TestServerIDRefusesNamesThatMislead(t *testing.T) {
	for _, name := range []string{
		"a\nb", "a\x00b", "a\x1b[31mb", "\u202egpj.exe", "a\u2066b", "a\u2028b",
		"a\u200bb", "a\u200d", "\ufeffa", "a\u00adb", "a\u2060b", "a\ufe0f", "a\u3164b", "a\U000e0041", "a\xffb", "a\ufffdb", "x" + strings.Repeat(" ", MaxName),
	} {
		if id, err := ServerID(name); domain.CodeOf(err) != domain.CodeInvalidName {
			t.Errorf("ServerID(%q) = %q, %v; want %s", name, id, err, domain.CodeInvalidName)
		}
	}
	if id, err := ServerID("my \u2601\ufe0f \U0001F468\u200d\U0001F469\u200d\U0001F467"); id != "my" || err != nil {
		t.Errorf("an emoji is refused: %q, %v", id, err)
	}
	if _, err := ServerID(strings.Repeat("x", 1<<20)); err == nil || len(err.Error()) > 1000 {
		t.Errorf("the error about a long name is as long as the name")
	}
}

func TestFoldKnowsLatin(t *testing.T) {
	for r := 'à'; r <= 'ž'; r++ {
		if fold(r) != "" || r == '÷' {
			continue
		}
		if strings.ToLower(string(r)) == string(r) {
			t.Errorf("no ASCII reading for %q", r)
		}
	}
}

func TestValidID(t *testing.T) {
	for _, id := range []string{"a", "0", "a_b", "a_b_c", "acme_internal", strings.Repeat("x", 32)} {
		if !ValidID(id) {
			t.Errorf("ValidID(%q) = false", id)
		}
	}
	for _, id := range []string{"", "_", "_a", "a_", "a__b", "A", "a-b", "a.b", "é", strings.Repeat("x", 33)} {
		if ValidID(id) {
			t.Errorf("ValidID(%q) = true", id)
		}
	}
}

func FuzzServerID(f *testing.F) {
	for _, seed := range []string{"acme-internal", "Câbler", "_a_", "a__b", "\xff", "日本"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		id, err := ServerID(name)
		if err != nil {
			return
		}
		if !ValidID(id) {
			t.Fatalf("ServerID(%q) = %q is not valid", name, id)
		}
		if again, err := ServerID(id); err != nil || again != id {
			t.Fatalf("ServerID(%q) = %q, %v: the id of an id must be itself", id, again, err)
		}
	})
}
