package window

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const (
	defaultWidth  = 1100
	defaultHeight = 760
	// graspable is how much of a window must stay on a screen so that a person can pull it back.
	graspable = 100
)

// The smallest window that shows every control, in logical pixels.
const (
	MinWidth  = 640
	MinHeight = 480
)

// Place is where a window was, in logical pixels. A window without a position is centred by the system.
type Place struct {
	Width, Height int
	X, Y          int
	Positioned    bool
	Maximised     bool
	// Light says that the last theme shown was the light one, so that the next window opens without a flash.
	Light bool
}

// Screen is the size of one screen in logical pixels.
type Screen struct{ Width, Height int }

// LoadPlace reads the place kept in the run folder. Without one, or with one that cannot be read, it is the default:
// a lost place is no reason to bother anybody.
func LoadPlace(runFolder string) Place {
	place := Place{Width: defaultWidth, Height: defaultHeight}
	data, err := os.ReadFile(placeFile(runFolder))
	if err != nil {
		return place
	}
	kept := place
	if json.Unmarshal(data, &kept) != nil {
		return place
	}
	kept.Width = max(kept.Width, MinWidth)
	kept.Height = max(kept.Height, MinHeight)
	return kept
}

// Save keeps the place for the next start.
func (p Place) Save(runFolder string) error {
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("write the window's place: %w", err)
	}
	fresh := placeFile(runFolder) + ".new"
	if err := os.WriteFile(fresh, data, 0o600); err != nil {
		return fmt.Errorf("write the window's place: %w", err)
	}
	if err := os.Rename(fresh, placeFile(runFolder)); err != nil {
		return errors.Join(fmt.Errorf("keep the window's place: %w", err), os.Remove(fresh))
	}
	return nil
}

// Within moves and shrinks the place so that it can be reached on the screens that there are now. How the screens
// stand to each other is not known; they are taken side by side, and the window manager does the rest.
func (p Place) Within(screens []Screen) Place {
	if len(screens) == 0 {
		return p
	}
	var all Screen
	var largest Screen
	for _, screen := range screens {
		all.Width += screen.Width
		all.Height = max(all.Height, screen.Height)
		largest.Width = max(largest.Width, screen.Width)
	}
	largest.Height = all.Height
	p.Width = min(p.Width, largest.Width)
	p.Height = min(p.Height, largest.Height)
	p.X = min(max(p.X, graspable-p.Width), all.Width-graspable)
	// The title bar is at the top: above the screen nobody can grasp it.
	p.Y = min(max(p.Y, 0), all.Height-graspable)
	return p
}

func placeFile(runFolder string) string { return filepath.Join(runFolder, "window.json") }
