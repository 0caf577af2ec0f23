package cpu

import "github.com/cubeloom/cubeloom/codegen/kernel"

// accSpec is an Acc with what the kernel knows of its operands.
type accSpec struct {
	op       kernel.AccOp
	args     []int // operands of the aggregate
	argType  []kernel.Type
	argRange kernel.Range // of the first argument
	filter   int          // operand, or -1
	dst      []kernel.Type
	sparse   bool // a group may have no row that counts: the result may be NULL
	dist     bool // DISTINCT
	fraction float64
}

// same reports whether two specs give the same.
func (s *accSpec) same(t *accSpec) bool {
	if s.op != t.op || s.filter != t.filter || s.dist != t.dist || s.fraction != t.fraction || len(s.args) != len(t.args) || len(s.dst) != len(t.dst) {
		return false
	}
	for i := range s.args {
		if s.args[i] != t.args[i] {
			return false
		}
	}
	for i := range s.dst {
		if s.dst[i] != t.dst[i] {
			return false
		}
	}
	return true
}
