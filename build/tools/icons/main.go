// Command icons draws the program's icons from its logo: PNG in every size, .ico for Windows, .icns for macOS.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const drawTime = 2 * time.Minute

func main() {
	browser := flag.String("browser", "chromium", "the browser that draws the SVG")
	folder := flag.String("folder", "../icons", "where apollia.svg is and the icons go")
	flag.Parse()
	if err := run(*browser, *folder); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(browser, folder string) error {
	logo, err := os.ReadFile(filepath.Join(folder, "apollia.svg"))
	if err != nil {
		return fmt.Errorf("read the logo: %w", err)
	}
	drawn, err := drawAll(browser, string(logo))
	if err != nil {
		return err
	}
	for size, content := range drawn {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("apollia-%d.png", size)), content, 0o644); err != nil {
			return err
		}
	}
	return errors.Join(
		os.WriteFile(filepath.Join(folder, "apollia.ico"), ico(drawn), 0o644),
		os.WriteFile(filepath.Join(folder, "apollia.icns"), icns(drawn), 0o644),
	)
}

// drawAll has the browser draw one sheet with the logo in every size, each one drawn for its own pixels, and cuts it up.
func drawAll(browser, logo string) (map[int][]byte, error) {
	work, err := os.MkdirTemp("", "icons-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(work) }()
	sheet, places, width, height := layOut(logo)
	page, shot := filepath.Join(work, "sheet.html"), filepath.Join(work, "sheet.png")
	if err := os.WriteFile(page, []byte(sheet), 0o600); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), drawTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--user-data-dir="+filepath.Join(work, "profile"), "--default-background-color=00000000", "--force-device-scale-factor=1",
		fmt.Sprintf("--window-size=%d,%d", width, height), "--screenshot="+shot, "file://"+page).CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("draw with %s: %w\n%s", browser, err, out)
	}
	return cut(shot, places)
}

// layOut stands the sizes beside each other.
func layOut(logo string) (sheet string, places []image.Rectangle, width, height int) {
	var page strings.Builder
	page.WriteString("<!doctype html><style>body{margin:0}svg{position:absolute;top:0}</style>")
	for _, size := range sizes() {
		placed := strings.Replace(logo, "<svg ", fmt.Sprintf(`<svg style="left:%dpx;width:%dpx;height:%dpx" `, width, size, size), 1)
		page.WriteString(placed)
		places = append(places, image.Rect(width, 0, width+size, size))
		width += size
		height = max(height, size)
	}
	return page.String(), places, width, height
}

func cut(shot string, places []image.Rectangle) (map[int][]byte, error) {
	file, err := os.Open(shot)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	sheet, err := png.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("read the drawing: %w", err)
	}
	drawn := map[int][]byte{}
	for _, place := range places {
		icon := image.NewNRGBA(image.Rect(0, 0, place.Dx(), place.Dy()))
		draw.Draw(icon, icon.Bounds(), sheet, place.Min, draw.Src)
		var content strings.Builder
		encoder := png.Encoder{CompressionLevel: png.BestCompression}
		if err := encoder.Encode(&content, icon); err != nil {
			return nil, err
		}
		drawn[place.Dx()] = []byte(content.String())
	}
	return drawn, nil
}
