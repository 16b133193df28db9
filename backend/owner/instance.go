package owner

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"

	"apollia.fr/connexions/backend/domain"
)

// ProofPath is where an owner answers a nonce with Proof.
const ProofPath = "/api/instance/proof"

// Instance is what the owner writes for its clients, readable by this user only. It informs; the lock decides.
type Instance struct {
	// URL is the base address of the API, such as http://127.0.0.1:7433; empty when nothing listens.
	URL     string `json:"url"`
	Token   string `json:"token"`
	Version string `json:"version"`
	PID     int    `json:"pid"`
}

// String leaves the token out.
func (i Instance) String() string { return i.URL + " pid " + strconv.Itoa(i.PID) + " token [secret]" }

// GoString keeps %#v from printing the token.
func (i Instance) GoString() string { return i.String() }

// Publish writes the instance file in one step, so that no reader ever sees half of it.
func (l *Lock) Publish(i Instance) error {
	data, err := json.Marshal(i)
	if err != nil {
		return fmt.Errorf("encode the instance: %w", err)
	}
	temporary := instanceFile(l.home) + ".new"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return folderError(l.home, err)
	}
	if err := os.Rename(temporary, instanceFile(l.home)); err != nil {
		return folderError(l.home, err)
	}
	return nil
}

// ErrNone says that no process owns the data folder.
var ErrNone = errors.New("no process owns the data folder")

// Find reads who owns the data folder. A file that a dead owner left behind does not count: ErrNone. An owner that does
// not listen (yet) has an empty URL.
func Find(home string) (Instance, error) {
	taken, err := held(home)
	if err != nil {
		return Instance{}, err
	}
	if !taken {
		return Instance{}, ErrNone
	}
	data, err := os.ReadFile(instanceFile(home))
	if os.IsNotExist(err) {
		return Instance{}, nil
	}
	var i Instance
	if err == nil {
		err = json.Unmarshal(data, &i)
	}
	if err != nil {
		return Instance{}, unreadable(home, err)
	}
	return i, nil
}

func unreadable(home string, cause error) error {
	return &domain.Error{
		Code: domain.CodeNotRunning, Message: instanceFile(home) + ", where the running Apollia says how it is reached, cannot be read",
		Hint: "End that Apollia and start it again: it writes the file anew.", Args: map[string]string{"path": instanceFile(home)}, Cause: cause,
	}
}

// Proof is the HMAC-SHA256 of nonce under token, in hexadecimal.
func Proof(token, nonce string) string {
	mac := hmac.New(sha256.New, []byte(token))
	mac.Write([]byte(nonce))
	return hex.EncodeToString(mac.Sum(nil))
}

// Verify asks the process at the instance's address to prove that it knows the token, before anything is sent to it:
// after a crash another program may listen on the same port. CodeOtherVersion names an owner that is not version.
func (i Instance) Verify(ctx context.Context, client *http.Client, version string) error {
	nonce := rand.Text() + rand.Text()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, i.URL+ProofPath+"?nonce="+url.QueryEscape(nonce), http.NoBody)
	if err != nil {
		return fmt.Errorf("ask the owner for its proof: %w", err)
	}
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("ask the owner for its proof: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	var answer struct {
		Proof   string `json:"proof"`
		Version string `json:"version"`
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, 4096)).Decode(&answer); err != nil {
		return impostor(i, err)
	}
	// Anybody could prove an empty token.
	if i.Token == "" || !hmac.Equal([]byte(answer.Proof), []byte(Proof(i.Token, nonce))) {
		return impostor(i, nil)
	}
	if answer.Version != version {
		return &domain.Error{
			Code:    domain.CodeOtherVersion,
			Message: "Apollia " + answer.Version + " is running, this is " + version,
			Hint:    "End the running one with its own apollia stop, or from its window, and start again.",
			Args:    map[string]string{"running": answer.Version, "ours": version},
		}
	}
	return nil
}

func impostor(i Instance, cause error) error {
	return &domain.Error{
		Code: domain.CodeUnauthorized, Message: "another program answers at " + i.URL,
		Hint: "Find out what listens there, or choose another port with [server] listen in config.toml.",
		Args: map[string]string{"url": i.URL}, Cause: cause,
	}
}
