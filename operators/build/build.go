// Package build is the operator that makes the hash table of a join's right
// input.
package build

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Operator makes a hash table of its input by Keys. Without keys all rows have
// equal keys. Members says that it is asked only whether a key has a row, Repeats that several rows
// are likely to have the same keys.
type Operator struct {
	operators.RowByRow
	Keys    []operators.Key
	Members bool
	Repeats bool
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := "by " + operators.KeyList(o.Keys)
	if len(o.Keys) == 0 {
		detail = "of all rows"
	}
	return operators.Traits{
		Name: "build", Detail: strings.TrimSpace(detail), Passes: true, Result: operators.Kernel,
		Why:   "the hash table is complete when all rows are in it",
		Needs: operators.Needs{Parts: machine.Parts{Build: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return nil }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return operators.KeyReferences(o.Keys) }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: o.gather}
}

func (o *Operator) gather(w *operators.Weave) {
	keys := w.Keys(o.Keys)
	sink := &kernel.Build{Keys: keys, Members: o.Members, Repeats: o.Repeats, Rows: w.Rows}
	sink.Payload = w.Outputs()
	vals := lists.Map(keys, func(k kernel.Key) kernel.ValueID { return k.Val })
	nulls := slices.ContainsFunc(keys, func(k kernel.Key) bool { return k.NullSafe && w.Value(k.Val).Nullable })
	w.UniqueKeys = slices.ContainsFunc(o.Keys, func(k operators.Key) bool {
		ref, ok := k.Expr.(*algebra.ColumnRef)
		return ok && !k.NullSafe && w.Unique.Has(ref.Column.ID)
	})
	table := w.Table(vals, max(w.Rows, w.Lookups/w.Machine.Planning.LookupsPerCell))
	if nulls {
		table.Refusal = "NULL is a value of a key"
	}
	sink.Dense = w.Decide(strategy.Preference{}, "hash table", operators.Tables.Offers(table)).Takes(operators.DenseTable)
	w.Func.Sink = sink
}
