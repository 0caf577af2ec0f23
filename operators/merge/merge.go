// Package merge is the operator that joins rows with a base table in the order of the
// key: the paper's join of sorted inputs, which divides both by key, joins part with
// part, and gathers what is left. Nothing is built before it.
package merge

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator joins the rows of input 0 with those of Scan's table, which are in
// ascending order of column By: those whose By is Key and for which Residual is true
// match. Unique says that no two rows of the table have an equal By. The rows of the
// input should come in the order of Key; the result is right if they do not.
type Operator struct {
	Kind     kernel.ProbeKind
	Key      operators.Key
	Scan     *algebra.Scan
	By       algebra.Column
	Unique   bool
	Residual []algebra.Expr
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := string(o.Kind) + " " + o.Scan.Table.Name
	if a := o.Scan.Alias; a != "" && a != o.Scan.Table.Name {
		detail += " as " + a
	}
	detail += " by " + o.Key.Expr.String() + " = " + o.By.Ref().String()
	if len(o.Residual) > 0 {
		detail += " if " + operators.List(o.Residual, " AND ")
	}
	return operators.Traits{
		Name: "merge", Detail: detail, Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: operators.Operations(o.Residual...).Plus(machine.Parts{Merge: 1})},
	}
}

// Dependence implements operators.Operator: the rows of a block, on a device those of a warp,
// are joined with the part of the table that has their keys.
func (o *Operator) Dependence(int) operators.Dependence { return operators.CTA }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	if o.filters() {
		return nil
	}
	return o.Scan.Cols
}

func (o *Operator) filters() bool {
	return o.Kind == kernel.ProbeSemi || o.Kind == kernel.ProbeAnti
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet {
	set := operators.KeyReferences([]operators.Key{o.Key})
	set.AddSet(operators.References(o.Residual).Minus(algebra.SetOf(o.Scan.Cols)))
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

// compute joins with the table, which is the last of what the operator reads.
func (o *Operator) compute(w *operators.Weave) {
	keys := w.Keys([]operators.Key{o.Key})
	table := w.In[1]
	in := &kernel.Probe{
		Kind: o.Kind, Input: table.Input, Keys: keys,
		Sorted: &kernel.Sorted{Ordinal: table.Ordinal(o.By), Unique: o.Unique},
	}
	w.EmitProbe(in, o.Unique, o.Residual)
	if o.Kind == kernel.ProbeInner {
		w.Equal(o.Key.Expr, o.By.Ref())
	}
}
