package csvfile

import (
	"github.com/cubeloom/cubeloom/runtime/store"
)

// parser turns rows into a batch. It is used by one goroutine at a time.
type parser struct {
	opt    *Options
	place  Place
	fields []target
	others []*store.Buffer // columns that get NULL in every row
	class  [256]uint8      // what a byte of an unquoted field means
	batch  *store.Batch
	// collect, where it is set, takes every field instead of fields.
	collect func(raw []byte, isNull bool)

	data    []byte // the chunk
	row     int    // where the row being read starts in it
	line    int    // of the row being read
	lines   int    // line ends within the row so far
	broken  bool   // the row has a NULL where there must be none
	lacks   bool   // every row has one, in a column that is not read
	ended   bool   // the end marker of the text format has been read
	unclean bool   // the chunk has bytes that no text may have
	scratch []byte // a field without its quotes and escapes
}

// Place says what is being read, for errors.
type Place struct {
	File  string // empty: standard input
	Table string // empty: none
}

// target is what a field of a row goes to.
type target struct {
	column  store.Column
	buffer  *store.Buffer // nil: the field is skipped
	notNull bool          // the null string is a text
	null    bool          // the null string is NULL even when quoted
}

// The classes of bytes; the rest belong to the field.
const (
	plainByte uint8 = iota
	delimiterByte
	newlineByte
	returnByte
	quoteByte
)
