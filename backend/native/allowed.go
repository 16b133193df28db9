package native

import (
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// maxPath is the longest path in bytes, as Linux has it.
const maxPath = 4096

// allowed are the folders that a module may use.
type allowed struct {
	folders []string
	check   func(folder string) error
}

// allow looks at every folder once. The check says why a folder may not be used, and is asked again before each use,
// since a link may lead elsewhere by then.
func allow(folders []string, check func(folder string) error) (allowed, error) {
	a := allowed{check: check}
	for _, folder := range folders {
		if err := check(folder); err != nil {
			return allowed{}, err
		}
		a.folders = append(a.folders, filepath.Clean(folder))
	}
	return a, nil
}

// place is something in an allowed folder. Close it.
type place struct {
	folder string
	root   *os.Root
	// name is its path below the folder, "." for the folder itself.
	name string
}

// Close gives the folder back.
func (p *place) Close() error { return p.root.Close() }

// full is the path of a name below the folder, as a person writes it.
func (p *place) full(name string) string { return filepath.Join(p.folder, name) }

// open finds the folder that a path lies in and opens it, so that from then on no link, "..", or change of the folder
// leads out of it. The path is absolute, or below the only folder; a file URI (RFC 8089) can also hold bytes that are no
// UTF-8.
func (a allowed) open(path string) (*place, error) {
	path, err := a.spell(path)
	if err != nil {
		return nil, err
	}
	folder, name, found := a.find(path)
	if !found {
		return nil, refuse("%s is in none of the allowed folders: %s.", path, a.names())
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, fmt.Errorf("open folder: %w", err)
	}
	if err := a.judge(folder, root); err != nil {
		_ = root.Close()
		return nil, err
	}
	return &place{folder: folder, root: root, name: name}, nil
}

// judge asks of the folder that was opened whether it may be used: a link in its path can have been moved meanwhile.
func (a allowed) judge(folder string, root *os.Root) error {
	if err := a.check(folder); err != nil {
		return err
	}
	opened, err := root.Stat(".")
	if err != nil {
		return fmt.Errorf("look at folder: %w", err)
	}
	named, err := os.Stat(folder)
	if err != nil {
		return fmt.Errorf("look at folder: %w", err)
	}
	if !os.SameFile(opened, named) {
		return refuse("The folder %s is being replaced by another. Try again.", folder)
	}
	return nil
}

// spell makes a full path of what was given.
func (a allowed) spell(path string) (string, error) {
	if strings.HasPrefix(path, "file:") {
		var err error
		if path, err = pathOf(path); err != nil {
			return "", err
		}
	}
	switch {
	case len(a.folders) == 0:
		return "", refuse("No folder is allowed. A person can allow one in the settings.")
	case strings.ContainsRune(path, 0):
		return "", refuse("The path has a zero byte in it, and no file has such a name.")
	case len(path) > maxPath:
		return "", refuse("The path is longer than %d bytes.", maxPath)
	case filepath.IsAbs(path):
		return filepath.Clean(path), nil
	case len(a.folders) > 1:
		return "", refuse("Several folders are allowed, so the path must be a full one. The folders are %s.", a.names())
	}
	return filepath.Join(a.folders[0], path), nil
}

// find gives the deepest allowed folder that holds a path.
func (a allowed) find(path string) (folder, name string, found bool) {
	for _, one := range a.folders {
		below, err := filepath.Rel(one, path)
		if err == nil && filepath.IsLocal(below) && len(one) > len(folder) {
			folder, name, found = one, below, true
		}
	}
	return folder, name, found
}

func (a allowed) names() string {
	const most = 10
	if len(a.folders) > most {
		return strings.Join(a.folders[:most], ", ") + fmt.Sprintf(" and %d more", len(a.folders)-most)
	}
	return strings.Join(a.folders, ", ")
}

// pathOf reads a file URI.
func pathOf(uri string) (string, error) {
	read, err := url.Parse(uri)
	if err != nil || read.Host != "" && read.Host != "localhost" || read.Path == "" || read.RawQuery != "" || read.Fragment != "" {
		return "", refuse("The address is not of the form file:///path/of/a/file, without a host and without a question mark.")
	}
	path := read.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path), nil
}

// addressOf writes a full path as a file URI.
func addressOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// openFile opens a regular file for reading. Anything else is refused before it is opened, and cannot block even when it
// takes the file's place just then.
func (p *place) openFile(name string) (*os.File, fs.FileInfo, error) {
	info, err := p.root.Stat(name)
	if err != nil {
		return nil, nil, p.named(name, err)
	}
	if err := p.regular(name, info); err != nil {
		return nil, nil, err
	}
	file, err := p.openNow(name)
	if err != nil {
		return nil, nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = p.regular(name, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, nil, err
	}
	return file, info, nil
}

// openNow opens whatever there is for reading, without waiting for the other end of a pipe.
func (p *place) openNow(name string) (*os.File, error) {
	file, err := p.root.OpenFile(name, os.O_RDONLY|withoutWaiting, 0)
	return file, p.named(name, err)
}

func (p *place) regular(name string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return refuse("%s is a folder. List it with ls.", p.full(name))
	default:
		return refuse("%s is %s, and only plain files are read.", p.full(name), kindOf(mode))
	}
}

// named puts the path as it was given into an error of the system.
func (p *place) named(name string, err error) error {
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: at.Op, Path: p.full(name), Err: at.Err}
	}
	return err
}

// kindOf says what is found at a path.
func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "file"
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeSymlink != 0:
		return "link"
	case mode&fs.ModeNamedPipe != 0:
		return "pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeDevice != 0:
		return "device"
	}
	return "special"
}
