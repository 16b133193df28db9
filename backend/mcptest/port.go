package mcptest

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// FreePort finds a port of this computer where nothing listens. It is below those that the system gives to connections,
// one of which could take it before the test does.
func FreePort() (string, error) {
	var taken error
	for range 1000 {
		port := strconv.Itoa(20000 + rand.IntN(10000))
		socket, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", port))
		if err == nil {
			return port, socket.Close()
		}
		taken = err
	}
	return "", errors.Join(errors.New("no port is free"), taken)
}
