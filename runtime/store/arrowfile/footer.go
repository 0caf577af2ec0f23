package arrowfile

import (
	"encoding/binary"
	"fmt"
	"io"

	flatbuffers "github.com/google/flatbuffers/go"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// The slots of the fields of Arrow's flatbuffers that say how many elements
// follow (format/File.fbs and Schema.fbs of Arrow's specification).
const (
	footerSchema   = 6
	schemaFields   = 6
	schemaMetadata = 8
	fieldTypeKind  = 8
	fieldType      = 10
	fieldChildren  = 14
	fieldMetadata  = 16
	unionTypeIDs   = 6
	unionKind      = 14
)

// trailer is what a file ends with behind the footer: its length and the magic
// text.
const trailer = 4 + len("ARROW1")

// footer is the footer of a file while it is checked.
type footer struct {
	bytes []byte
	left  int // fields that may still come
}

// checkFooter refuses a file whose footer says that it has more fields than it
// has room for: the format's reader allocates what the footer says. Other damage
// is the reader's to find. It panics where an offset leads out of the footer.
func checkFooter(r io.ReaderAt, size int64) {
	end := make([]byte, trailer)
	if size < int64(trailer) {
		return
	}
	sqlstate.Must(r.ReadAt(end, size-int64(trailer)))
	length := int64(int32(binary.LittleEndian.Uint32(end)))
	if length < 4 || length > size-int64(trailer) {
		return
	}
	f := &footer{bytes: make([]byte, length), left: int(length)}
	sqlstate.Must(r.ReadAt(f.bytes, size-int64(trailer)-length))
	root := flatbuffers.Table{Bytes: f.bytes, Pos: flatbuffers.GetUOffsetT(f.bytes)}
	schema, ok := f.table(&root, footerSchema)
	if !ok {
		return
	}
	f.count(&schema, schemaMetadata)
	f.fields(&schema, schemaFields)
}

// table is the table in a slot of t.
func (f *footer) table(t *flatbuffers.Table, slot flatbuffers.VOffsetT) (flatbuffers.Table, bool) {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return flatbuffers.Table{}, false
	}
	return flatbuffers.Table{Bytes: f.bytes, Pos: t.Indirect(t.Pos + at)}, true
}

// count is the number of elements of the vector in a slot of t. An element takes
// at least a byte.
func (f *footer) count(t *flatbuffers.Table, slot flatbuffers.VOffsetT) int {
	at := flatbuffers.UOffsetT(t.Offset(slot))
	if at == 0 {
		return 0
	}
	n := t.VectorLen(at)
	if n < 0 || n > len(f.bytes) {
		panic(fmt.Errorf("the footer of %d bytes claims %d elements", len(f.bytes), n))
	}
	return n
}

// fields checks the fields in a slot of t, and theirs.
func (f *footer) fields(t *flatbuffers.Table, slot flatbuffers.VOffsetT) {
	n := f.count(t, slot)
	for i := range n {
		if f.left--; f.left < 0 {
			panic(fmt.Errorf("the footer of %d bytes has more fields than it has room for", len(f.bytes)))
		}
		at := t.Vector(flatbuffers.UOffsetT(t.Offset(slot))) + flatbuffers.UOffsetT(4*i)
		field := flatbuffers.Table{Bytes: f.bytes, Pos: t.Indirect(at)}
		f.field(&field)
	}
}

func (f *footer) field(t *flatbuffers.Table) {
	f.count(t, fieldMetadata)
	if kind := t.GetByteSlot(fieldTypeKind, 0); kind == unionKind {
		if union, ok := f.table(t, fieldType); ok {
			f.count(&union, unionTypeIDs)
		}
	}
	f.fields(t, fieldChildren)
}
