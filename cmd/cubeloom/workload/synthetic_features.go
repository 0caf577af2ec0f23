package workload

// Features are what a choice between the forms of a cube's expansion goes by.
type Features struct {
	Cells    int64   `json:"cells"`
	Elements int64   `json:"elements"`
	Targets  int64   `json:"targets"`
	InOrder  bool    `json:"in_order"` // cells are in the order of the hierarchy
	Spread   Fanouts `json:"spread"`
	Sample   Sample  `json:"sample"`
}

// Fanouts are how the rows of the map spread over the elements that have any.
type Fanouts struct{ Keys, Rows, Longest, Squares int64 }

// Sample is what a device's sample of the cells finds: how many have targets, how many these are
// in all, the turns of warps and of blocks that take one target of each of their cells, the
// targets of the tile and of the cell with the most, and those of cells whose lane has another
// element than the one before it.
type Sample [7]int64

// The cells of a tile, of a warp, and between those of neighbouring lanes; and how many tiles are
// sampled at most.
const (
	tileCells    = 1024
	warpCells    = 128
	laneCells    = 4
	sampledTiles = 4096
)

// Features counts the targets of the elements, and looks at the sampled cells.
func (s *Synthetic) Features(seed uint64) *Features {
	f := &Features{Cells: s.Cells, Elements: s.Elements, Targets: s.Targets, InOrder: s.First}
	targets := make([]int64, s.Elements)
	for i := range targets {
		n := s.starts[i+1] - s.starts[i]
		targets[i] = n
		if n > 0 {
			f.Spread.Keys++
		}
		f.Spread.Rows += n
		f.Spread.Squares += n * n
		f.Spread.Longest = max(f.Spread.Longest, n)
	}
	tiles := (s.Cells + tileCells - 1) / tileCells
	sampled := min(tiles, sampledTiles)
	for i := range sampled {
		from := i * tiles / sampled * tileCells
		elements, _ := s.cells(seed, from, int(min(tileCells, s.Cells-from)))
		f.Sample.tile(elements, targets)
	}
	return f
}

// tile adds the cells of a tile.
func (s *Sample) tile(cells []int32, targets []int64) {
	all, longest := int64(0), int64(0)
	for from := 0; from < len(cells); from += warpCells {
		most := int64(0)
		for i := from; i < min(from+warpCells, len(cells)); i++ {
			n := targets[cells[i]]
			all, most = all+n, max(most, n)
			if n > 0 {
				s[0]++
			}
			if i-from < laneCells || cells[i] != cells[i-laneCells] {
				s[6] += n
			}
		}
		s[2] += most
		longest = max(longest, most)
	}
	s[1] += all
	s[3] += longest
	s[4], s[5] = max(s[4], all), max(s[5], longest)
}
