package oauth

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
)

func TestAddressesThatNobodyHearsDoNotHoldUpTheOthers(t *testing.T) {
	i := newInternet(t, documents{"/": {}})
	i.names["example.com"] = [][]string{{"2606:4700::1", "2606:4700::2", "2606:4700::3", outside}}
	network := i.network()
	var lost sync.WaitGroup
	network.Dial = func(ctx context.Context, kind, address string) (net.Conn, error) {
		if strings.HasPrefix(address, outside) {
			return i.dial(ctx, kind, address)
		}
		lost.Add(1)
		defer lost.Done()
		<-ctx.Done()
		return nil, ctx.Err()
	}
	client, err := network.client(public, "")
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	if a, err := get(t, client, "https://example.com/"); err != nil || a.status != http.StatusOK {
		t.Errorf("%d %v", a.status, err)
	}
	lost.Wait()
}

func TestAllAddressesAreTriedAndTheirFailuresTold(t *testing.T) {
	network := Network{Dial: func(_ context.Context, _, address string) (net.Conn, error) {
		return nil, errors.New("nobody at " + address)
	}}
	_, err := network.connect(t.Context(), "tcp", []string{"a", "b", "c"})
	for _, address := range []string{"a", "b", "c"} {
		if err == nil || !strings.Contains(err.Error(), "nobody at "+address) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestAConnectionThatCameTooLateIsClosed(t *testing.T) {
	ours, theirs := net.Pipe()
	late, other := net.Pipe()
	defer other.Close()
	begun := make(chan struct{})
	network := Network{Dial: func(ctx context.Context, _, address string) (net.Conn, error) {
		if address == "late" {
			close(begun)
			<-ctx.Done()
			return late, nil
		}
		<-begun
		return ours, nil
	}}
	conn, err := network.connect(t.Context(), "tcp", []string{"late", "ours"})
	if err != nil || conn != ours {
		t.Fatalf("%v", err)
	}
	if _, err := other.Read(make([]byte, 1)); err == nil { // waits until the other end is closed
		t.Error("it lives on")
	}
	_, _ = ours.Close(), theirs.Close()
}
