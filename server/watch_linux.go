package server

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// hungUp reports whether the kernel knows that the peer has closed the connection,
// although bytes wait to be read that came before that.
func hungUp(nc net.Conn) bool {
	c, ok := nc.(syscall.Conn)
	if !ok {
		return false
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	closed := false
	err = raw.Control(func(fd uintptr) {
		polled := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
		n, err := unix.Poll(polled, 0)
		closed = err == nil && n > 0
	})
	return err != nil || closed
}
