package server

import (
	"errors"
	"io"
	"net"
	"os"
)

// maxAhead is how much is read ahead of the messages that are waited for, in
// bytes.
const maxAhead = 1 << 20

// errAhead says that maxAhead bytes wait to be read.
var errAhead = errors.New("server: read ahead as far as may be")

// ahead reads from a connection into a buffer that grows only where the session
// reads ahead to notice the end of its client. It is for one goroutine at a time.
type ahead struct {
	nc   net.Conn
	size int    // of the buffer, but for reading ahead
	buf  []byte // [from:] has been received and not read
	from int
	err  error // why reading ended; it comes behind what was received
}

// buffered is how many bytes have been received and not read.
func (a *ahead) buffered() int { return len(a.buf) - a.from }

// wait returns when there is something to read, or the error of reading.
func (a *ahead) wait() error {
	if a.buffered() > 0 {
		return nil
	}
	return a.fill()
}

// Read implements io.Reader.
func (a *ahead) Read(p []byte) (int, error) {
	if a.buffered() == 0 {
		if len(p) >= a.size && a.err == nil {
			return a.receive(p)
		}
		if err := a.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, a.buf[a.from:])
	a.from += n
	return n, nil
}

// fill receives some bytes more than there are. It fails with errAhead where there
// are too many already.
func (a *ahead) fill() error {
	if a.err != nil {
		return a.err
	}
	switch have := a.buffered(); {
	case have == 0:
		if cap(a.buf) != a.size {
			a.buf = make([]byte, 0, a.size)
		}
		a.buf, a.from = a.buf[:0], 0
	case have >= maxAhead:
		return errAhead
	case len(a.buf) < cap(a.buf):
	case a.from >= cap(a.buf)/2:
		a.buf, a.from = a.buf[:copy(a.buf, a.buf[a.from:])], 0
	default:
		grown := make([]byte, have, min(2*cap(a.buf), maxAhead))
		copy(grown, a.buf[a.from:])
		a.buf, a.from = grown, 0
	}
	n, err := a.receive(a.buf[len(a.buf):cap(a.buf)])
	a.buf = a.buf[:len(a.buf)+n]
	if n > 0 {
		return nil
	}
	return err
}

// receive reads from the connection. It keeps an error that will not go away.
func (a *ahead) receive(p []byte) (int, error) {
	n, err := a.nc.Read(p)
	if err == nil && n == 0 {
		err = io.ErrNoProgress
	}
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		a.err = err
	}
	if n > 0 {
		return n, nil
	}
	return 0, err
}
