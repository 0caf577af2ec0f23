package server

import (
	"errors"
	"net"

	"golang.org/x/sys/unix"
)

// peerUser is the user of the process at the other end of a Unix socket.
func peerUser(nc net.Conn) (uid int, err error) {
	socket, ok := nc.(*net.UnixConn)
	if !ok {
		return 0, errors.New("not a Unix socket")
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return 0, err
	}
	var credentials *unix.Ucred
	controlled := raw.Control(func(fd uintptr) {
		credentials, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	})
	if err := errors.Join(controlled, err); err != nil {
		return 0, err
	}
	return int(credentials.Uid), nil
}
