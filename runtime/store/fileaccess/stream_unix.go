//go:build unix

package fileaccess

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Flags that open a file without waiting for its writer or reader, and
// without making a terminal the process's.
const (
	readFlags      = os.O_RDONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
	writeFlags     = os.O_WRONLY | syscall.O_NONBLOCK | syscall.O_NOCTTY
	directoryFlags = readFlags | syscall.O_DIRECTORY
)

// pollMilliseconds is how long a stream waits before it looks whether its
// statement has been cancelled.
const pollMilliseconds = 50

// awaitInput waits a short while for input, or for its end, and reports whether
// there is any. A FIFO that nobody has opened for writing yet has none.
func awaitInput(f *os.File) (ready bool, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	controlErr := raw.Control(func(fd uintptr) {
		var n int
		n, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, pollMilliseconds)
		ready = n > 0
		if errors.Is(err, unix.EINTR) {
			err = nil
		}
	})
	return ready, errors.Join(controlErr, err)
}
