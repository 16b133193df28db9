package domain

import (
	"errors"
	"io/fs"
	"runtime"
	"syscall"
)

// Windows reports a full disk by these; syscall has no names for them.
const (
	windowsHandleDiskFull syscall.Errno = 39
	windowsDiskFull       syscall.Errno = 112
)

// StorageError says in a person's words why path could not be read or written: a full disk (CodeDiskFull), missing
// rights, a read-only disk or something else in its place (CodeReadOnly). Any other err, nil and a domain error included,
// comes back as it is.
func StorageError(path string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	switch {
	case diskFull(err):
		return &Error{
			Code: CodeDiskFull, Message: "the disk is full: " + path + " could not be written", Cause: err,
			Hint: "Free some space, then try again. What was saved before is intact.",
			Args: map[string]string{"path": path},
		}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return &Error{
			Code: CodeReadOnly, Message: path + " cannot be written", Cause: err,
			Hint: "Make the folder writable for your user, or set APOLLIA_HOME to a folder that is.",
			Args: map[string]string{"path": path},
		}
	case inTheWay(err):
		return &Error{
			Code: CodeReadOnly, Message: path + " cannot be used: something else stands in its place", Cause: err,
			Hint: "Move away what stands there, or set APOLLIA_HOME to another folder.",
			Args: map[string]string{"path": path},
		}
	default:
		return err
	}
}

// inTheWay tells a path that leads nowhere: a folder where a file must be, a file for a folder, links in a circle, or a
// name that is too long.
func inTheWay(err error) bool {
	return errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) ||
		errors.Is(err, syscall.ENAMETOOLONG)
}

// diskFull covers quotas and limits on the size of a file too: for the person it is the same.
func diskFull(err error) bool {
	if runtime.GOOS == "windows" {
		return errors.Is(err, windowsDiskFull) || errors.Is(err, windowsHandleDiskFull)
	}
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
