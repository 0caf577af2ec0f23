// Package scan is the operator that reads a base table.
package scan

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/materialize"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Operator gives the rows of a base table.
type Operator struct {
	materialize.Leaf
	Node *algebra.Scan
}

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := o.Node.Table.Name
	if a := o.Node.Alias; a != "" && a != detail {
		detail += " as " + a
	}
	return operators.Traits{
		Name: "scan", Detail: detail, Result: operators.Thread, Source: true,
		Needs: operators.Needs{Parts: machine.Parts{Stage: 1}},
	}
}

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }
