package oauth

import (
	"encoding/json"
	"strconv"
)

// The ports of the loopback listener that our metadata document lists. Another one needs a registration of its own.
const (
	firstCallbackPort = 8913
	lastCallbackPort  = 8919
)

// DefaultCallbackPort is where the loopback listener is, unless a person says otherwise.
const DefaultCallbackPort = "8913"

// DefaultClientMetadataURL is where our client metadata document is hosted.
const DefaultClientMetadataURL = "https://apollia.fr/.well-known/mcp-client-metadata"

const callbackPath = "/callback"

// DocumentRedirectURIs are the redirect URIs that the client metadata document lists.
func DocumentRedirectURIs() []string {
	var all []string
	for port := firstCallbackPort; port <= lastCallbackPort; port++ {
		for _, host := range []string{"127.0.0.1", "localhost"} {
			all = append(all, "http://"+host+":"+strconv.Itoa(port)+callbackPath)
		}
	}
	return all
}

// ClientMetadata is the document to host at an address, which is then our client ID
// (draft-ietf-oauth-client-id-metadata-document section 4).
func ClientMetadata(address string) ([]byte, error) {
	w := newWish(DocumentRedirectURIs(), methodNone)
	w.ClientID = address
	return json.MarshalIndent(w, "", "  ")
}
