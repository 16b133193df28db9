package toolbox

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"apollia.fr/connexions/backend/domain"
)

// Whatever part of a result is huge, an agent gets little at once, and can read on to the last of it.
func TestNoPartOfAResultIsLong(t *testing.T) {
	const mark = "THE END OF IT"
	long := strings.Repeat("x", 600_000) + mark
	many := func(block string) string {
		return strings.Repeat(block+",", 8_000) + strings.ReplaceAll(block, "@", mark)
	}
	for name, raw := range map[string]string{
		"text":                         `{"content":[{"type":"text","text":"` + long + `"}]}`,
		"structured content":           `{"structuredContent":{"a":"` + long + `"}}`,
		"structured content by a text": `{"content":[{"type":"text","text":"ok"}],"structuredContent":{"a":"` + long + `"}}`,
		"both, and they disagree": `{"content":[{"type":"text","text":"` + long[:100_000] + `"}],"structuredContent":{"a":"` +
			long + `"}}`,
		"long text, short structured content": `{"content":[{"type":"text","text":"` + long[:100_000] + `"}],"structuredContent":{"a":"` + mark + `"}}`,
		"a kind to come":                      `{"content":[{"type":"hologram","data":"` + long + `"}]}`,
		"a kind to come by a long text":       `{"content":[{"type":"hologram","data":"` + mark + `"},{"type":"text","text":"` + long[:100_000] + `"}]}`,
		"annotations":                         `{"content":[{"type":"text","text":"ok","_meta":{"a":"` + long + `"}}]}`,
		"a link's description":                `{"content":[{"type":"resource_link","uri":"a","name":"b","description":"` + long + `"}]}`,
		"a picture's type":                    `{"content":[{"type":"image","data":"YQ==","mimeType":"` + long + `"}]}`,
		"many links":                          `{"content":[` + many(`{"type":"resource_link","uri":"a","name":"@"}`) + `]}`,
		"many pictures without anything":      `{"content":[` + many(`{"type":"image","x":"@"}`) + `]}`,
		"many pictures":                       `{"content":[` + many(`{"type":"image","data":"`+strings.Repeat("a", 100)+`","mimeType":"@"}`) + `]}`,
		"many embedded texts":                 `{"content":[` + many(`{"type":"resource","resource":{"uri":"a","text":"@"}}`) + `]}`,
		"a failure":                           `{"content":[{"type":"text","text":"` + long + `"}],"isError":true}`,
	} {
		t.Run(name, func(t *testing.T) {
			b := team(t)
			b.answer = func(domain.Call) (domain.Result, error) { return resultOf(raw), nil }
			got := b.run("mcp_brave.search", `{}`)
			if len(got) > 20*DefaultLongest {
				t.Errorf("%d bytes", len(got))
			}
			if !strings.Contains(got, mark) && !b.keeps(mark, got) {
				t.Errorf("the end of it is nowhere: %.300s … %s", got, got[len(got)-300:])
			}
			if !strings.Contains(got, `"truncated":true`) {
				t.Errorf("it does not say that something is left out: %s", got[len(got)-300:])
			}
		})
	}
}

var handles = regexp.MustCompile(`handle[=":\\]+([A-Z2-7]{12})`)

// keeps reads on in all that a result names, as an agent does.
func (b *bench) keeps(mark, result string) bool {
	for _, found := range handles.FindAllStringSubmatch(result, -1) {
		var whole strings.Builder
		for next := 0; ; {
			var read struct{ Data Page }
			if json.Unmarshal([]byte(b.run("read_more", fmt.Sprintf(`{"handle":%q,"offset":%d}`, found[1], next))), &read) != nil || read.Data.Text == "" {
				break
			}
			whole.WriteString(read.Data.Text)
			if next = read.Data.Next; next == 0 {
				break
			}
		}
		if strings.Contains(whole.String(), mark) {
			return true
		}
	}
	return false
}

// Pictures that are short one by one are long together.
func TestManyPicturesAreLongTogether(t *testing.T) {
	b := team(t)
	block := `{"type":"image","mimeType":"image/png","data":"` + strings.Repeat("a", longestBinary/3) + `"}`
	b.answer = func(domain.Call) (domain.Result, error) {
		return resultOf(`{"content":[` + strings.Repeat(block+",", 8) + block + `]}`), nil
	}
	var got struct{ Data Data }
	written := b.run("mcp_brave.search", `{}`)
	if err := json.Unmarshal([]byte(written), &got); err != nil || len(written) > 2*longestBinary+1000*9 || len(got.Data.Images) != 9 {
		t.Fatalf("%v: %d bytes, %d pictures", err, len(written), len(got.Data.Images))
	}
	if last := got.Data.Images[8]; got.Data.Images[0].Data == "" || last.Data != "" || last.Handle == "" {
		t.Errorf("the first: %.20s, the last: %+v", got.Data.Images[0].Data, last)
	}
}
