package fusion

import "github.com/cubeloom/cubeloom/operators/scan"

// inputOf is the name of the base table that an operator reads, or empty.
func inputOf(op *Op) string {
	if s, ok := op.Operator.(*scan.Operator); ok {
		return s.Node.Table.Name
	}
	return ""
}
