package kernel

// harmless are the operations that never raise an error, whatever their
// arguments are.
var harmless = map[Op]bool{
	OpEq: true, OpNe: true, OpLt: true, OpLe: true, OpGt: true, OpGe: true, OpDistinct: true,
	OpAnd: true, OpOr: true, OpNot: true, OpIsNull: true, OpIsTrue: true, OpIsFalse: true, OpIn: true,
	OpRank: true, OpUnrank: true, OpDecode: true, OpFormat: true,
	OpUpper: true, OpLower: true, OpTrim: true, OpLTrim: true, OpRTrim: true, OpLength: true,
	OpReverse: true, OpMD5: true, OpToChar: true, OpPosition: true, OpLeft: true, OpRight: true,
	OpExtractDate: true, OpExtractTimestamp: true, OpExtractInterval: true, OpSign: true,
}

// CanRaise tells whether the instruction can raise an error for some row. It
// errs on the side of true.
func (f *Func) CanRaise(c *Compute) bool {
	switch c.Op {
	case OpAdd, OpSub, OpMul, OpNeg, OpAbs, OpRescale:
		return c.Checked || !f.Values[c.Dst].Type.IsInteger()
	case OpConvert, OpClip:
		return c.Checked
	case OpRound, OpTrunc, OpFloor, OpCeil:
		return f.Values[c.Dst].Type != F64
	}
	return !harmless[c.Op]
}

// BlockCanRaise tells whether any instruction of the block can raise an error.
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
