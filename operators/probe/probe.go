// Package probe is the operator that looks rows up in the hash table of a
// join's right input.
package probe

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator looks the rows of input 0 up in the hash table that is input 1.
// Residual conditions decide, for rows with equal keys, whether they match.
// With Mark the rows that matched are remembered for an unmatched operator.
type Operator struct {
	Kind     kernel.ProbeKind
	Keys     []operators.Key
	With     []operators.Key // of the table, under the names of Reads
	Residual []algebra.Expr
	Mark     bool
	// Reads are the columns of the table that the probe reads; nil: all, under their own names.
	Reads []Column
}

// Column is column Of of a table, which is As in the rows of a probe: several probes may look
// into one table.
type Column struct{ Of, As algebra.Column }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := string(o.Kind)
	if len(o.Keys) > 0 {
		detail += " by " + operators.KeyList(o.Keys)
	}
	if len(o.Residual) > 0 {
		detail += " if " + operators.List(o.Residual, " AND ")
	}
	return operators.Traits{
		Name: "probe", Detail: detail, Passes: true, Result: operators.Thread,
		Needs: operators.Needs{Parts: operators.Operations(o.Residual...).Plus(machine.Parts{Probe: 1})},
	}
}

// Dependence implements operators.Operator: a row is looked up alone, in a
// table that must be finished.
func (o *Operator) Dependence(i int) operators.Dependence {
	if i == 0 {
		return operators.Thread
	}
	return operators.Kernel
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column {
	if o.Kind == kernel.ProbeSemi || o.Kind == kernel.ProbeAnti {
		return nil
	}
	var cols []algebra.Column
	for _, c := range o.Reads {
		cols = append(cols, c.As)
	}
	return cols
}

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return o.UsesFor(algebra.SetOf(o.Columns())) }

// UsesFor are the columns of the inputs that are read where those in needed are read of the
// result.
func (o *Operator) UsesFor(needed algebra.ColSet) algebra.ColSet {
	set := operators.KeyReferences(o.Keys)
	residual := operators.References(o.Residual)
	set.AddSet(residual)
	for _, c := range o.Reads {
		if needed.Has(c.As.ID) || residual.Has(c.As.ID) {
			set.Add(c.Of.ID)
		}
	}
	return set
}

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Compute: o.compute, Gather: materialize.Compact}
}

func (o *Operator) compute(w *operators.Weave) {
	in := &kernel.Probe{Kind: o.Kind, Input: w.In[1].Input, Keys: w.Keys(o.Keys), Mark: o.Mark}
	w.EmitProbe(in, w.In[1].Unique, o.Residual)
	if o.Kind == kernel.ProbeInner {
		for i, k := range o.With {
			w.Equal(o.Keys[i].Expr, k.Expr)
		}
	}
}
