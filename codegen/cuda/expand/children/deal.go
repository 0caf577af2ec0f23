package children

import "github.com/cubeloom/cubeloom/codegen/cuda/expand/staged"

// dealShare deals out the block's share of the matches of the rows that wait.
func dealShare(s *staged.Rows) {
	s.Line("const u32 share = (%s + gridDim.x - 1) / gridDim.x;", s.Total())
	s.Line("const u32 first = blockIdx.x * share < %s ? blockIdx.x * share : %s;", s.Total(), s.Total())
	s.Line("const u32 last = %s - first < share ? %s : first + share;", s.Total(), s.Total())
	s.DealOut("first", "last")
}
