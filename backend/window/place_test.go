package window

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlaceIsKept(t *testing.T) {
	folder := t.TempDir()
	place := Place{Width: 900, Height: 600, X: 10, Y: 20, Positioned: true, Maximised: true, Light: true}
	if err := place.Save(folder); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(place, LoadPlace(folder)); diff != "" {
		t.Error(diff)
	}
}

func TestPlaceWithoutAUsableFileIsTheDefault(t *testing.T) {
	want := Place{Width: defaultWidth, Height: defaultHeight}
	for name, content := range map[string]string{"none": "", "broken": "{", "another type": `{"Width":"wide"}`} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if content != "" {
				if err := os.WriteFile(placeFile(folder), []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(want, LoadPlace(folder)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlaceIsNeverTooSmall(t *testing.T) {
	folder := t.TempDir()
	if err := (Place{Width: 1, Height: -5}).Save(folder); err != nil {
		t.Fatal(err)
	}
	got := LoadPlace(folder)
	if got.Width != MinWidth || got.Height != MinHeight {
		t.Errorf("got %d x %d", got.Width, got.Height)
	}
}

func TestPlaceStaysWithinReach(t *testing.T) {
	one := []Screen{{1280, 900}}
	two := []Screen{{1280, 900}, {1920, 1080}}
	at := func(x, y, width, height int) Place {
		return Place{X: x, Y: y, Width: width, Height: height, Positioned: true}
	}
	tests := map[string]struct {
		place   Place
		screens []Screen
		want    Place
	}{
		"inside":                 {at(50, 60, 900, 600), one, at(50, 60, 900, 600)},
		"screens unknown":        {at(5000, 5000, 900, 600), nil, at(5000, 5000, 900, 600)},
		"second screen gone":     {at(2000, 60, 900, 600), one, at(1180, 60, 900, 600)},
		"on the second screen":   {at(2000, 60, 900, 600), two, at(2000, 60, 900, 600)},
		"far left":               {at(-4000, 60, 900, 600), one, at(-800, 60, 900, 600)},
		"above the screen":       {at(50, -300, 900, 600), one, at(50, 0, 900, 600)},
		"below the screen":       {at(50, 2000, 900, 600), one, at(50, 800, 900, 600)},
		"larger than the screen": {at(0, 0, 3000, 2000), one, at(0, 0, 1280, 900)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, test.place.Within(test.screens)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
