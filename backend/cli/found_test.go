package cli

import (
	"testing"

	"apollia.fr/connexions/backend/domain"
)

func TestAnIDOfTheNetworkMeansItsOwnServer(t *testing.T) {
	all := []domain.NetworkServer{
		{ID: "0a", Instance: "notes", Name: "Notes"},
		{ID: "0b", Instance: "notes", Name: "0c"},
		{ID: "0c", Instance: "0b", Name: "Notes"},
	}
	for named, want := range map[string]int{"notes": 2, "Notes": 2, "0a": 1, "0b": 1, "0c": 1, "nobody": 0} {
		fit := fitting(all, named)
		if len(fit) != want || len(named) == 2 && fit[0].ID != named {
			t.Errorf("%s fits %v", named, fit)
		}
	}
}
