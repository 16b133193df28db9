package pipeline

import (
	"crypto/sha256"
	"strings"

	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/naming"
)

// localApp is the app that the window, the command line and clients call for.
const localApp = "local"

// appOf is the app that a call is made for.
func appOf(call domain.Call) string {
	if call.Caller.Kind == domain.CallerApp {
		return call.Caller.Name
	}
	return localApp
}

// share is within what an earlier result may be given again: the same app, the same user, the same server as it is defined
// now. It is for calls that were resolved. A user never gets what another one's credential fetched, also where the server is
// reached with none that is known.
func share(call domain.Call) string {
	parts := []string{appOf(call), call.Caller.User, call.Target.Server.ID, call.Target.Server.Digest()}
	sum := sha256.New()
	for _, part := range parts {
		one := sha256.Sum256([]byte(part))
		sum.Write(one[:])
	}
	return string(sum.Sum(nil))
}

// keyOf tells calls apart whose results may differ: it is made of the server's definition, the FQN, the arguments in
// canonical JSON, the app and the credential's subject.
func keyOf(call domain.Call) cacheKey {
	fqn := naming.FQN(call.Target.Server.ID, call.Name)
	return sha256.Sum256([]byte(strings.Join([]string{share(call), fqn, call.ArgumentsDigest()}, "\n")))
}
