// Package store keeps tables: columns as Arrow-layout chunks in blocks of
// runtime.BlockRows rows, encoded as narrowly as their range allows, with
// statistics per block and column.
//
// Everything that readers see is immutable. A Table is one version of a table;
// an Appender makes the next version, sharing the blocks of the old one. A
// Catalog maps names to tables and views, and a Tx changes several of them at
// once or not at all.
package store

import (
	"strings"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
)

// Column describes a column of a table.
type Column struct {
	Name    string
	Type    algebra.Type
	Domain  uint32 // the OID of the domain whose values are of the type; 0 where it is of no domain
	NotNull bool
	Default string // the text of the expression that INSERT takes where it has no value; "": NULL
}

// generatedAs stands before the text of the expression of a generated column in the default. No
// expression begins so.
const generatedAs = "\x00generated."

// GeneratedAs is the default of a generated column, by the text of its expression over the other columns.
func GeneratedAs(text string) string { return generatedAs + text }

// Generated is the text of the expression of a generated column; "" for any other.
func (c *Column) Generated() string {
	if text, ok := strings.CutPrefix(c.Default, generatedAs); ok {
		return text
	}
	return ""
}

// Source is a relation that a query can name: a *Table or a file. Its columns
// have names, SQL types and statistics.
type Source interface {
	runtime.Relation
	// Columns describes the columns; the caller must not change the slice.
	Columns() []Column
	// Stats is what is known of column i.
	Stats(i int) algebra.Stats
	// Exact reports whether the bounds of Stats are proven, which they are not
	// where a file of others states them.
	Exact() bool
}

// PhysicalType is the type that a stored column of SQL type t has in a kernel.
// Text is Code where the whole column is dictionary-encoded (dict) and Str
// otherwise.
func PhysicalType(t algebra.Type, dict bool) kernel.Type {
	if dict && t.IsString() {
		return kernel.Code
	}
	return lower.PhysicalType(t)
}

// storedAsInts reports whether values of type t are gathered as 64-bit integers:
// integers, dates, times, enums and decimals, the latter until one is too wide.
func storedAsInts(t algebra.Type) bool {
	switch t.Kind {
	case algebra.Int16, algebra.Int32, algebra.Int64, algebra.Date, algebra.Timestamp, algebra.TimestampTZ, algebra.Time, algebra.Enum, algebra.Decimal:
		return true
	}
	return false
}

// magnitude is what is known of the magnitude of a column of double precision or numeric:
// nil until somebody has asked.
type magnitude = atomic.Pointer[knownMagnitude]

type knownMagnitude struct {
	algebra.Magnitude
	finite bool
}
