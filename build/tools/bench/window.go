package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// manyColours is more than a plain background with a border has, and less than the edges of a few letters.
const manyColours = 30

// windowPainted starts the window on a display that shows nothing else, and watches the pixels where its page will be.
func (p programs) windowPainted(ctx context.Context) (float64, error) {
	display, err := xgb.NewConn()
	if err != nil {
		return 0, fmt.Errorf("open the display; run inside build/window/session.sh: %w", err)
	}
	defer display.Close()
	home, err := dataFolder(p.oneServer())
	if err != nil {
		return 0, err
	}
	defer func() { _ = os.RemoveAll(home) }()

	window := exec.CommandContext(ctx, p.window)
	window.Env = append(os.Environ(), "APOLLIA_HOME="+home, "APOLLIA_LISTEN=127.0.0.1:0")
	start := time.Now()
	if err := window.Start(); err != nil {
		return 0, err
	}
	painted, err := untilPainted(ctx, display, start)
	_ = window.Process.Signal(syscall.SIGTERM)
	err = errors.Join(err, window.Wait())
	return painted, errors.Join(err, untilBlank(ctx, display))
}

func untilPainted(ctx context.Context, display *xgb.Conn, start time.Time) (float64, error) {
	for {
		colours, err := coloursShown(display)
		if err != nil {
			return 0, err
		}
		if colours > manyColours {
			return since(start), nil
		}
		if err := pause(ctx); err != nil {
			return 0, fmt.Errorf("the window was never painted: %w", err)
		}
	}
}

// untilBlank waits until the screen is empty, so that the next run starts from nothing.
func untilBlank(ctx context.Context, display *xgb.Conn) error {
	for {
		colours, err := coloursShown(display)
		if err != nil || colours == 1 {
			return err
		}
		if err := pause(ctx); err != nil {
			return fmt.Errorf("the window stays on the screen: %w", err)
		}
	}
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(5 * time.Millisecond):
		return nil
	}
}

// coloursShown counts the colours in the middle of the screen, where the page is whatever the title bar looks like.
func coloursShown(display *xgb.Conn) (int, error) {
	screen := xproto.Setup(display).DefaultScreen(display)
	width, height := screen.WidthInPixels/2, screen.HeightInPixels/2
	image, err := xproto.GetImage(display, xproto.ImageFormatZPixmap, xproto.Drawable(screen.Root),
		int16(width/2), int16(height/2), width, height, ^uint32(0)).Reply()
	if err != nil {
		return 0, fmt.Errorf("read the screen: %w", err)
	}
	colours := map[[3]byte]bool{}
	for i := 0; i+4 <= len(image.Data) && len(colours) <= manyColours; i += 4 {
		colours[[3]byte(image.Data[i:])] = true
	}
	return len(colours), nil
}
