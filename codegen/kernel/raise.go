package kernel

// CanRaise reports whether the instruction can raise an error for some row. It
// errs on the side of true.
func (f *Func) CanRaise(c *Compute) bool {
	switch operations[c.Op].Raises {
	case Never:
		return false
	case WhenChecked:
		return c.Checked
	case UnlessProven:
		return c.Checked || !f.Values[c.Dst].Type.IsInteger()
	case UnlessFloat:
		return f.Values[c.Dst].Type != F64
	}
	return true
}

// BlockCanRaise reports whether any instruction of the block can raise an error.
func (f *Func) BlockCanRaise(b Block) bool {
	for _, in := range b {
		switch in := in.(type) {
		case *Compute:
			if f.CanRaise(in) {
				return true
			}
		case *If:
			if f.BlockCanRaise(in.Then) || f.BlockCanRaise(in.Else) {
				return true
			}
		case *Map:
			if f.BlockCanRaise(in.Body) {
				return true
			}
		case *Probe:
			if f.BlockCanRaise(in.Residual) {
				return true
			}
		}
	}
	return false
}
