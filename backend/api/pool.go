package api

import (
	"context"
	"net/http"

	"apollia.fr/connexions/backend/domain"
)

// PoolState is what stands between callers and servers.
type PoolState struct {
	// Caches are what is kept of the answers of each server with a cacheable tool that was called.
	Caches []domain.CacheUse `json:"caches"`
	// Breakers are those of the servers that were called with one.
	Breakers []domain.Breaker `json:"breakers"`
	// Budgets are the limits that calls counted for, with what was used of them in the last hour.
	Budgets []domain.BudgetUse `json:"budgets"`
}

// CacheEmptied says how many answers were thrown away.
type CacheEmptied struct {
	Removed int `json:"removed"`
}

func (a *API) registerPool() {
	route(a, http.MethodGet, "/api/pool", "getPool", "Show what stands between callers and servers: kept answers, breakers, budgets", a.pool)
	route(a, http.MethodDelete, "/api/cache", "emptyCaches", "Throw away the answers that are kept of all servers", a.emptyCaches)
	route(a, http.MethodDelete, "/api/cache/{id}", "emptyCache", "Throw away the answers that are kept of one server", a.emptyCache)
}

func (a *API) pool(context.Context, *struct{}) (*body[PoolState], error) {
	return &body[PoolState]{PoolState{Caches: a.Kept.Uses(), Breakers: a.Breakers.List(), Budgets: a.Budgets.Uses()}}, nil
}

func (a *API) emptyCaches(context.Context, *struct{}) (*body[CacheEmptied], error) {
	return &body[CacheEmptied]{CacheEmptied{Removed: a.Kept.Empty("")}}, nil
}

func (a *API) emptyCache(_ context.Context, in *ItemID) (*body[CacheEmptied], error) {
	view, err := a.Servers.Get(in.ID)
	if err != nil {
		return nil, err
	}
	return &body[CacheEmptied]{CacheEmptied{Removed: a.Kept.Empty(view.ID)}}, nil
}
