// Package values is the operator that gives constant rows.
package values

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator gives constant rows.
type Operator struct {
	materialize.Leaf
	Node *algebra.Values
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := fmt.Sprintf("%d rows", len(o.Node.Rows))
	if len(o.Node.Rows) == 1 {
		detail = "1 row"
	}
	return operators.Traits{
		Name: "values", Detail: detail, Result: operators.Thread, Source: true,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }

// Fields are the columns in the form that follows from their types and values.
func (o *Operator) Fields() []lower.Field { return lower.ConstantFields(o.Node) }
