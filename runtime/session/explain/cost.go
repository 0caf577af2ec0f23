package explain

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Costs in PostgreSQL's unit, which is the reading of one page. A row that a
// kernel passes on costs a small part of PostgreSQL's cpu_operator_cost, and one
// that is sent its cpu_tuple_cost.
const (
	kernelCost = 0.0002
	tupleCost  = 0.01
)

// headline is the first line of EXPLAIN as text. It has PostgreSQL's form, since
// programs read it, postgres_fdw among them to decide what it pushes down: the
// cost up to the first row and up to the last, the rows and their bytes. All rows
// of a query are there before the first one is sent.
func headline(plan *planner.Plan) string {
	est := plan.Estimates
	cost := 0.0
	algebra.Walk(plan.Root, func(n algebra.Node) bool {
		rows := est.Rows(n)
		switch n := n.(type) {
		case *algebra.Project: // woven into what needs its columns
		case *algebra.Sort:
			sorted := est.Rows(n.Input)
			cost += kernelCost * sorted * math.Log2(sorted+2)
		default:
			cost += kernelCost * rows
		}
		return true
	})
	rows := max(est.Rows(plan.Root), 1)
	width := 0
	for _, col := range plan.Columns {
		width += cellBytes(col.Type)
	}
	return fmt.Sprintf("Result  (cost=%.2f..%.2f rows=%.0f width=%d)\n", cost, cost+rows*tupleCost, rows, width)
}

// textBytes is the guess of PostgreSQL for texts and numerics that it knows
// nothing about.
const textBytes = 32

// cellBytes is what a value of a type takes, about.
func cellBytes(t algebra.Type) int {
	if size := t.Kind.Size(); size > 0 {
		return size
	}
	return textBytes
}
