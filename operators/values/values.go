// Package values is the operator that gives constant rows.
package values

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Operator gives constant rows.
type Operator struct{ Node *algebra.Values }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := fmt.Sprintf("%d rows", len(o.Node.Rows))
	if len(o.Node.Rows) == 1 {
		detail = "1 row"
	}
	return operators.Traits{
		Name: "values", Detail: detail, Result: operators.Thread, Source: true,
		Needs: operators.Resources{Registers: 4}, // position, end, block, step
	}
}

// Dependence implements operators.Operator; constants depend on no operator.
func (o *Operator) Dependence(int) operators.Dependence { return operators.Thread }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: operators.Compact}
}

// Fields are the columns in the form that follows from their types.
func (o *Operator) Fields() []lower.Field {
	fields := make([]lower.Field, len(o.Node.Cols))
	for i, c := range o.Node.Cols {
		fields[i] = lower.PlainField(c)
	}
	return fields
}
