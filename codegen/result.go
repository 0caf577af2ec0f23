package codegen

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// result is where the result of a group is and what it looks like.
type result struct {
	binding  Binding
	fields   []lower.Field
	ordinals []int   // where each field stands in the binding; nil: in order
	maxRows  float64 // proven, infinite for unknown
	unique   bool    // of a hash table: no two rows have equal keys
	name     string
}

// find is the place of a column among the fields, or -1.
func (r *result) find(id algebra.ColumnID) int {
	return slices.IndexFunc(r.fields, func(f lower.Field) bool { return f.Column.ID == id })
}

// ordinal is where field i stands in the binding.
func (r *result) ordinal(i int) int {
	if r.ordinals == nil {
		return i
	}
	return r.ordinals[i]
}

// readAs returns a hash table as a probe reads it. A column that the table does not have is one
// that nothing needs.
func (r *result) readAs(cols []probe.Column) result {
	read := *r
	read.fields, read.ordinals = []lower.Field{}, []int{}
	for _, c := range cols {
		if at := r.find(c.Of.ID); at >= 0 {
			f := r.fields[at]
			f.Column = c.As
			read.fields, read.ordinals = append(read.fields, f), append(read.ordinals, r.ordinal(at))
		}
	}
	return read
}

// rows returns the result of the query: the columns cols of a result, in order.
func (r *result) rows(cols []algebra.Column) Binding {
	at := make([]int, len(cols))
	same := len(cols) == len(r.fields)
	for i, c := range cols {
		at[i] = r.find(c.ID)
		if at[i] < 0 {
			panic(fmt.Errorf("the result has no column %s", c.Name))
		}
		same = same && r.ordinal(at[i]) == i
	}
	if same {
		return r.binding
	}
	b := Binding{Parts: slices.Clone(r.binding.Parts)}
	for i := range b.Parts {
		p := &b.Parts[i]
		old := p.Cols
		p.Cols = make([]PartCol, len(at))
		for k, o := range at {
			if old != nil {
				p.Cols[k] = old[o]
			} else {
				p.Cols[k] = PartCol{Ordinal: r.ordinal(o), Type: r.fields[o].Type}
			}
		}
	}
	return b
}

type generator struct {
	program   *fusion.Program
	enclosing map[algebra.ColumnID]*Loop
	results   []result // by operator; set for the last of each group
	out       *Program
}
