package oauth

import (
	"errors"
	"syscall"
)

// wsaAddrInUse is WSAEADDRINUSE.
const wsaAddrInUse = syscall.Errno(10048)

func isInUse(err error) bool { return errors.Is(err, wsaAddrInUse) }
