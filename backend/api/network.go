package api

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"apollia.fr/connexions/backend/audit"
	"apollia.fr/connexions/backend/config"
	"apollia.fr/connexions/backend/domain"
	"apollia.fr/connexions/backend/servers"
)

// NetworkView is what is seen of the local network, and what it sees of us.
type NetworkView struct {
	domain.NetworkSight
	Announced []domain.Announcement `json:"announced"`
}

// AnnounceChange makes a server visible on the local network, or takes it back; without a server, all of them.
type AnnounceChange struct {
	Server string `json:"server,omitempty"`
	On     bool   `json:"on"`
}

// MoveChange takes the address that a person saw for the one of a server.
type MoveChange struct {
	To string `json:"to"`
}

// FoundDraft is a draft of a server that was found on the local network.
type FoundDraft struct {
	Definition domain.Definition `json:"definition"`
}

func (a *API) registerNetwork() {
	route(a, http.MethodGet, "/api/network", "showNetwork", "Show the servers of the local network, and what it sees of ours", a.showNetwork)
	route(a, http.MethodPost, "/api/network/look", "lookAtNetwork", "Ask the local network again, now", a.lookAtNetwork)
	route(a, http.MethodPost, "/api/network/found/{id}/draft", "draftFound", "Make a draft of a server of the local network", a.draftFound)
	route(a, http.MethodGet, "/api/servers/{id}/announcement", "showAnnouncement", "Show what the local network would see of a server", a.showAnnouncement)
	route(a, http.MethodPut, "/api/network/announce", "announce", "Announce a server on the local network, or no longer", a.announce)
	route(a, http.MethodPost, "/api/servers/{id}/move", "followMove", "Reach a server where the local network has it now", a.followMove)
}

func (a *API) showNetwork(ctx context.Context, in *struct {
	Settle bool `query:"settle" doc:"wait until those who answer a new search have answered, 3 s at most"`
},
) (*body[NetworkView], error) {
	return &body[NetworkView]{NetworkView{a.Network(ctx, in.Settle), append([]domain.Announcement{}, a.Announced()...)}}, nil
}

func (a *API) lookAtNetwork(context.Context, *struct{}) (*done, error) {
	a.Look()
	return &done{}, nil
}

func (a *API) draftFound(ctx context.Context, in *ItemID) (*body[FoundDraft], error) {
	definition, err := a.Servers.DraftFound(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &body[FoundDraft]{FoundDraft{definition}}, nil
}

func (a *API) showAnnouncement(ctx context.Context, in *ItemID) (*body[domain.Announcement], error) {
	announcement, err := a.Servers.Announcement(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return &body[domain.Announcement]{announcement}, nil
}

// announce is the setting of what is announced, for one server at a time and not before the network can reach it.
func (a *API) announce(ctx context.Context, in *struct{ Body AnnounceChange }) (*body[SettingList], error) {
	ids := config.ListOf(a.Setting(config.AnnounceKey))
	switch server := in.Body.Server; {
	case in.Body.On:
		announcement, err := a.Servers.Announcement(ctx, server)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(ids, announcement.Server) {
			ids = append(ids, announcement.Server)
		}
	case server == "":
		ids = nil
	default:
		id := server // of one that was removed nothing else is known
		if view, err := a.Servers.Get(server); err == nil {
			id = view.ID
		}
		ids = slices.DeleteFunc(ids, func(one string) bool { return one == id })
	}
	value := strings.Join(ids, ",")
	return a.changeSetting(ctx, &struct{ Body SettingChange }{SettingChange{Key: config.AnnounceKey, Value: &value}})
}

func (a *API) followMove(ctx context.Context, in *struct {
	ItemID
	Body MoveChange
},
) (*body[servers.View], error) {
	if err := a.mayWiden(ctx); err != nil {
		return nil, err
	}
	view, err := a.Servers.FollowMove(ctx, in.ID, in.Body.To, a.beforeServer(ctx, audit.DidChange))
	if err != nil {
		return nil, err
	}
	return &body[servers.View]{view}, nil
}
