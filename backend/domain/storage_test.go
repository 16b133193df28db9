package domain

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"syscall"
	"testing"
)

func TestStorageError(t *testing.T) {
	full := syscall.ENOSPC
	if runtime.GOOS == "windows" {
		full = windowsDiskFull
	}
	other := errors.New("other")
	cases := map[string]struct {
		err  error
		want Code
	}{
		"full disk":      {&os.PathError{Op: "write", Path: "a", Err: full}, CodeDiskFull},
		"read-only disk": {&os.PathError{Op: "open", Path: "a", Err: syscall.EROFS}, CodeReadOnly},
		"no rights":      {&os.PathError{Op: "open", Path: "a", Err: fs.ErrPermission}, CodeReadOnly},
		"a folder":       {&os.PathError{Op: "open", Path: "a", Err: syscall.EISDIR}, CodeReadOnly},
		"below a file":   {&os.PathError{Op: "mkdir", Path: "a", Err: syscall.ENOTDIR}, CodeReadOnly},
		"a circle":       {&os.PathError{Op: "open", Path: "a", Err: syscall.ELOOP}, CodeReadOnly},
		"a long name":    {&os.PathError{Op: "mkdir", Path: "a", Err: syscall.ENAMETOOLONG}, CodeReadOnly},
		"domain error":   {&Error{Code: CodeDBNewer}, CodeDBNewer},
		"anything else":  {other, CodeInternal},
		"nothing":        {nil, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := StorageError("/data", c.err)
			if CodeOf(got) != c.want {
				t.Errorf("code is %q, want %q", CodeOf(got), c.want)
			}
			if !errors.Is(got, c.err) {
				t.Errorf("%v does not wrap %v", got, c.err)
			}
		})
	}
}
