package codegen

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// maxSetWords is how many words of 64 bits all sets have at most: threads keep them in registers.
const maxSetWords = 8

// setWords is how many words have a bit for each value that v can have; 0: too many.
func setWords(v *kernel.Value) int {
	if v.Type != kernel.I32 && v.Type != kernel.I64 || !v.Range.Known || v.Range.Lo > v.Range.Hi {
		return 0
	}
	last := (uint64(v.Range.Hi) - uint64(v.Range.Lo)) / 64
	if last >= maxSetWords {
		return 0
	}
	return int(last) + 1
}

// countBits counts the bits of words, which have no NULL but all of them.
func countBits(g *kernel.Func, words []kernel.ValueID) kernel.ValueID {
	count := integer(g, 0)
	for _, word := range words {
		count = compute(g, kernel.OpCountBits, kernel.Aux{}, true, word, count)
	}
	return count
}

// compute computes an integer of 64 bits at the end of the body.
func compute(g *kernel.Func, op kernel.Op, aux kernel.Aux, nullable bool, args ...kernel.ValueID) kernel.ValueID {
	dst := define(g, nullable)
	g.Body = append(g.Body, &kernel.Compute{Dst: dst, Op: op, Args: args, Aux: aux, Pos: value.NoPos})
	return dst
}

// integer is a constant of 64 bits.
func integer(g *kernel.Func, n int64) kernel.ValueID {
	dst := define(g, false)
	g.Params = append(g.Params, kernel.Param{Dst: dst, Val: value.Value{Kind: value.Int, I: n}})
	return dst
}

// define adds an integer of 64 bits.
func define(g *kernel.Func, nullable bool) kernel.ValueID {
	g.Values = append(g.Values, kernel.Value{Type: kernel.I64, Nullable: nullable})
	return kernel.ValueID(len(g.Values) - 1)
}
