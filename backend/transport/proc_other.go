//go:build !linux

package transport

// marked finds nothing: this system does not let us read the environment of a process without further rights.
func marked(string) []int { return nil }

func hasMark(int, string) bool { return false }

func startTime(int) string { return "" }
