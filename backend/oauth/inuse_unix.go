//go:build unix

package oauth

import (
	"errors"
	"syscall"
)

func isInUse(err error) bool { return errors.Is(err, syscall.EADDRINUSE) }
