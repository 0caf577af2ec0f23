package store

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// sampleSize is how many rows a sample has at most, and sampledText how many
// bytes of a text.
const (
	sampleSize  = 512
	sampledText = 1024
)

// sampler makes the sample of the next version of a table.
type sampler struct {
	base  *Sample // of the version before, as long as no row has been added; else nil
	keys  []uint64
	rows  [][]value.Value
	next  uint64 // the number of the next row
	limit uint64 // rows with greater keys are not in the sample
}

// newSampler starts with the sample of a version of so many rows. Where that has
// none in spite of its rows the next version has none either: it would be of
// the new rows alone.
func newSampler(s *Sample, rows int64) sampler {
	out := sampler{base: s, next: uint64(rows), limit: math.MaxUint64}
	switch {
	case s == nil && rows > 0:
		out.limit = 0
	case s != nil:
		out.keys, out.rows = slices.Clip(s.Keys), slices.Clip(s.Rows.Rows())
		if len(s.Keys) == sampleSize {
			out.limit = slices.Max(s.Keys)
		}
	}
	return out
}

// add considers n more rows; row returns the values of one.
func (s *sampler) add(n int, row func(i int) []value.Value) {
	for i := range n {
		key := value.Hash64(s.next)
		s.next++
		if key > s.limit {
			continue
		}
		s.keys, s.rows, s.base = append(s.keys, key), append(s.rows, row(i)), nil
		if len(s.keys) == 2*sampleSize {
			s.trim()
		}
	}
}

// trim keeps the rows with the least keys.
func (s *sampler) trim() {
	if len(s.keys) <= sampleSize {
		return
	}
	order := lists.Upto[int](len(s.keys))
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(s.keys[a], s.keys[b]) })
	var keys []uint64
	var rows [][]value.Value
	for _, i := range order[:sampleSize] {
		keys, rows = append(keys, s.keys[i]), append(rows, s.rows[i])
	}
	s.keys, s.rows, s.limit = keys, rows, keys[sampleSize-1]
}

// finish returns the sample, nil for none: that of the version before where no new
// row is in it.
func (s *sampler) finish() *Sample {
	if len(s.keys) == 0 || s.base != nil {
		return s.base
	}
	s.trim()
	return &Sample{Keys: s.keys, Rows: algebra.NewSample(s.rows)}
}

// cut returns the beginning of a text that is too long for a sample.
func cut(s string) string {
	if len(s) <= sampledText {
		return s
	}
	n := sampledText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
