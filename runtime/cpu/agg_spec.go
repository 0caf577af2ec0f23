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
}

// spec describes an Acc.
func (a *aggregate) spec(acc *kernel.Acc) (accSpec, error) {
	f := a.run.f
	s := accSpec{op: acc.Op, filter: -1, dst: valueTypes(f, acc.Dst), dist: acc.Distinct, sparse: len(a.in.Keys) == 0}
	if acc.Op != kernel.AccCountStar && len(acc.Args) == 0 {
		return s, internalf("accumulator %q has no argument", acc.Op)
	}
	for _, id := range acc.Args {
		s.args = append(s.args, a.operand(id))
		s.argType = append(s.argType, f.Values[id].Type)
		s.argRange = f.Values[acc.Args[0]].Range
		s.sparse = s.sparse || f.Values[id].Nullable
	}
	if acc.Filter != kernel.NoValue {
		s.filter = a.operand(acc.Filter)
		s.sparse = true
	}
	if acc.Op == kernel.AccCount && !s.dist && s.filter < 0 && !f.Values[acc.Args[0]].Nullable {
		s.op, s.args, s.argType = kernel.AccCountStar, nil, nil
	}
	return s, nil
}

// share gives the index of a spec, adding it where there is none like it.
func (a *aggregate) share(s accSpec) int {
	for i := range a.specs {
		if a.specs[i].same(&s) {
			return i
		}
	}
	a.specs = append(a.specs, s)
	return len(a.specs) - 1
}

// same tells whether two specs give the same.
func (s *accSpec) same(t *accSpec) bool {
	if s.op != t.op || s.filter != t.filter || s.dist != t.dist || len(s.args) != len(t.args) || len(s.dst) != len(t.dst) {
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
