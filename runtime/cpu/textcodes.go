package cpu

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// addCodes registers the operations on dictionary codes.
func (t opTable) addCodes() {
	t.add(kernel.OpDecode, kernel.Code, func(f *frame) error {
		a, m, texts, dst := of[uint32](f.args[0]), f.args[0].mask(), f.args[0].Dict, of[string](f.dst)
		return f.valid(func(i int) error {
			dst[i] = texts.Texts[a[i&m]]
			return nil
		})
	})
	t[opKey{kernel.OpRank, kernel.Code}] = operation{make: makeRank}
	t[opKey{kernel.OpUnrank, kernel.I32}] = operation{make: makeUnrank}
}

// makeRank compiles OpRank.
func makeRank(c *compiler, in *kernel.Compute) (apply, error) {
	dicts, id := c.w.run.dicts, c.f.Values[in.Args[0]].Dict
	return func(f *frame) error {
		d, err := dicts.get(id)
		if err != nil {
			return err
		}
		a, m, rank, dst := of[uint32](f.args[0]), f.args[0].mask(), d.rank, of[int32](f.dst)
		return f.valid(func(i int) error {
			dst[i] = rank[a[i&m]]
			return nil
		})
	}, nil
}

// makeUnrank compiles OpUnrank. A rank that no text has can only come from a
// defect in the plan.
func makeUnrank(c *compiler, in *kernel.Compute) (apply, error) {
	dicts, id := c.w.run.dicts, c.f.Values[in.Dst].Dict
	return func(f *frame) error {
		d, err := dicts.get(id)
		if err != nil {
			return err
		}
		f.dst.Dict = d.dict
		a, m, dst := of[int32](f.args[0]), f.args[0].mask(), of[uint32](f.dst)
		return f.valid(func(i int) error {
			r := a[i&m]
			if r < 0 || int(r) >= len(d.first) {
				return value.Errorf(value.CodeInternal, "rank %d is outside of a dictionary of %d texts", r, len(d.first))
			}
			dst[i] = d.first[r]
			return nil
		})
	}, nil
}
