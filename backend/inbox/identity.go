package inbox

import "apollia.fr/connexions/backend/domain"

// identity is what makes two calls the same for an approval: also what the server starts or where it is reached, since
// a person approved that one. The session of the caller is not part of it: a command that is run again, or a client that
// was restarted, asks for the same thing.
type identity struct {
	kind             domain.RequestKind
	callerKind       domain.CallerKind
	callerName       string
	user             string
	server           string
	callKind         domain.CallKind
	tool             string
	definitionDigest string
	startDigest      string
	argumentsDigest  string
	// unique tells requests apart that are never the same, such as two questions of a server.
	unique string
}

func identify(r domain.Request) identity {
	id := identity{
		kind: r.Kind, callerKind: r.Caller.Kind, callerName: r.Caller.Name, user: r.Caller.User,
		server: r.Server, callKind: r.CallKind, tool: r.Tool,
		definitionDigest: r.DefinitionDigest, startDigest: r.StartDigest, argumentsDigest: r.ArgumentsDigest,
	}
	if !outlivesSession(r.Kind) {
		id.unique = r.ID
	}
	return id
}

// isPass reports whether r is an approved call that was not made yet. Its age is checked where it is used.
func isPass(r domain.Request) bool {
	return r.Kind == domain.ToolRequest && r.Status == domain.RequestApproved && r.UsedAt == nil && r.Answer != nil
}
