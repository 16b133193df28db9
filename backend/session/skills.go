package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// extensionSkills is the name of the skills extension in the capabilities (SEP-2640).
const extensionSkills = "io.modelcontextprotocol/skills"

// announcesSkills reports whether the server has skills.
func (g Greeting) announcesSkills() bool {
	m, _ := members(g.Capabilities)
	extensions, _ := members(m["extensions"])
	return extensions[extensionSkills] != nil
}

func skillView(serverID string, raw json.RawMessage) (domain.Skill, string, bool) {
	m, ok := members(raw)
	uri, named := textOf(m["uri"])
	about := objectOf(m, "frontmatter")
	if !ok || !named || uri == "" || about == nil {
		return domain.Skill{}, "", false
	}
	front, _ := members(about)
	skill := domain.Skill{
		Server: serverID, URI: uri, Name: text(front, "name"), Description: text(front, "description"),
		Files: []domain.SkillFile{}, Frontmatter: about, Raw: raw,
	}
	var files []json.RawMessage
	_ = json.Unmarshal(m["resources"], &files) // what is no list has no files
	for _, file := range files {
		f, _ := members(file)
		view := domain.SkillFile{URI: text(f, "uri"), Digest: text(f, "digest")}
		if size, err := strconv.ParseInt(string(f["size"]), 10, 64); err == nil {
			view.Size = &size
		}
		skill.Files = append(skill.Files, view)
	}
	return skill, uri, true
}

func storeSkills(o *Offer, serverID string, items []json.RawMessage) (warnings []*domain.Error) {
	o.Skills, warnings = salvage("skills", items, func(raw json.RawMessage) (domain.Skill, string, bool) {
		return skillView(serverID, raw)
	})
	return warnings
}

// takeSkills keeps the entries of skills as they came, and gives those to show: without the secrets in their frontmatter.
func (s *Session) takeSkills(items []json.RawMessage) []json.RawMessage {
	var known Offer
	storeSkills(&known, s.options.ServerID, items)
	s.rememberSkills(known.Skills)
	shown := make([]json.RawMessage, len(items))
	for i, raw := range items {
		m, _ := members(raw)
		if about := objectOf(m, "frontmatter"); about != nil { // or it is left out
			raw, _ = replace(raw, "frontmatter", s.link.MaskJSON(about)) // it was read, so it is well-formed
		}
		shown[i] = raw
	}
	return shown
}

// rememberSkills keeps the entries that the content of files is checked against.
func (s *Session) rememberSkills(skills []domain.Skill) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.skills = skills
}

// checkSkillFile refuses the result of resources/read for a file of a skill that is not what its entry says (SEP-2640,
// integrity and verification). A resource that belongs to no skill is not checked.
func (s *Session) checkSkillFile(uri string, result json.RawMessage) error {
	s.mu.Lock()
	skills := s.skills
	s.mu.Unlock()
	for _, skill := range skills {
		for _, file := range skill.Files {
			if file.URI != uri {
				continue
			}
			if err := checkFile(skill, file, result); err != nil {
				return unverified(uri, err)
			}
		}
	}
	return nil
}

func unverified(uri string, cause error) error {
	return &domain.Error{
		Code: domain.CodeUnverified, Message: "The file \"" + uri + "\" is not what the skill's entry says: " + cause.Error() + ". It is not used.",
		Hint: "Do not use this skill; tell the makers of the server.", Cause: cause, Args: map[string]string{"uri": uri, "problem": cause.Error()},
	}
}

func checkFile(skill domain.Skill, file domain.SkillFile, result json.RawMessage) error {
	content, err := contentOf(file.URI, result)
	if err != nil {
		return err
	}
	if file.Size != nil && *file.Size != int64(len(content)) {
		return fmt.Errorf("it has %d bytes, not %d", len(content), *file.Size)
	}
	sum := sha256.Sum256(content)
	if file.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
		return errors.New("its digest is another one")
	}
	if file.URI != skill.URI {
		return nil
	}
	return checkFrontmatter(skill.Frontmatter, content)
}

// contentOf is the content of one resource among those that a result holds.
func contentOf(uri string, result json.RawMessage) ([]byte, error) {
	var read struct {
		Contents []struct {
			URI  string  `json:"uri"`
			Text *string `json:"text"`
			Blob []byte  `json:"blob"`
		} `json:"contents"`
	}
	if err := json.Unmarshal(result, &read); err != nil {
		return nil, errors.New("its content cannot be read")
	}
	for _, c := range read.Contents {
		switch {
		case c.URI != uri:
		case c.Text != nil:
			return []byte(*c.Text), nil
		default:
			return c.Blob, nil
		}
	}
	return nil, errors.New("the answer does not hold it")
}

// checkFrontmatter compares the YAML between the two lines of dashes at the top with the entry, field by field.
func checkFrontmatter(entry json.RawMessage, content []byte) error {
	text := strings.ReplaceAll(string(bytes.TrimPrefix(content, []byte("\xef\xbb\xbf"))), "\r\n", "\n")
	rest, opened := strings.CutPrefix(text, "---\n")
	front, _, closed := strings.Cut(rest, "\n---")
	if !opened || !closed {
		return errors.New("it has no frontmatter")
	}
	written, err := syntax.ParseYAML([]byte(front))
	if err != nil {
		return errors.New("its frontmatter is not YAML")
	}
	said, err := syntax.ParseJSONC(entry)
	if err != nil {
		return errors.New("the entry's frontmatter cannot be read")
	}
	if !written.Equal(said) {
		return errors.New("its frontmatter differs from the entry")
	}
	return nil
}
