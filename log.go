package main

import "log/slog"

// wailsLog passes what Wails says on to our log.
type wailsLog struct{ to *slog.Logger }

func (l wailsLog) Print(message string)   { l.to.Debug("wails", "message", message) }
func (l wailsLog) Trace(message string)   { l.to.Debug("wails", "message", message) }
func (l wailsLog) Debug(message string)   { l.to.Debug("wails", "message", message) }
func (l wailsLog) Info(message string)    { l.to.Debug("wails", "message", message) }
func (l wailsLog) Warning(message string) { l.to.Warn("wails", "message", message) }
func (l wailsLog) Error(message string)   { l.to.Error("wails", "message", message) }
func (l wailsLog) Fatal(message string)   { l.to.Error("wails ended", "message", message) }
