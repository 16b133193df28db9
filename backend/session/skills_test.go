package session

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/mcptest"
)

const skillText = "---\nname: pdf\ndescription: Fills forms\ntags: [a, b]\n---\n\nBody.\n"

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// entry is the entry of a skill whose SKILL.md is text.
func entry(text, frontmatter string) string {
	return fmt.Sprintf(`{"uri":"skill://pdf/SKILL.md","frontmatter":%s,"resources":[{"uri":"skill://pdf/SKILL.md","digest":%q,"size":%d},{"uri":"skill://pdf/a.bin","digest":%q}]}`,
		frontmatter, digest(text), len(text), digest("abc"))
}

func read(uri, member, value string) json.RawMessage {
	return encoded(map[string]any{"contents": []any{map[string]any{"uri": "skill://other", "text": "x"}, map[string]any{"uri": uri, member: value}}})
}

func TestFilesOfSkillsAreChecked(t *testing.T) {
	const front = `{"description":"Fills forms","name":"pdf","tags":["a","b"]}`
	const main = "skill://pdf/SKILL.md"
	tests := []struct {
		name   string
		entry  string
		uri    string
		result json.RawMessage
		fails  bool
	}{
		{"as announced", entry(skillText, front), main, read(main, "text", skillText), false},
		{"binary", entry(skillText, front), "skill://pdf/a.bin", read("skill://pdf/a.bin", "blob", "YWJj"), false},
		{"of no skill", entry(skillText, front), "file:///x", read("file:///x", "text", "anything"), false},
		{"another byte", entry(skillText, front), main, read(main, "text", skillText[:len(skillText)-2]+"!\n"), true},
		{"longer", entry(skillText, front), main, read(main, "text", skillText+"x"), true},
		{"another frontmatter in the entry", entry(skillText, `{"name":"pdf"}`), main, read(main, "text", skillText), true},
		{"not there", entry(skillText, front), main, read("skill://else", "text", skillText), true},
		{"not a result", entry(skillText, front), main, json.RawMessage(`{"contents":7}`), true},
		{"no frontmatter", entry("Body.\n", front), main, read(main, "text", "Body.\n"), true},
		{"frontmatter without end", entry("---\nname: pdf\n", front), main, read(main, "text", "---\nname: pdf\n"), true},
		{"frontmatter that is not YAML", entry("---\n{\n---\n", front), main, read(main, "text", "---\n{\n---\n"), true},
		{"a digest of another kind", `{"uri":"skill://pdf/SKILL.md","frontmatter":{},"resources":[{"uri":"skill://pdf/SKILL.md","digest":"md5:1"}]}`, main, read(main, "text", "x"), true},
	}
	for _, test := range tests {
		var o Offer
		if warnings := storeSkills(&o, "one", raws(test.entry)); len(warnings) != 0 || len(o.Skills) != 1 {
			t.Fatalf("%s: %v", test.name, warnings)
		}
		s := &Session{}
		s.rememberSkills(o.Skills)
		_, err := s.completed(domain.Call{Kind: domain.ResourceRead, Name: test.uri}, test.result)
		if want := domain.Code(""); test.fails {
			want = domain.CodeUnverified
			if domain.CodeOf(err) != want {
				t.Errorf("%s: %v, want %s", test.name, err, want)
			}
		} else if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// What a secret is in the definition may be a word in a skill: it is hidden where it is shown, and read as it is.
func TestASkillWithASecretInItIsReadAndHidden(t *testing.T) {
	d := mcptest.Command(mcptest.Options{Behave: []mcptest.Behaviour{mcptest.Skills}})
	d.Env = append(d.Env, domain.Variable{Name: "TEAM", Value: "invoices", Secret: true})
	s := open(t, d, Options{})
	var o Offer
	for _, section := range Sections() {
		if _, err := s.List(mcptest.Within(t), section, &o); err != nil {
			t.Fatal(err)
		}
	}
	const uri = "skill://invoices/SKILL.md"
	if len(o.Skills) != 1 || o.Skills[0].URI != uri || o.Skills[0].Files[0].URI != uri {
		t.Fatalf("skills %+v", o.Skills)
	}
	if one := o.Skills[0]; one.Name != "[secret]" || one.Description != "Reads [secret]" || strings.Contains(string(one.Frontmatter), "invoices") ||
		strings.Contains(string(one.Raw), `"name":"invoices"`) {
		t.Errorf("shown: %+v, %s, %s", one, one.Frontmatter, one.Raw)
	}
	result, err := s.Call(mcptest.Within(t), domain.Call{Kind: domain.ResourceRead, Name: uri})
	if err != nil || !strings.Contains(string(result.Raw), "name: invoices") {
		t.Errorf("read %s, %v", result.Raw, err)
	}
}

func TestSkillView(t *testing.T) {
	var o Offer
	warnings := storeSkills(&o, "one", raws(entry(skillText, `{"name":"pdf","description":"d"}`), `{"uri":"skill://x"}`, `7`, `{"uri":"skill://y","frontmatter":{},"resources":"none"}`))
	if len(o.Skills) != 2 || o.Skills[0].Name != "pdf" || *o.Skills[0].Files[0].Size != int64(len(skillText)) || len(o.Skills[1].Files) != 0 {
		t.Errorf("skills %+v", o.Skills)
	}
	if len(warnings) != 1 || warnings[0].Args["count"] != "2" {
		t.Errorf("warnings %v", warnings)
	}
}

func TestOnlyServersWithTheExtensionHaveSkills(t *testing.T) {
	for capabilities, want := range map[string]bool{
		`{"extensions":{"io.modelcontextprotocol/skills":{}}}`: true, `{"extensions":{}}`: false, `{"skills":{}}`: false, ``: false,
	} {
		if got := (Greeting{Capabilities: json.RawMessage(capabilities)}).announcesSkills(); got != want {
			t.Errorf("%s: %v", capabilities, got)
		}
	}
}
