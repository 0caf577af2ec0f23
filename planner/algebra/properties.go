package algebra

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// property is a field that holds neither expressions nor columns.
type property interface {
	// equal reports whether another property of the same type is the same.
	equal(other property) bool
	// texts are the values in print; none where the property goes without saying.
	texts(ids bool) []string
}

// source is the table of a Scan.
type source Scan

func (s *source) texts(bool) []string {
	if s.Alias != "" && s.Alias != s.Table.Name {
		return []string{s.Table.Name + " as " + s.Alias}
	}
	return []string{s.Table.Name}
}

// equal reports whether two references are to one table in one state.
func (s *source) equal(other property) bool {
	a, b := s.Table, other.(*source).Table
	if a.Name != b.Name || reflect.TypeOf(a.Handle) != reflect.TypeOf(b.Handle) {
		return false
	}
	return a.Handle == nil || reflect.TypeOf(a.Handle).Comparable() && a.Handle == b.Handle
}

// constantRows are the rows of Values.
type constantRows [][]value.Value

func (r *constantRows) texts(bool) []string { return []string{strconv.Itoa(len(*r))} }

func (r *constantRows) equal(other property) bool { return reflect.DeepEqual(r, other) }

// texts implements property: a join's kind is in its name.
func (k *JoinKind) texts(bool) []string { return nil }

func (k *JoinKind) equal(other property) bool { return *k == *other.(*JoinKind) }

// setKind is what a SetOp computes, which is in its name.
type setKind SetOp

func (k *setKind) texts(bool) []string { return nil }

func (k *setKind) equal(other property) bool {
	o := other.(*setKind)
	return k.Kind == o.Kind && k.All == o.All
}

// groupingSets are those of an Aggregate.
type groupingSets Aggregate

func (s *groupingSets) texts(ids bool) []string {
	if (*Aggregate)(s).IsPlain() {
		return nil
	}
	texts := make([]string, len(s.Sets))
	for i, set := range s.Sets {
		var keys []string
		for k := range s.Keys {
			if set.Has(k) {
				keys = append(keys, columnText(s.Keys[k].Column, ids))
			}
		}
		texts[i] = "(" + strings.Join(keys, ", ") + ")"
	}
	return texts
}

func (s *groupingSets) equal(other property) bool {
	return slices.Equal(s.Sets, other.(*groupingSets).Sets)
}

// limit is a number of rows; below 0 there is none.
type limit int64

func (l *limit) texts(bool) []string {
	if *l < 0 {
		return nil
	}
	return []string{strconv.FormatInt(int64(*l), 10)}
}

func (l *limit) equal(other property) bool { return *l == *other.(*limit) }

func (f *FirstRows) texts(bool) []string {
	switch {
	case f.Rows == 0:
		return nil
	case f.Ties:
		return []string{strconv.FormatInt(f.Rows, 10) + " with ties"}
	}
	return []string{strconv.FormatInt(f.Rows, 10)}
}

func (f *FirstRows) equal(other property) bool { return *f == *other.(*FirstRows) }

// offset is a number of rows that are left out.
type offset int64

func (o *offset) texts(bool) []string {
	if *o <= 0 {
		return nil
	}
	return []string{strconv.FormatInt(int64(*o), 10)}
}

func (o *offset) equal(other property) bool { return *o == *other.(*offset) }

// distinctRows says whether equal rows count once.
type distinctRows bool

func (d *distinctRows) texts(bool) []string {
	if !*d {
		return nil
	}
	return []string{"rows"}
}

func (d *distinctRows) equal(other property) bool { return *d == *other.(*distinctRows) }
