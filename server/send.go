package server

import (
	"encoding/binary"

	"github.com/cubeloom/cubeloom"
)

// largeRow is how long a row's message may be that is made as a whole before it is
// sent, in bytes.
const largeRow = 4 * flushSize

// sendRow adds the message of one row to what will be sent.
func (s *session) sendRow(cells []cubeloom.Cells, row int) {
	c := s.conn
	start := len(c.out)
	if out, fits := appendDataRow(c.out, cells, row); fits {
		c.out = out
		return
	}
	c.out = c.out[:start]
	length := 6
	for i := range cells {
		length += 4
		if !cells[i].IsNull(row) {
			length += len(cells[i].Bytes(row))
		}
	}
	c.out = append(c.out, 'D')
	c.out = binary.BigEndian.AppendUint32(c.out, uint32(length))
	c.out = binary.BigEndian.AppendUint16(c.out, uint16(len(cells)))
	for i := range cells {
		if cells[i].IsNull(row) {
			c.out = append(c.out, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		cell := cells[i].Bytes(row)
		c.out = binary.BigEndian.AppendUint32(c.out, uint32(len(cell)))
		s.sendPart(cell)
	}
}

// sendPart sends a part of a message, a piece after the other. When the statement ends
// within it, the rest of the message cannot be left out: little of it is kept, and
// where it is much the connection ends. It reports whether anything has been sent.
func (s *session) sendPart(part []byte) (sent bool) {
	c := s.conn
	for len(part) > 0 && c.err == nil {
		n := min(len(part), flushSize)
		c.out = append(c.out, part[:n]...)
		part = part[n:]
		if len(c.out) < flushSize {
			continue
		}
		c.flush()
		sent = true
		if err := s.interrupted(); err != nil && len(part) > maxRest/2 {
			c.fail(err)
		}
	}
	return sent
}

// appendDataRow appends the message of one row, unless it is a large one.
func appendDataRow(out []byte, cells []cubeloom.Cells, row int) (message []byte, fits bool) {
	start := len(out)
	out = append(out, 'D', 0, 0, 0, 0)
	out = binary.BigEndian.AppendUint16(out, uint16(len(cells)))
	for i := range cells {
		c := &cells[i]
		if c.IsNull(row) {
			out = append(out, 0xff, 0xff, 0xff, 0xff)
			continue
		}
		cell := c.Bytes(row)
		if len(out)-start+len(cell) > largeRow {
			return out, false
		}
		out = binary.BigEndian.AppendUint32(out, uint32(len(cell)))
		out = append(out, cell...)
	}
	binary.BigEndian.PutUint32(out[start+1:], uint32(len(out)-start-1))
	return out, true
}
