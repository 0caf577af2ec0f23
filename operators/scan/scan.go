// Package scan is the operator that reads a base table.
package scan

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Operator gives the rows of a base table.
type Operator struct{ Node *algebra.Scan }

// Traits implements operators.Operator.
func (o *Operator) Traits() operators.Traits {
	detail := o.Node.Table.Name
	if a := o.Node.Alias; a != "" && a != detail {
		detail += " as " + a
	}
	return operators.Traits{
		Name: "scan", Detail: detail, Result: operators.Thread, Source: true,
		Needs: operators.Resources{Registers: 4}, // position, end, block, step
	}
}

// Dependence implements operators.Operator; a scan depends on no operator.
func (o *Operator) Dependence(int) operators.Dependence { return operators.Thread }

// Columns implements operators.Operator.
func (o *Operator) Columns() []algebra.Column { return o.Node.Cols }

// Uses implements operators.Operator.
func (o *Operator) Uses() algebra.ColSet { return algebra.ColSet{} }

// Skeleton implements operators.Operator.
func (o *Operator) Skeleton() operators.Skeleton {
	return operators.Skeleton{Partition: operators.Even, Gather: operators.Compact}
}
