package operators

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Needs is what an operator's compute stage takes beside the columns that pass from stage to
// stage: its part of what a kernel consists of, and bytes of shared memory of each block.
type Needs struct {
	machine.Parts
	Shared int
}

// Operations are the parts of a kernel that computes expressions: how many operations they have,
// and whether exact numbers are divided among them.
func Operations(exprs ...algebra.Expr) machine.Parts {
	var parts machine.Parts
	for _, e := range exprs {
		algebra.WalkExpr(e, func(e algebra.Expr) bool {
			switch e := e.(type) {
			case *algebra.ColumnRef, *algebra.Const:
				return true
			case *algebra.Call:
				if e.Func == algebra.Div && (e.Typ.Kind == algebra.Decimal || e.Typ.Kind == algebra.Numeric) {
					parts.Division = 1
				}
			}
			parts.Item++
			return true
		})
	}
	return parts
}

// ItemOperations are Operations of computed columns.
func ItemOperations(items []algebra.Item) machine.Parts {
	exprs := make([]algebra.Expr, len(items))
	for i := range items {
		exprs[i] = items[i].Expr
	}
	return Operations(exprs...)
}

// ThreadRows is how many rows a thread of a kernel holds whose rows have so many 32-bit words at one
// time: more of them mean more loads under way, fewer more threads at one time.
func ThreadRows(words int) int {
	switch {
	case words <= 5:
		return 16
	case words <= 10:
		return 8
	}
	return FewThreadRows
}

// FewThreadRows is how many rows it holds at the least.
const FewThreadRows = 4
