package algebra

import (
	"sync/atomic"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Sample is rows of a table drawn at random, each with the values of all columns
// of the table. It never changes, and goroutines may share it. A nil Sample has no
// rows.
type Sample struct {
	rows [][]value.Value
	cols []atomic.Pointer[SampleColumn] // those that were asked for
}

// SampleColumn says which rows of a sample have the same value in a column, NULL
// included: what depends on that column alone is computed once for each value.
type SampleColumn struct {
	First []int // by value: the first row that has it
	Of    []int // by row: the value that it has
}

// NewSample makes a sample of rows of one length, which must not change after it;
// nil where there are none.
func NewSample(rows [][]value.Value) *Sample {
	if len(rows) == 0 {
		return nil
	}
	return &Sample{rows: rows, cols: make([]atomic.Pointer[SampleColumn], len(rows[0]))}
}

// Rows are the rows; the caller must not change them.
func (s *Sample) Rows() [][]value.Value {
	if s == nil {
		return nil
	}
	return s.rows
}

// Width is the number of columns.
func (s *Sample) Width() int { return len(s.cols) }

// Column returns column i of the table, which is made when somebody first asks for
// it.
func (s *Sample) Column(i int) *SampleColumn {
	if c := s.cols[i].Load(); c != nil {
		return c
	}
	c := &SampleColumn{Of: make([]int, len(s.rows))}
	values := make(map[value.Value]int)
	for row, vals := range s.rows {
		at, known := values[vals[i]]
		if !known {
			at = len(c.First)
			values[vals[i]] = at
			c.First = append(c.First, row)
		}
		c.Of[row] = at
	}
	s.cols[i].Store(c)
	return c
}
