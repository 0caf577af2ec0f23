package main

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/harness"
)

// keepRows is the number of rows up to which answers are compared row by row,
// so that a difference can be shown. Larger answers are compared by a digest.
const keepRows = 200_000

// A Digest stands for an answer: its rows themselves if they are few, a digest of them
// all, and its floating-point numbers, which that leaves out.
type Digest struct {
	harness.Digest
	kept [][]Value
	// inexact are the columns that hold floating-point numbers in the first
	// engine's answer.
	inexact map[int]bool
	floats  harness.Floats
	// magnitude is the query's.
	magnitude float64
	// unsorted is the first row that breaks the order of the query, from 1.
	unsorted int64
}

// NewDigest reads an answer. First is the digest of the first engine's answer,
// nil for that one itself.
func NewDigest(a Answer, q workload.Query, first *Digest) (*Digest, error) {
	d := &Digest{inexact: map[int]bool{}, magnitude: q.Magnitude}
	if first != nil {
		d.inexact = first.inexact
	}
	var buf []byte
	var last []Value
	err := a.Each(func(row []Value) error {
		buf = d.add(row, first == nil, buf[:0])
		if d.Rows <= keepRows {
			d.kept = append(d.kept, slices.Clone(row))
		}
		if len(q.OrderBy) > 0 {
			if last != nil && d.unsorted == 0 && compareKeys(last, row, q.OrderBy) > 0 {
				d.unsorted = d.Rows
			}
			last = append(last[:0], row...)
		}
		return nil
	})
	d.floats.Sort()
	return d, err
}

// add takes a row; learn says that it tells which columns are inexact. It returns
// buf back to be used again.
func (d *Digest) add(row []Value, learn bool, buf []byte) []byte {
	var floats []float64
	for i, v := range row {
		if learn && v.Kind == Float {
			d.inexact[i] = true
		}
		if f, isNumber := v.number(); isNumber && d.inexact[i] {
			floats = append(floats, f)
			continue
		}
		buf = v.append(buf)
	}
	rest := d.Add(buf)
	if floats != nil {
		d.floats.Add(rest, floats)
	}
	return buf
}

// append writes the value so that different values differ.
func (v Value) append(to []byte) []byte {
	to = append(to, byte(v.Kind))
	switch v.Kind {
	case Integer:
		to = strconv.AppendInt(to, v.Int, 10)
	case Float:
		to = strconv.AppendFloat(to, v.Float, 'g', -1, 64)
	case Text:
		to = strconv.AppendInt(to, int64(len(v.Text)), 10)
		to = append(to, ':')
		to = append(to, v.Text...)
	}
	return append(to, 0)
}

// String is the value as it is reported.
func (v Value) String() string {
	switch v.Kind {
	case Null:
		return "NULL"
	case Integer:
		return strconv.FormatInt(v.Int, 10)
	case Float:
		return strconv.FormatFloat(v.Float, 'g', -1, 64)
	}
	return v.Text
}

// compareKeys compares two rows by sort keys.
func compareKeys(a, b []Value, keys []workload.Key) int {
	for _, k := range keys {
		c := compareValues(a[k.Column], b[k.Column])
		if k.Desc {
			c = -c
		}
		if c != 0 {
			return c
		}
	}
	return 0
}

// compareValues orders values: numbers by size, texts by bytes, NULL last.
func compareValues(a, b Value) int {
	if a.Kind == Null || b.Kind == Null {
		return flag(a.Kind == Null) - flag(b.Kind == Null)
	}
	if a.Kind == Integer && b.Kind == Integer {
		switch {
		case a.Int < b.Int:
			return -1
		case a.Int > b.Int:
			return 1
		}
		return 0
	}
	if x, ok := a.number(); ok {
		if y, ok := b.number(); ok {
			switch {
			case x < y:
				return -1
			case x > y:
				return 1
			}
			return 0
		}
	}
	return strings.Compare(a.String(), b.String())
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

// number is the value as a floating-point number, if it is one.
func (v Value) number() (float64, bool) {
	switch v.Kind {
	case Integer:
		return float64(v.Int), true
	case Float:
		return v.Float, true
	case Text:
		f, err := strconv.ParseFloat(v.Text, 64)
		return f, err == nil
	}
	return 0, false
}

// Compare reports the first difference between two answers, or nil.
func (d *Digest) Compare(want *Digest) error {
	switch {
	case d.Rows != want.Rows:
		return fmt.Errorf("%d rows, want %d", d.Rows, want.Rows)
	case d.unsorted > 0:
		return fmt.Errorf("row %d is out of order", d.unsorted)
	case d.Digest == want.Digest && d.floats.Agree(&want.floats, d.magnitude):
		return nil
	case d.Rows > keepRows:
		return fmt.Errorf("%d rows each, but not the same", d.Rows)
	}
	a, b := sortedRows(d.kept), sortedRows(want.kept)
	for i := range a {
		if len(a[i]) != len(b[i]) {
			return fmt.Errorf("%d columns, want %d", len(a[i]), len(b[i]))
		}
		for c := range a[i] {
			if !d.agree(a[i][c], b[i][c]) {
				return fmt.Errorf("row %d in sorted order: %v, want %v", i+1, a[i], b[i])
			}
		}
	}
	return nil
}

// agree reports whether two values are the same or, where one is a floating-point
// number, nearly.
func (d *Digest) agree(v, w Value) bool {
	if v == w {
		return true
	}
	x, isNumber := v.number()
	y, isNumberToo := w.number()
	if !isNumber || !isNumberToo || v.Kind != Float && w.Kind != Float {
		return false
	}
	return harness.NearlyEqual(x, y, d.magnitude)
}

// sortedRows sorts rows by their values from the first column on.
func sortedRows(rows [][]Value) [][]Value {
	sort.Slice(rows, func(i, j int) bool {
		a, b := rows[i], rows[j]
		for c := range min(len(a), len(b)) {
			if order := compareValues(a[c], b[c]); order != 0 {
				return order < 0
			}
		}
		return false
	})
	return rows
}
