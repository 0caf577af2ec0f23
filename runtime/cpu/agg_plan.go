package cpu

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// grouping is how an Aggregate finds its groups and what it keeps for each of them.
type grouping struct {
	run     *run
	in      *kernel.Aggregate
	ids     []kernel.ValueID // the operands: keys, arguments and filters, each once
	keys    []int            // operands
	specs   []accSpec        // accumulators to keep
	results []int            // by Acc of the kernel: the spec that it is the result of
	shown   []int            // by key: the spec that keeps what it looks like, or -1
	dense   *denseKeys       // how groups are numbered where the strategy is Dense
	layout  *keyLayout       // how keys are put together where it is Hash
}

// newGrouping plans the accumulators of in.
func newGrouping(r *run, in *kernel.Aggregate) (*grouping, error) {
	a := &grouping{run: r, in: in}
	for _, id := range in.Keys {
		a.keys = append(a.keys, a.operand(id))
		a.shown = append(a.shown, -1)
	}
	for i := range in.Accs {
		spec, err := a.spec(&in.Accs[i])
		if err != nil {
			return nil, err
		}
		a.results = append(a.results, a.share(spec))
	}
	return a, nil
}

// numberKeys finds how groups are numbered: by the values of dense keys, or by a table
// of hashed ones. It is called when the first rows have come, since the dictionaries of
// computed codes are complete only then.
func (a *grouping) numberKeys() (err error) {
	if len(a.keys) == 0 {
		return nil
	}
	if a.in.Strategy == kernel.Dense {
		if a.dense, err = newDenseKeys(a.run, a.in.Keys); err != nil {
			return err
		}
	}
	if a.dense == nil {
		a.hashKeys()
	}
	return nil
}

// hashKeys chooses how keys are put together.
func (a *grouping) hashKeys() {
	values := make([]kernel.Value, len(a.in.Keys))
	nullSafe := make([]bool, len(a.in.Keys))
	for i, id := range a.in.Keys {
		values[i], nullSafe[i] = a.run.f.Values[id], true
		if t := values[i].Type; t == kernel.Num || t == kernel.Interval {
			any := accSpec{op: kernel.AccAny, args: []int{a.keys[i]}, argType: []kernel.Type{t}, filter: -1, dst: []kernel.Type{t}, sparse: true}
			a.shown[i] = a.share(any)
		}
	}
	a.layout = newKeyLayout(values, nullSafe)
}

// operand returns the index of a value among the operands.
func (a *grouping) operand(id kernel.ValueID) int {
	for i, have := range a.ids {
		if have == id {
			return i
		}
	}
	a.ids = append(a.ids, id)
	return len(a.ids) - 1
}

// resultTypes are the types of the result's columns.
func (a *grouping) resultTypes() []kernel.Type {
	types := valueTypes(a.run.f, a.in.Keys)
	for i := range a.in.Accs {
		types = append(types, valueTypes(a.run.f, a.in.Accs[i].Dst)...)
	}
	return types
}

// mergesOnce reports whether an accumulator is to be merged with few calls, one at a
// time: each looks through the whole set of DISTINCT, or adds to one list of values.
func (a *grouping) mergesOnce() bool {
	return a.keepsRows() || slices.ContainsFunc(a.specs, func(s accSpec) bool { return s.dist })
}

// spec describes an Acc.
func (a *grouping) spec(acc *kernel.Acc) (accSpec, error) {
	f := a.run.f
	s := accSpec{op: acc.Op, filter: -1, dst: valueTypes(f, acc.Dst), dist: acc.Distinct, fraction: acc.Fraction, sparse: len(a.in.Keys) == 0}
	if acc.Op != kernel.AccCountStar && len(acc.Args) == 0 {
		return s, internalf("accumulator %q has no argument", acc.Op)
	}
	for _, id := range acc.Args {
		s.args = append(s.args, a.operand(id))
		s.argType = append(s.argType, f.Values[id].Type)
		s.argRange = f.Values[acc.Args[0]].Range
		s.sparse = s.sparse || f.Values[id].Nullable
	}
	if acc.Filter != kernel.NoValue {
		s.filter = a.operand(acc.Filter)
		s.sparse = true
	}
	if acc.Op == kernel.AccCount && !s.dist && s.filter < 0 && !f.Values[acc.Args[0]].Nullable {
		s.op, s.args, s.argType = kernel.AccCountStar, nil, nil
	}
	return s, nil
}

// keepsRows reports whether an accumulator keeps what it takes of each row: then rows are
// partitioned from the start, so that it keeps those of one partition at a time.
func (a *grouping) keepsRows() bool {
	return slices.ContainsFunc(a.specs, func(s accSpec) bool {
		row, _ := s.op.Row()
		return row.AllRows
	})
}

// share returns the index of a spec, adding it where there is none like it.
func (a *grouping) share(s accSpec) int {
	for i := range a.specs {
		if a.specs[i].same(&s) {
			return i
		}
	}
	a.specs = append(a.specs, s)
	return len(a.specs) - 1
}

// width is about how many bytes a group takes.
func (a *grouping) width() int {
	n := 1
	for i := range a.specs {
		if acc, err := newAccumulator(&a.specs[i], &memory{}); err == nil {
			n += acc.width()
		}
	}
	return n
}

// unpartitionable says why the rows have no form that runs can hold, "" where they have.
func (a *grouping) unpartitionable() string {
	if len(a.keys) == 0 {
		return "there are no keys"
	}
	if a.layout != nil && a.layout.kind == keyBytes {
		return "the keys do not fit two words"
	}
	for i := range a.specs {
		for _, op := range a.specs[i].args {
			switch t := a.run.f.Values[a.ids[op]].Type; t {
			case kernel.Num, kernel.Interval, kernel.Str:
				return fmt.Sprintf("an argument is of type %s", t)
			}
		}
	}
	return ""
}
