package children

import (
	_ "embed"
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/cuda/expand/staged"
)

//go:embed pages.cuh
var pagesCode string

// spareRows is for how many rows more than a page has there is room in its place: those
// with very many matches wait in several turns.
const spareRows = 1 << 10

// renderPages writes what has all rows of a page wait in global memory, and launches one
// kernel for them.
func renderPages(s *staged.Rows) {
	x := s.Expansion
	x.Include(pagesCode)
	capacity := x.Probe.Pages.Rows + spareRows
	page := declarePage(s, capacity)
	h := x.Defer(s.BytesOf(capacity))
	if x.IsChild() {
		x.Keep(func() {
			x.Line("const %s* const pages = (const %s*)%s;", page, page, h.Places)
			x.Line("const u64 left = number == REFUSED_PAGES ? %s[LEFT] : 1;", h.Counts)
			x.Begin("for (u64 i = 0; i < left; i++)")
			x.Line("const %s& %s = pages[number == REFUSED_PAGES ? pages[i].refused : number];", page, s.Space())
			x.Line("const u32 rows = %s.rows;", s.Space())
			dealShare(s)
			x.End()
		})
		return
	}
	s.Rounds(func() {
		x.Line("const u32 staged_matches = %s;", s.Total())
		x.Begin("if (paged_rows + rows <= %d && staged_matches <= MAX_PAGED - paged_matches)", capacity)
		x.Line("%s* const there = (%s*)%s + page_place;", page, page, h.Places)
		x.Line("append_rows(there->start + paged_rows, %s.start, rows, paged_matches);", s.Space())
		x.Line("append_rows(there->from + paged_rows, %s.from, rows, 0u - paged_matches);", s.Space())
		for _, f := range s.Fields() {
			x.Line("copy_rows(there->%s + paged_rows, %s.%s, rows);", f.Name, s.Space(), f.Name)
		}
		x.Line("paged_rows += rows;")
		x.Line("paged_matches += staged_matches;")
		x.Else()
		x.Line("%s[BROKEN] = 1;", h.Counts)
		x.End()
	})
	x.EndPage(func() { launchPage(s, page, h) })
}

// declarePage declares what a page has in global memory, and returns its name.
func declarePage(s *staged.Rows, capacity int) string {
	name := "Page_" + s.Space()
	text := fmt.Sprintf("struct %s {\n    u64 refused;\n    u32 rows, start[%d], from[%d];\n", name, capacity+1, capacity)
	for _, f := range s.Fields() {
		text += fmt.Sprintf("    %s %s[%d];\n", f.Type, f.Name, capacity)
	}
	s.Include(text + "};\n")
	return name
}

// launchPage writes the launch of a kernel for a page. Where it is refused, or what comes
// behind all has not been launched yet, a kernel that
// comes behind all others deals out the page's matches.
func launchPage(s *staged.Rows, page string, h cuda.Deferral) {
	most := fmt.Sprint(s.Probe.Pages.Blocks)
	if s.Probe.Pages.Blocks == 0 {
		most = "1 << 30"
	}
	s.Begin("if (paged_rows > 0)")
	s.Line("%s* const pages_there = (%s*)%s;", page, page, h.Places)
	s.Begin("if (threadIdx.x == 0)")
	s.Line("pages_there[page_place].rows = paged_rows;")
	s.Line("pages_there[page_place].start[paged_rows] = paged_matches;")
	s.End()
	s.Line("__threadfence();")
	s.Line("__syncthreads();")
	s.Begin("if (threadIdx.x == 0)")
	s.Line("const u32 blocks = child_blocks(paged_matches, %s);", most)
	s.Line("bool done = atomicAdd(%s + READY, 0ull) > 0;", h.Counts)
	s.Begin("if (done)")
	s.Line("%s<<<blocks, T, %s, cudaStreamFireAndForget>>>(p, page_place, 0);", h.Child, h.Shared)
	s.Line("done = launched(%s, blocks);", h.Counts)
	s.End()
	s.Line("if (!done) pages_there[atomicAdd(%s + LEFT, 1ull)].refused = page_place;", h.Counts)
	s.End()
	s.Line("__syncthreads();")
	s.End()
}
