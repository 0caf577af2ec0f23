package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/jackc/pgproto3/v2"
	"github.com/xdg-go/scram"
)

// The longest messages, in bytes: start-up packets as in PostgreSQL, what a
// client sends while it logs in, and what it sends after.
const (
	maxStartup = 10000
	maxLogin   = 4096
	maxMessage = 256 << 20
)

// How much is read at a time, in bytes: little from those who may be anybody.
const (
	loginBuffer   = 512
	sessionBuffer = 8 << 10
)

// flushSize is how much is gathered before it is sent, in bytes.
const flushSize = 64 << 10

// keepAlive finds the machines that vanish without a word, in a minute.
var keepAlive = net.KeepAliveConfig{Enable: true, Idle: 30 * time.Second, Interval: 10 * time.Second, Count: 3}

// conn reads and writes messages. It is for one goroutine.
type conn struct {
	raw     net.Conn // as accepted; it never changes
	sender  *sender  // over raw
	nc      net.Conn // sender, or TLS over it
	in      *chunks
	backend *pgproto3.Backend
	out     []byte          // what has not been sent yet
	err     error           // the first error of writing: the connection is dead
	copying bool            // a statement reads from it; guarded by the server's mu
	ctx     context.Context // ends when the connection is to end before it has logged in
	cancel  context.CancelFunc
	owner   bool // it came by the socket of the data directory's owner
	from    netip.Prefix
	binding scram.ChannelBinding // what a proof of a password can be tied to, under TLS
}

func newConn(nc net.Conn) *conn {
	c := &conn{raw: nc, sender: &sender{Conn: nc}}
	c.use(c.sender)
	return c
}

// use goes on with another connection, such as TLS over the first.
func (c *conn) use(nc net.Conn) {
	c.nc = nc
	c.in = &chunks{r: &ahead{nc: nc, size: loginBuffer}, limit: maxStartup}
	c.backend = pgproto3.NewBackend(c.in, nc)
}

// loggedIn lets the client send messages of any size, which are charged to an account,
// and makes the buffers for it.
func (c *conn) loggedIn(a account) {
	if tcp, ok := c.raw.(*net.TCPConn); ok {
		tcp.SetKeepAliveConfig(keepAlive)
	}
	c.in.limit, c.in.account = maxMessage, a
	c.in.r.size = sessionBuffer
}

// receive reads the next message, which is valid until the one after it. A
// message that cannot be decoded is an *Error of 08P01.
func (c *conn) receive() (msg pgproto3.FrontendMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			msg, err = nil, errProtocol("invalid message format")
		}
	}()
	msg, err = c.backend.Receive()
	if err == nil {
		return msg, nil
	}
	if c.in.err != nil {
		return nil, c.in.err
	}
	return nil, errProtocol("%v", err)
}

// send adds a message to what will be sent.
func (c *conn) send(msg pgproto3.BackendMessage) {
	out, err := msg.Encode(c.out)
	if err != nil {
		c.fail(err)
		return
	}
	c.out = out
	c.flushFull()
}

// flushFull sends what has been gathered when it is much.
func (c *conn) flushFull() {
	if len(c.out) >= flushSize {
		c.flush()
	}
}

// flush sends what has been gathered.
func (c *conn) flush() {
	if c.err == nil && len(c.out) > 0 {
		_, err := c.nc.Write(c.out)
		c.fail(err)
	}
	c.out = c.out[:0]
	if cap(c.out) > 4*flushSize {
		c.out = nil
	}
}

// fail notes the first error of writing.
func (c *conn) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// chunks hands a message's bytes to the decoder, and keeps a peer from making us
// hold more than the limit, or more than he has sent.
type chunks struct {
	r     *ahead
	limit int
	buf   []byte
	err   error // why reading ended
	// account is charged for large messages, twice since they are decoded; nil: there
	// are none yet.
	account account
	charged int64
}

// account is what memory is charged to.
type account interface {
	Grow(n int64) error
	Shrink(n int64)
}

// Next implements pgproto3.ChunkReader. The bytes are valid until the next call.
func (c *chunks) Next(n int) ([]byte, error) {
	if n < 0 || n > c.limit {
		c.err = errProtocol("invalid message length")
		return nil, c.err
	}
	if len(c.buf) > flushSize {
		c.buf = nil
	}
	if c.charged > 0 {
		c.account.Shrink(c.charged)
		c.charged = 0
	}
	for have := 0; have < n; {
		// Memory grows with what has arrived and not with what was announced.
		want := min(n, max(2*have, 4<<10))
		if want > len(c.buf) {
			if err := c.charge(want); err != nil {
				// The client hears of it when it has sent the rest.
				if _, lost := io.CopyN(io.Discard, c.r, int64(n-have)); lost != nil {
					err = fmt.Errorf("reading from the client: %w", lost)
				}
				c.err = err
				return nil, err
			}
			grown := make([]byte, want)
			copy(grown, c.buf[:have])
			c.buf = grown
		}
		if _, err := io.ReadFull(c.r, c.buf[have:want]); err != nil {
			c.err = fmt.Errorf("reading from the client: %w", err)
			return nil, c.err
		}
		have = want
	}
	return c.buf[:n:n], nil
}

// charge charges a buffer of so many bytes before it is made, where it is large.
func (c *chunks) charge(size int) error {
	if c.account == nil || size <= flushSize {
		return nil
	}
	more := 2*int64(size) - c.charged
	if err := c.account.Grow(more); err != nil {
		return err
	}
	c.charged += more
	return nil
}

// wait waits for the next message to begin, or for ctx to end.
func (c *conn) wait(ctx context.Context) error {
	woken := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.raw.SetReadDeadline(time.Unix(1, 0))
		close(woken)
	})
	err := c.in.r.wait()
	if stop() {
		return ignoreAgain(err)
	}
	<-woken
	c.raw.SetReadDeadline(time.Time{})
	return endOf(ctx)
}

// ignoreAgain leaves errors of waiting to the reading that follows, which returns
// them again.
func ignoreAgain(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return nil
}

// sendError reports to the client an error in a statement with this text.
func (c *conn) sendError(err error, text string) { c.send(errorResponse("ERROR", err, text)) }

// sendFatal reports to the client why the connection ends.
func (c *conn) sendFatal(err error) {
	c.send(errorResponse("FATAL", err, ""))
	c.flush()
}

// sendNotices sends notices to the client.
func (c *conn) sendNotices(list []cubeloom.Notice) {
	for _, n := range list {
		c.send(&pgproto3.NoticeResponse{Severity: n.Severity, SeverityUnlocalized: n.Severity, Code: n.Code, Message: n.Message, Detail: n.Detail})
	}
}
