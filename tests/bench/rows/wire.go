package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// A wire is a connection that reads rows without making anything of them, so
// that the server is what is measured. It is for one goroutine.
type wire struct {
	nc   net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte
	pid  int // that the server says it has
}

// received is what a request brought.
type received struct {
	harness.Digest       // of the rows, where it was asked for; else their number alone
	bytes          int64 // of all messages, with their headers
}

// dial logs in as the user postgres, without a password.
func dial(network, address string) (*wire, error) {
	nc, err := net.Dial(network, address)
	if err != nil {
		return nil, err
	}
	w := &wire{nc: nc, in: bufio.NewReaderSize(nc, 256<<10)}
	const startup = "user\x00postgres\x00database\x00postgres\x00\x00"
	w.out = binary.BigEndian.AppendUint32(w.out, uint32(len(startup)+8))
	w.out = binary.BigEndian.AppendUint32(w.out, 3<<16)
	w.out = append(w.out, startup...)
	_, err = w.receive(false)
	return w, err
}

// message adds a message to the request.
func (w *wire) message(kind byte, parts ...any) {
	w.out = append(w.out, kind)
	at := len(w.out)
	w.out = append(w.out, 0, 0, 0, 0)
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			w.out = append(append(w.out, part...), 0)
		case byte:
			w.out = append(w.out, part)
		case int16:
			w.out = binary.BigEndian.AppendUint16(w.out, uint16(part))
		case int32:
			w.out = binary.BigEndian.AppendUint32(w.out, uint32(part))
		}
	}
	binary.BigEndian.PutUint32(w.out[at:], uint32(len(w.out)-at))
}

// query runs text by the simple protocol.
func (w *wire) query(text string, digest bool) (received, error) {
	w.message('Q', text)
	return w.receive(digest)
}

// execute runs text by the extended protocol, with results in a format.
func (w *wire) execute(text string, format int16, digest bool) (received, error) {
	w.message('P', "", text, int16(0))
	w.message('B', "", "", int16(0), int16(0), int16(1), format)
	w.message('D', byte('P'), "")
	w.message('E', "", int32(0))
	w.message('S')
	return w.receive(digest)
}

// receive sends the request and reads up to the next ReadyForQuery.
func (w *wire) receive(digest bool) (got received, failure error) {
	if _, err := w.nc.Write(w.out); err != nil {
		return got, err
	}
	w.out = w.out[:0]
	for {
		head, err := w.in.Peek(5)
		if err != nil {
			return got, err
		}
		kind, size := head[0], int(binary.BigEndian.Uint32(head[1:]))-4
		w.in.Discard(5)
		got.bytes += int64(size) + 5
		isRow := kind == 'D' || kind == 'd'
		if isRow && !digest {
			got.Rows++
			if _, err := w.in.Discard(size); err != nil {
				return got, err
			}
			continue
		}
		if w.body, err = w.read(size); err != nil {
			return got, err
		}
		switch {
		case isRow:
			got.Add(w.body)
		case kind == 'E':
			failure = fmt.Errorf("the server says %q", w.body)
		case kind == 'R' && binary.BigEndian.Uint32(w.body) != 0:
			return got, errors.New("the server asks for a password")
		case kind == 'K' && size == 8:
			w.pid = int(binary.BigEndian.Uint32(w.body))
		case kind == 'Z':
			return got, failure
		}
	}
}

// read reads a message's body, which is valid until the next.
func (w *wire) read(size int) ([]byte, error) {
	if cap(w.body) < size {
		w.body = make([]byte, size)
	}
	_, err := io.ReadFull(w.in, w.body[:size])
	return w.body[:size], err
}

// close ends the connection.
func (w *wire) close() error { return w.nc.Close() }
