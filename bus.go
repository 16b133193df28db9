package main

import (
	"os"
	"path/filepath"
	"runtime"
)

// hasNotifications says whether asking for notifications is safe. On Linux without a session bus the D-Bus library
// would start one that nobody ends.
func hasNotifications() bool {
	if runtime.GOOS != "linux" || os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	folder := os.Getenv("XDG_RUNTIME_DIR")
	if folder == "" {
		return false
	}
	_, err := os.Stat(filepath.Join(folder, "bus"))
	return err == nil
}
