package store

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/store/closure"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// deriveOf derives what is asked for of elements of a kind.
func deriveOf[K cmp.Ordered](s *hierarchySource, kind *elementKind[K]) *Table {
	e := &elements[K]{hierarchySource: s, kind: kind, number: map[K]int32{}}
	switch s.weighs.Kind {
	case algebra.Float64:
		return deriveWith(e, doubleWeights)
	case algebra.Numeric:
		return deriveWith(e, exactWeights)
	}
	return deriveWith(e, wholeWeights)
}

func deriveWith[K cmp.Ordered, W comparable](e *elements[K], weights *weightKind[W]) *Table {
	if e.old != nil {
		if t, ok, err := follow(e, weights); ok || err != nil {
			sqlstate.Check(err)
			return t
		}
	}
	g := graphOf(e, weights)
	if e.what == allPlaces {
		return placesOf(e, g)
	}
	c, err := closure.Compute(g, weights.by, e.meter)
	if err != nil {
		panic(e.named(err))
	}
	out := e.table(Column{Name: "base", Type: e.element}, Column{Name: "element", Type: e.element},
		Column{Name: "weight", Type: e.weighs}, Column{Name: "distance", Type: algebra.TInt32})
	for base := range g.Nodes {
		for _, r := range c.Of(base) {
			e.kind.put(out.Col(0), e.keys[base])
			e.kind.put(out.Col(1), e.keys[r.Node])
			weights.put(out.Col(2), r.Weight)
			out.Col(3).Int(int64(r.Distance))
			sqlstate.Check(out.row())
		}
	}
	return out.finish()
}

// placesOf is the table of the elements.
func placesOf[K cmp.Ordered, W any](e *elements[K], g *closure.Graph[W]) *Table {
	places := sqlstate.Must(closure.Walk(g, e.meter))
	out := e.table(Column{Name: "element", Type: e.element}, Column{Name: "level", Type: algebra.TInt32}, Column{Name: "leaf", Type: algebra.TBool},
		Column{Name: "children", Type: algebra.TInt32}, Column{Name: "position", Type: algebra.TInt32})
	for n, p := range places {
		e.kind.put(out.Col(0), e.keys[n])
		out.Col(1).Int(int64(p.Level))
		out.Col(2).Bool(p.Children == 0)
		out.Col(3).Int(int64(p.Children))
		out.Col(4).Int(int64(p.Position))
		sqlstate.Check(out.row())
	}
	return out.finish()
}

// tableWriter writes the rows of a derived table.
type tableWriter struct {
	*Batch
	meter *value.Meter
}

// table begins a table whose columns are never NULL.
func (e *elements[K]) table(columns ...Column) *tableWriter {
	for i := range columns {
		columns[i].NotNull = true
	}
	t, err := NewTable(Definition{Name: e.name, Columns: columns})
	if err != nil {
		panic(err)
	}
	app := t.Append()
	app.memory = e.account
	return &tableWriter{Batch: app.NewBatch(), meter: e.meter}
}

// row ends a row.
func (w *tableWriter) row() error {
	if err := w.meter.Check(64); err != nil || !w.Full() {
		return err
	}
	return w.seal()
}

func (w *tableWriter) seal() error {
	part, err := w.Seal()
	if err != nil {
		return err
	}
	return w.app.Add(part)
}

func (w *tableWriter) finish() *Table {
	sqlstate.Check(w.seal())
	return sqlstate.Must(w.app.Finish())
}

// The bounds of a message: so many elements of a cycle in the message itself, and so many
// bytes of all of them in its detail.
const (
	shownCycle      = 8
	shownCycleBytes = 16 << 10
)

// named is an error of a closure with elements in the place of numbers.
func (e *elements[K]) named(err error) error {
	var cycle *closure.Cycle
	var overflow *closure.Overflow
	var by *value.Error
	switch {
	case errors.As(err, &cycle):
		return e.cycle(cycle.Nodes)
	case errors.As(err, &overflow) && errors.As(overflow.Err, &by):
		out := value.Errorf(by.Code, "the weight of element %s in element %s of hierarchy %q overflows",
			e.text(e.keys[overflow.From]), e.text(e.keys[overflow.To]), e.name)
		out.Detail = by.Message
		return out
	}
	return err
}

// cycle is the error of elements of which each has the next one as a parent.
func (e *elements[K]) cycle(nodes []int32) error {
	var path strings.Builder
	for i, n := range nodes {
		if path.Len() > shownCycleBytes {
			fmt.Fprintf(&path, "... %d more -> ", len(nodes)-i)
			break
		}
		path.WriteString(e.text(e.keys[n]) + " -> ")
	}
	path.WriteString(e.text(e.keys[nodes[0]]))
	if len(nodes) <= shownCycle {
		return value.Errorf(value.CodeCheckViolation, "the edges of hierarchy %q form a cycle: %s", e.name, path.String())
	}
	err := value.Errorf(value.CodeCheckViolation, "the edges of hierarchy %q form a cycle of %d elements", e.name, len(nodes))
	err.Detail = path.String()
	return err
}
