package scope

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/term"
)

// Add returns the column of a call over a window.
func (g *Windowing) Add(b *Binder, w *Window, call algebra.WindowCall) algebra.Column {
	spec := g.spec(w)
	for i := range spec.Calls {
		if have := &spec.Calls[i]; sameCall(have, &call) {
			return have.Column
		}
	}
	call.Column = b.NewColumn(call.Column.Name, call.Column.Type, call.Column.Nullable)
	spec.Calls = append(spec.Calls, call)
	g.Made.Add(call.Column.ID)
	return call.Column
}

// AddBehind returns the column of a call over a partition, which may look at those of the windows so far.
func (g *Windowing) AddBehind(b *Binder, partition []algebra.Expr, call algebra.WindowCall) algebra.Column {
	call.Column = b.NewColumn(call.Column.Name, call.Column.Type, call.Column.Nullable)
	g.Specs = append(g.Specs, &WindowSpec{Partition: partition, Calls: []algebra.WindowCall{call}})
	g.Made.Add(call.Column.ID)
	return call.Column
}

// spec finds or makes the window of a partition and an order.
func (g *Windowing) spec(w *Window) *WindowSpec {
	for _, have := range g.Specs {
		if term.SameExprs(have.Partition, w.Partition) && term.SameKeys(have.Order, w.Order) {
			return have
		}
	}
	spec := &WindowSpec{Partition: w.Partition, Order: w.Order}
	g.Specs = append(g.Specs, spec)
	return spec
}

func sameCall(a, b *algebra.WindowCall) bool {
	bound := func(a, b *algebra.FrameBound) bool {
		return a.Kind == b.Kind && a.Offset == b.Offset && algebra.Equal(a.Limit, b.Limit)
	}
	return a.Func == b.Func && term.SameExprs(a.Args, b.Args) && algebra.Equal(a.Filter, b.Filter) &&
		a.Frame.Unit == b.Frame.Unit && a.Frame.Exclude == b.Frame.Exclude &&
		bound(&a.Frame.Start, &b.Frame.Start) && bound(&a.Frame.End, &b.Frame.End)
}

// Columns are the columns of all calls.
func (g *Windowing) Columns() []algebra.Column {
	var cols []algebra.Column
	for _, spec := range g.Specs {
		for i := range spec.Calls {
			cols = append(cols, spec.Calls[i].Column)
		}
	}
	return cols
}

// MapExprs replaces every expression of the windows and of QUALIFY.
func (g *Windowing) MapExprs(f func(algebra.Expr) algebra.Expr) {
	for _, spec := range g.Specs {
		n := &algebra.Window{PartitionBy: spec.Partition, OrderBy: spec.Order, Calls: spec.Calls}
		if mapped, ok := algebra.MapExprs(n, f).(*algebra.Window); ok {
			spec.Partition, spec.Order, spec.Calls = mapped.PartitionBy, mapped.OrderBy, mapped.Calls
		}
	}
	if g.Qualify != nil {
		g.Qualify = f(g.Qualify)
	}
}
