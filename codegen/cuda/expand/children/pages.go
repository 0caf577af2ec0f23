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
	h := x.Hand(s.BytesOf(capacity))
	if x.IsChild() {
		x.Keep(func() {
			x.Line("const %s& %s = ((const %s*)%s)[number];", page, s.Space(), page, h.Places)
			dealShare(s)
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
		s.DealOut("0", "staged_matches")
		x.End()
	})
	x.EndPage(func() { launchPage(s, page, h) })
}

// declarePage declares what a page has in global memory, and returns its name.
func declarePage(s *staged.Rows, capacity int) string {
	name := "Page_" + s.Space()
	text := fmt.Sprintf("struct %s {\n    u32 start[%d], from[%d];\n", name, capacity+1, capacity)
	for _, f := range s.Fields() {
		text += fmt.Sprintf("    %s %s[%d];\n", f.Type, f.Name, capacity)
	}
	s.Include(text + "};\n")
	return name
}

// launchPage writes the launch of a kernel for a page. Where it is refused the block deals
// out the matches itself.
func launchPage(s *staged.Rows, page string, h cuda.Handing) {
	most := fmt.Sprint(s.Probe.Pages.Blocks)
	if s.Probe.Pages.Blocks == 0 {
		most = "1 << 30"
	}
	s.Begin("if (paged_rows > 0)")
	s.Line("%s& %s = ((%s*)%s)[page_place];", page, s.Space(), page, h.Places)
	s.Line("const u32 rows = paged_rows;")
	s.Line("if (threadIdx.x == 0) %s.start[rows] = paged_matches;", s.Space())
	s.Line("__threadfence();")
	s.Line("__syncthreads();")
	s.Begin("if (threadIdx.x == 0)")
	s.Line("const u32 blocks = child_blocks(paged_matches, %s);", most)
	s.Line("%s<<<blocks, T, %s, cudaStreamFireAndForget>>>(p, page_place, rows);", h.Child, h.Shared)
	s.Line("page_launched = launched(%s, blocks);", h.Counts)
	s.End()
	s.Line("__syncthreads();")
	s.Begin("if (!page_launched)")
	s.DealOut("0", "paged_matches")
	s.End()
	s.Line("__syncthreads();")
	s.End()
}
