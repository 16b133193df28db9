package main

import (
	"log/slog"
	"testing"
)

func TestOnlyWebAddressesOpenOutside(t *testing.T) {
	app := newApp(t.TempDir(), slog.New(slog.DiscardHandler))
	for _, address := range []string{
		"", "example.org", "http:", "https://", "file:///etc/passwd", "javascript:alert(1)", "apollia://x", "ms-msdt:/id",
		"HTTPS:example.org", "//example.org", "http://exa mple.org", "-h",
	} {
		if err := app.OpenURL(address); err == nil {
			t.Errorf("%q would open", address)
		}
	}
}

func TestDialogTextIsShownAsItIs(t *testing.T) {
	// On Linux Wails gives the text to printf; elsewhere it is taken as it is.
	if got := dialogText("100 % %s"); got != "100 %% %%s" && got != "100 % %s" {
		t.Errorf("got %q", got)
	}
}
