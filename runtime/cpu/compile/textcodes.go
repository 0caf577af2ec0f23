package compile

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addCodes registers the operations on dictionary codes.
func (t opTable) addCodes() {
	t.add(kernel.OpDecode, kernel.Code, func(f *frame) {
		a, m, texts, dst := vector.Of[uint32](f.args[0]), f.args[0].Mask(), f.args[0].Dict, vector.Of[string](f.dst)
		f.valid(func(i int) { dst[i] = texts.Texts[a[i&m]] })
	})
	t[opKey{kernel.OpRank, kernel.Code}] = operation{make: makeRank}
	t[opKey{kernel.OpUnrank, kernel.I32}] = operation{make: makeUnrank}
}

// makeRank compiles OpRank.
func makeRank(c *Compiler, in *kernel.Compute) apply {
	dicts, id := c.Worker.Run.Dicts, c.Kernel.Values[in.Args[0]].Dict
	return func(f *frame) {
		d := dicts.Get(id)
		a, m, rank, dst := vector.Of[uint32](f.args[0]), f.args[0].Mask(), d.Rank, vector.Of[int32](f.dst)
		f.valid(func(i int) { dst[i] = rank[a[i&m]] })
	}
}

// makeUnrank compiles OpUnrank. A rank that no text has can only come from a
// defect in the plan.
func makeUnrank(c *Compiler, in *kernel.Compute) apply {
	dicts, id := c.Worker.Run.Dicts, c.Kernel.Values[in.Dst].Dict
	return func(f *frame) {
		d := dicts.Get(id)
		f.dst.Dict = d.Dict
		a, m, dst := vector.Of[int32](f.args[0]), f.args[0].Mask(), vector.Of[uint32](f.dst)
		f.valid(func(i int) {
			r := a[i&m]
			if r < 0 || int(r) >= len(d.First) {
				panic(value.Errorf(value.CodeInternal, "rank %d is outside of a dictionary of %d texts", r, len(d.First)))
			}
			dst[i] = d.First[r]
		})
	}
}
