// Package working is the operator that gives, within a recursive query, the rows
// that the iteration before added.
package working

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator gives the working table of a recursive expression.
type Operator struct {
	materialize.Leaf
	Node *algebra.Working
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "working", Detail: "the rows of the iteration before", Result: operators.Thread, Source: true,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }

// Fields are the columns in the form that follows from their types.
func (o *Operator) Fields() []lower.Field { return lower.PlainFields(o.Node.Cols) }
