package accumulator

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Spec is an Acc with what the kernel knows of its operands.
type Spec struct {
	Op        kernel.AccOp
	Args      []int // operands of the aggregate
	ArgType   []kernel.Type
	ArgRange  kernel.Range // of the first argument
	Filter    int          // operand, or -1
	Dst       []kernel.Type
	Sparse    bool // a group may have no row that counts: the result may be NULL
	Dist      bool // DISTINCT
	Fraction  float64
	Separator string // of texts that are put together
}

// Same reports whether two specs give the same.
func (s *Spec) Same(t *Spec) bool {
	return s.Op == t.Op && s.Filter == t.Filter && s.Dist == t.Dist && s.Fraction == t.Fraction && s.Separator == t.Separator &&
		slices.Equal(s.Args, t.Args) && slices.Equal(s.Dst, t.Dst)
}
