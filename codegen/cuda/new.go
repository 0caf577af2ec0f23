package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

func newRenderer(t *Target, f *kernel.Func, shapes []InputShape) *renderer {
	r := &renderer{target: t, f: f, shapes: shapes, threads: threads, known: make(map[Arg]string), takes: make(map[int]bool)}
	r.rows = rowsPerThread(f)
	r.include("prelude.cuh")
	r.include("load.cuh")
	r.include("integers.cuh")
	r.include("floats.cuh")
	r.include("block.cuh")
	r.Arg(Arg{Kind: ArgError}, "u64*", "the first error")
	for _, in := range f.Instructions() {
		if m, ok := in.(*kernel.Map); ok {
			r.maps = append(r.maps, m)
		}
	}
	r.narrow, r.divisors = r.narrowValues(), r.dividing()
	return r
}
