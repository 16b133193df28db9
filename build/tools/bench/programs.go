package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// programs are what is measured.
type programs struct{ root, apollia, window string }

func since(start time.Time) float64 { return float64(time.Since(start).Microseconds()) / 1000 }

func (p programs) version(ctx context.Context) (float64, error) {
	start := time.Now()
	err := exec.CommandContext(ctx, p.apollia, "version").Run()
	return since(start), err
}

func (p programs) serveReady(ctx context.Context) (float64, error) {
	s, err := p.serve(ctx, p.oneServer())
	if err != nil {
		return 0, err
	}
	return s.ready, s.end()
}

func (p programs) serveRSS(ctx context.Context) (float64, error) {
	s, err := p.serve(ctx, p.oneServer())
	if err != nil {
		return 0, err
	}
	if err := s.untilReady(ctx, 1); err != nil {
		return 0, errors.Join(err, s.end())
	}
	bytes, err := residentMemory(s.process.Process.Pid)
	return bytes / (1 << 20), errors.Join(err, s.end())
}

func (p programs) list100(ctx context.Context) (float64, error) {
	s, err := p.serve(ctx, hundredServers())
	if err != nil {
		return 0, err
	}
	var times []float64
	for range 50 {
		start := time.Now()
		servers, err := s.list(ctx)
		if err != nil {
			return 0, errors.Join(err, s.end())
		}
		times = append(times, since(start))
		if len(servers) != 100 {
			return 0, errors.Join(fmt.Errorf("%d servers are listed", len(servers)), s.end())
		}
	}
	slices.Sort(times)
	return times[len(times)/2], s.end()
}

// oneServer is a config.toml with a real server, by its path.
func (p programs) oneServer() string {
	program := filepath.Join(p.root, "build/servers/node_modules/.bin/mcp-server-everything")
	return fmt.Sprintf("[[mcp_servers]]\nname = \"everything\"\ntransport = \"stdio\"\ncommand = %q\nargs = [\"stdio\"]\n", program)
}

func hundredServers() string {
	var text strings.Builder
	for i := range 100 {
		fmt.Fprintf(&text, "[[mcp_servers]]\nname = \"server %d\"\ntransport = \"stdio\"\ncommand = \"program-%d\"\nenabled = false\n", i, i)
	}
	return text.String()
}

// serving is a running serve with a data folder of its own.
type serving struct {
	home    string
	url     string
	start   time.Time
	ready   float64 // ms from start to the first answer
	process *exec.Cmd
}

// serve starts the program and stops the clock at its first HTTP answer.
func (p programs) serve(ctx context.Context, config string) (*serving, error) {
	home, err := dataFolder(config)
	if err != nil {
		return nil, err
	}
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	s := &serving{home: home, url: "http://" + address, process: exec.CommandContext(ctx, p.apollia, "serve", "--listen", address)}
	s.process.Env = append(os.Environ(), "APOLLIA_HOME="+home)
	var said strings.Builder
	s.process.Stderr = &said
	s.start = time.Now()
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	for {
		response, err := http.Get(s.url)
		if err == nil {
			s.ready = since(s.start)
			return s, response.Body.Close()
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("serve never answered; it said: %s", said.String()), s.end())
		case <-time.After(time.Millisecond):
		}
	}
}

func (s *serving) end() error {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	err := s.process.Wait()
	return errors.Join(err, os.RemoveAll(s.home))
}

type listedServer struct {
	Name   string `json:"name"`
	State  string `json:"state"`
	Reason any    `json:"reason"`
}

// list asks as the command line does: with the token of the instance file.
func (s *serving) list(ctx context.Context) ([]listedServer, error) {
	content, err := os.ReadFile(filepath.Join(s.home, "run", "instance.json"))
	if err != nil {
		return nil, err
	}
	var instance struct {
		Token string `json:"token"`
	}
	if err := json.Unmarshal(content, &instance); err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/servers", http.NoBody)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer "+instance.Token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(response.Body)
	if err := errors.Join(err, response.Body.Close()); err != nil {
		return nil, err
	}
	var answer struct {
		Servers []listedServer `json:"servers"`
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the list of servers: %s: %s", response.Status, body)
	}
	err = json.Unmarshal(body, &answer)
	return answer.Servers, err
}

// untilReady waits until so many servers are ready.
func (s *serving) untilReady(ctx context.Context, count int) error {
	for {
		servers, err := s.list(ctx)
		if err != nil {
			return err
		}
		ready := 0
		for _, server := range servers {
			if server.State == "ready" {
				ready++
			}
		}
		if ready >= count {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d servers are ready, want %d: %+v", ready, count, servers)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func dataFolder(config string) (string, error) {
	home, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return "", err
	}
	return home, os.WriteFile(filepath.Join(home, "config.toml"), []byte(config), 0o600)
}

func freeAddress(ctx context.Context) (string, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// residentMemory reads VmRSS, in bytes.
func residentMemory(pid int) (float64, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "VmRSS:" {
			kib, err := strconv.ParseFloat(fields[1], 64)
			return kib * 1024, err
		}
	}
	return 0, errors.New("no VmRSS")
}
