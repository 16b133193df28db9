package servers

import (
	"net/url"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/syntax"
)

// pasteURL reads a bare address. Without a scheme it is https, except on this machine.
func pasteURL(text string) (Pasted, error) {
	address := strings.TrimSpace(text)
	before, _, _ := strings.Cut(text, address)
	at := syntax.Position{Line: strings.Count(before, "\n") + 1, Column: len(before) - strings.LastIndex(before, "\n")}
	if !strings.Contains(address, "://") {
		scheme := "https://"
		if strings.HasPrefix(address, "localhost") || strings.HasPrefix(address, "127.") {
			scheme = "http://"
		}
		address = scheme + address
	}
	d, err := pasteRemote(address, at)
	if err != nil {
		return Pasted{}, err
	}
	return Pasted{Format: pastedURL, Read: "url", Definitions: []domain.Definition{d}}, nil
}

// pasteRemote is a server known by its address alone.
func pasteRemote(address string, at syntax.Position) (domain.Definition, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return domain.Definition{}, pasteStopped(pastedURL, at, "this is not the address of a server", "It starts with https:// or http://.")
	}
	return domain.Definition{Transport: pasteTransport(address), URL: address}, nil
}

// pasteTransport tells the transport by how addresses of the legacy one usually end.
func pasteTransport(address string) domain.Transport {
	path, _, _ := strings.Cut(address, "?")
	if strings.HasSuffix(strings.TrimRight(path, "/"), "/sse") {
		return domain.SSE
	}
	return domain.StreamableHTTP
}
