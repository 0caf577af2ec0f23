// Package csvfile reads and writes tables as CSV and in PostgreSQL's COPY text
// format, with the options and the error messages of PostgreSQL's COPY.
package csvfile

import (
	"slices"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options say how a file is written. NewOptions returns the defaults of a format.
type Options struct {
	Text      bool   // PostgreSQL's text format instead of CSV
	Delimiter byte   // between fields
	Null      string // what an unquoted NULL looks like
	Header    bool   // the first line holds the column names
	Match     bool   // … which have to be the table's
	Quote     byte   // CSV: around fields
	Escape    byte   // CSV: before a quote within a field

	Zone  *time.Location                    // of moments; nil is UTC
	Style value.Style                       // of dates, intervals and floats
	Names func(algebra.Alias, int64) string // of object identifiers, when writing

	ForceQuote    Columns // CSV, writing: fields that are always quoted unless NULL
	ForceNotNull  Columns // CSV, reading: fields in which Null is a text
	ForceNullable Columns // CSV, reading: fields in which Null is NULL even when quoted
}

// Columns is a set of column names.
type Columns struct {
	All   bool
	Names []string
}

// has reports whether the set holds a column.
func (c *Columns) has(name string) bool {
	if c.All {
		return true
	}
	return slices.Contains(c.Names, name)
}

// NewOptions are the defaults of CSV, or of the text format.
func NewOptions(text bool) Options {
	if text {
		return Options{Text: true, Delimiter: '\t', Null: `\N`}
	}
	return Options{Delimiter: ',', Quote: '"', Escape: '"'}
}
