// Package recursion is the operator whose rows are those of all iterations of a
// recursive query.
package recursion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator gives the rows of a recursive expression. Its two plans are programs
// of their own, which run before whatever reads it.
type Operator struct {
	materialize.Leaf
	Node *algebra.Recursive
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	return operators.Traits{
		Name: "recursion", Detail: "the rows of all iterations", Result: operators.Thread, Source: true,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }

// Fields are the columns in the form that follows from their types.
func (o *Operator) Fields() []lower.Field { return lower.PlainFields(o.Node.Cols) }
