package cuda

import "github.com/cubeloom/cubeloom/codegen/kernel"

// paged is the first expansion of the body, where kernels are launched for its pages; nil:
// that is not so.
func (r *renderer) paged() *kernel.Pages {
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && r.expands(p) {
			if p.Pages.Rows > 0 {
				return &p.Pages
			}
			return nil
		}
	}
	return nil
}

// EndPage has end written where all tiles of a page have waited: paged_rows rows in the
// place page_place, with paged_matches.
func (x *Expansion) EndPage(end func()) { x.endPage = end }

// pageTiles writes the loop over the pages of the source and their tiles, as long as a condition that ends in
// && holds.
func (e *Entry) pageTiles(g *kernel.Pages, while string, body func()) {
	rows := e.openSource()
	e.Line("const i64 pages = (%s + %d - 1) / %d;", rows, g.Rows, g.Rows)
	e.Line("i64 page = blockIdx.x, end_page = pages, first_page = 0;")
	if g.Segment > 0 {
		e.Line("first_page = (i64)%s[SEGMENT] * %d;", e.childCounts(), g.Segment)
		e.Line("page += first_page;")
		e.Line("end_page = first_page + %d < pages ? first_page + %d : pages;", g.Segment, g.Segment)
	}
	e.tailLaunches(g)
	e.Begin("for (; page < end_page; page += gridDim.x)")
	e.Line("const u64 page_place = page - first_page;")
	e.Line("const i64 page_end = (page + 1) * %d < %s ? (page + 1) * %d : %s;", g.Rows, rows, g.Rows, rows)
	e.Line("u32 paged_rows = 0, paged_matches = 0;")
	e.Begin("for (i64 tile = page * %d; %stile < page_end; tile += TILE)", g.Rows, while)
	e.tile("page_end", body)
	e.End()
	if e.endPage != nil {
		e.scoped(e.endPage)
	}
	e.End()
}

// tailLaunches writes the launches of what begins when all kernels of the pages have ended:
// that which does the pages whose launches were refused, and the same kernel for the next
// segment. No other kernel is launched before, so that there is room for them.
func (e *Entry) tailLaunches(g *kernel.Pages) {
	shared := e.Arg(Arg{Kind: ArgChildShared}, "u64", "bytes of dynamic shared memory")
	e.Begin("if (blockIdx.x == 0 && threadIdx.x == 0)")
	e.Line("%s<<<gridDim.x, T, %s, cudaStreamTailLaunch>>>(p, REFUSED_PAGES, 0);", e.childName(), shared)
	e.Line("bool lost = cudaGetLastError() != cudaSuccess;")
	if g.Segment > 0 {
		e.Begin("if (!lost && end_page < pages)")
		e.Line("start_segment<<<1, 1, 0, cudaStreamTailLaunch>>>(%s);", e.childCounts())
		e.Line("lost = cudaGetLastError() != cudaSuccess;")
		e.Line("if (!lost) %s<<<gridDim.x, T, %s, cudaStreamTailLaunch>>>(p);", e.entryName, shared)
		e.Line("lost = lost || cudaGetLastError() != cudaSuccess;")
		e.End()
	}
	e.Line("atomicAdd(%s + (lost ? BROKEN : READY), 1ull);", e.childCounts())
	e.End()
}

func (e *arguments) childCounts() string {
	return e.Arg(Arg{Kind: ArgChildCounts}, "u64*", childCountsText)
}

// childCountsText says what the words of ArgChildCounts are.
const childCountsText = "of kernels that are launched: see children.cuh"
