//go:build !linux

package transport

func holdIfAsked() {}
