// Package group is what the strategies of aggregation have in common: how groups are
// numbered, and what is kept for them.
package group

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/accumulator"
	"github.com/cubeloom/cubeloom/runtime/cpu/distinct"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Grouping is how an Aggregate finds its groups and what it keeps for each of them.
type Grouping struct {
	Run     *exec.Run
	In      *kernel.Aggregate
	IDs     []kernel.ValueID   // the operands: keys, arguments and filters, each once
	Keys    []int              // operands
	Specs   []accumulator.Spec // accumulators to keep
	results []int              // by Acc of the kernel: the spec that it is the result of
	shown   []int              // by key: the spec that keeps what it looks like, or -1
	Dense   *DenseKeys         // how groups are numbered where the strategy is Dense
	Layout  *keytable.Layout   // how keys are put together where it is Hash
	Order   *Order             // where it is Ordered
	ofRuns  int                // how many of Specs, the last ones, take the first row of a run alone
}

// Order is what is known of rows that come in the order of a key.
type Order struct {
	By     int // the key
	Type   kernel.Type
	Others []OtherKey
}

// OtherKey is a key that depends on another one: Spec keeps it of the first row of each
// run.
type OtherKey struct{ Operand, Spec int }

// Plan plans the accumulators of in.
func Plan(r *exec.Run, in *kernel.Aggregate) *Grouping {
	a := &Grouping{Run: r, In: in}
	for _, id := range in.Keys {
		a.Keys = append(a.Keys, a.operand(id))
		a.shown = append(a.shown, -1)
	}
	for i := range in.Accs {
		spec := a.spec(&in.Accs[i])
		a.results = append(a.results, a.share(spec))
	}
	return a
}

// NumberKeys finds how groups are numbered: by the values of dense keys, as runs of rows,
// or by a table of hashed keys. It is called when the first rows have come, since the dictionaries of
// computed codes are complete only then.
func (a *Grouping) NumberKeys() {
	if len(a.Keys) == 0 {
		return
	}
	if a.In.Strategy == kernel.Ordered {
		a.orderKeys()
		return
	}
	if a.In.Strategy == kernel.Dense {
		a.Dense = NewDenseKeys(a.Run, a.In.Keys)
	}
	if a.Dense == nil {
		a.hashKeys()
	}
}

// anyOf keeps the first value of an operand.
func anyOf(operand int, t kernel.Type) accumulator.Spec {
	return accumulator.Spec{Op: kernel.AccAny, Args: []int{operand}, ArgType: []kernel.Type{t}, Filter: -1, Dst: []kernel.Type{t}, Sparse: true}
}

// orderKeys has the keys that depend on that in whose order rows come kept.
func (a *Grouping) orderKeys() {
	a.Order = &Order{By: a.In.By, Type: a.Run.Kernel.Values[a.In.Keys[a.In.By]].Type}
	for i, op := range a.Keys {
		if i == a.In.By {
			continue
		}
		a.shown[i] = len(a.Specs)
		a.Order.Others = append(a.Order.Others, OtherKey{op, len(a.Specs)})
		a.Specs = append(a.Specs, anyOf(op, a.Run.Kernel.Values[a.In.Keys[i]].Type))
	}
	a.ofRuns = len(a.Order.Others)
}

// hashKeys chooses how keys are put together.
func (a *Grouping) hashKeys() {
	values := make([]kernel.Value, len(a.In.Keys))
	nullSafe := make([]bool, len(a.In.Keys))
	for i, id := range a.In.Keys {
		values[i], nullSafe[i] = a.Run.Kernel.Values[id], true
		if t := values[i].Type; t == kernel.Num || t == kernel.Interval {
			a.shown[i] = a.share(anyOf(a.Keys[i], t))
		}
	}
	a.Layout = keytable.NewLayout(values, nullSafe)
}

// operand returns the index of a value among the operands.
func (a *Grouping) operand(id kernel.ValueID) int {
	for i, have := range a.IDs {
		if have == id {
			return i
		}
	}
	a.IDs = append(a.IDs, id)
	return len(a.IDs) - 1
}

// ResultTypes are the types of the result's columns.
func (a *Grouping) ResultTypes() []kernel.Type {
	types := exec.ValueTypes(a.Run.Kernel, a.In.Keys)
	for i := range a.In.Accs {
		types = append(types, exec.ValueTypes(a.Run.Kernel, a.In.Accs[i].Dst)...)
	}
	return types
}

// MergesOnce reports whether an accumulator is to be merged with few calls, one at a
// time: each looks through the whole set of DISTINCT, or adds to one list of values.
func (a *Grouping) MergesOnce() bool {
	return a.KeepsRows() || slices.ContainsFunc(a.Specs, func(s accumulator.Spec) bool { return s.Dist })
}

// spec describes an Acc.
func (a *Grouping) spec(acc *kernel.Acc) accumulator.Spec {
	f := a.Run.Kernel
	s := accumulator.Spec{Op: acc.Op, Filter: -1, Dst: exec.ValueTypes(f, acc.Dst), Dist: acc.Distinct, Fraction: acc.Fraction, Sparse: len(a.In.Keys) == 0}
	if acc.Op != kernel.AccCountStar && len(acc.Args) == 0 {
		panic(exec.Internalf("accumulator %q has no argument", acc.Op))
	}
	args := acc.Args
	if acc.Op == kernel.AccConcatenate {
		s.Separator, args = constantText(f, args[1]), args[:1]
	}
	for _, id := range args {
		s.Args = append(s.Args, a.operand(id))
		s.ArgType = append(s.ArgType, f.Values[id].Type)
		s.ArgRange = f.Values[acc.Args[0]].Range
		s.Sparse = s.Sparse || f.Values[id].Nullable
	}
	if acc.Filter != kernel.NoValue {
		s.Filter = a.operand(acc.Filter)
		s.Sparse = true
	}
	if acc.Op == kernel.AccCount && !s.Dist && s.Filter < 0 && !f.Values[acc.Args[0]].Nullable {
		s.Op, s.Args, s.ArgType = kernel.AccCountStar, nil, nil
	}
	return s
}

// constantText is a text that all rows have.
func constantText(f *kernel.Func, id kernel.ValueID) string {
	i := slices.IndexFunc(f.Params, func(p kernel.Param) bool { return p.Dst == id })
	if i < 0 {
		panic(exec.Internalf("value %d is not constant", id))
	}
	return f.Params[i].Val.S
}

// KeepsRows reports whether an accumulator keeps what it takes of each row: then rows are
// partitioned from the start, so that it keeps those of one partition at a time.
func (a *Grouping) KeepsRows() bool {
	return slices.ContainsFunc(a.Specs, func(s accumulator.Spec) bool {
		row, _ := s.Op.Row()
		return row.AllRows
	})
}

// share returns the index of a spec, adding it where there is none like it.
func (a *Grouping) share(s accumulator.Spec) int {
	for i := range a.Specs {
		if a.Specs[i].Same(&s) {
			return i
		}
	}
	a.Specs = append(a.Specs, s)
	return len(a.Specs) - 1
}

// Width is about how many bytes a group takes.
func (a *Grouping) Width() int {
	n := 1
	for i := range a.Specs {
		if acc, err := sqlstate.Try(func() accumulator.Accumulator { return distinct.New(&a.Specs[i], &exec.Memory{}) }); err == nil {
			n += acc.Width()
		}
	}
	return n
}

// Unpartitionable says why the rows have no form that runs can hold, "" where they have.
func (a *Grouping) Unpartitionable() string {
	if len(a.Keys) == 0 {
		return "there are no keys"
	}
	if a.Layout != nil && a.Layout.Kind == keytable.Bytes {
		return "the keys do not fit two words"
	}
	for i := range a.Specs {
		for _, op := range a.Specs[i].Args {
			switch t := a.Run.Kernel.Values[a.IDs[op]].Type; t {
			case kernel.Num, kernel.Interval, kernel.Str:
				return fmt.Sprintf("an argument is of type %s", t)
			}
		}
	}
	return ""
}
