//go:build !unix

package mcptest

import "os/exec"

func detach(*exec.Cmd) {}
