package disk

import (
	"encoding/binary"
	"errors"
)

// encoder writes metadata: integers as varints, everything of variable length
// after its length.
type encoder struct{ b []byte }

// decoder reads what an encoder wrote. After a failure it returns zeros, and err
// is set.
type decoder struct {
	b   []byte
	err error
}

func (e *encoder) int(v int64) { e.b = binary.AppendVarint(e.b, v) }

func (e *encoder) text(s string) { e.uint(uint64(len(s))); e.b = append(e.b, s...) }

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) text() string { return string(d.raw()) }

func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

func (e *encoder) raw(b []byte) { e.uint(uint64(len(b))); e.b = append(e.b, b...) }

func (e *encoder) bool(v bool) {
	if v {
		e.b = append(e.b, 1)
	} else {
		e.b = append(e.b, 0)
	}
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count reads the number of things that follow, each of which takes at least a
// byte, so that a damaged number makes nobody allocate much.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.b)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) raw() []byte {
	n := d.count()
	out := d.b[:n:n]
	d.b = d.b[n:]
	return out
}

func (d *decoder) bool() bool { return d.uint() != 0 }

func (d *decoder) fail() {
	d.b = nil
	d.err = errShort
}

var errShort = errors.New("metadata ends too early")
