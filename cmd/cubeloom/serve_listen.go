package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
)

// listenAt listens at a TCP address, or at a Unix socket where addr is a path. Where
// there are no users it refuses what others than those on this machine can reach.
func listenAt(addr string, users bool) (net.Listener, error) {
	if strings.Contains(addr, "/") {
		return net.Listen("unix", addr)
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	if at, ok := l.Addr().(*net.TCPAddr); ok && !users && !at.IP.IsLoopback() {
		l.Close()
		return nil, fmt.Errorf("--listen %s can be reached from other machines, and no role has a password: "+
			"give one with 'cubeloom user NAME --data DIR' (or --superuser-password-file), or say with --rules who may log in", addr)
	}
	return l, nil
}

// ownerSocket is the path of the socket by which the owner of a data directory comes in,
// such as 'psql -h DIR' looks for it. A path too long for a socket is shortened by one to
// the open directory, which the caller closes.
func ownerSocket(dataDir string) (path string, dir *os.File, err error) {
	const longest = 100 // of the 108 bytes that systems allow
	if path, err = filepath.Abs(filepath.Join(dataDir, ".s.PGSQL.5432")); err != nil || len(path) <= longest {
		return path, nil, err
	}
	if dir, err = os.Open(dataDir); err != nil {
		return "", nil, err
	}
	return fmt.Sprintf("/proc/self/fd/%d/.s.PGSQL.5432", dir.Fd()), dir, nil
}

// listenForOwner listens at the socket of a data directory that this process has locked.
func listenForOwner(dataDir string) (net.Listener, error) {
	path, dir, err := ownerSocket(dataDir)
	if err != nil {
		return nil, err
	}
	if dir != nil {
		defer dir.Close()
	}
	if info, err := os.Lstat(path); err == nil && info.Mode().Type() == os.ModeSocket {
		os.Remove(path) // of a server that was killed
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, err
	}
	if dir != nil {
		// The path ends with this call; the next start removes the socket.
		l.(*net.UnixListener).SetUnlinkOnClose(false)
	}
	return l, os.Chmod(path, 0o600)
}
