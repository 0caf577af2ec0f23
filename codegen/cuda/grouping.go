package cuda

import (
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// What strategies ask of an aggregation.

// Func is the kernel.
func (g *Grouping) Func() *kernel.Func { return g.f }

// Keys are those of the groups.
func (g *Grouping) Keys() []kernel.ValueID { return g.s.Keys }

// Estimate is how many groups are expected, 0 for unknown.
func (g *Grouping) Estimate() float64 { return g.s.Groups }

// Device is what operations cost on the device.
func (g *Grouping) Device() *machine.Device { return &g.target.Device }

// Accs are the accumulators, and Seen what shows which cells have rows.
func (g *Grouping) Accs() []GroupedAcc { return g.accs }
func (g *Grouping) Seen() []SeenField  { return g.seen }

// Threads is the size of a block.
func (g *Grouping) Threads() int { return g.threads }

// SetThreads makes blocks of so many threads, which nobody has chosen.
func (g *Grouping) SetThreads(n int) { g.threads = n }

// ThreadsChosen reports whether the size of a block has been chosen already.
func (g *Grouping) ThreadsChosen() bool { return g.s.Threads > 0 }

// blockSizes are the sizes of a block that may be chosen.
var blockSizes = []int{32, 64, 128, 256, 512, 1024}

// IsBlockSize reports whether blocks of so many threads may be chosen.
func IsBlockSize(n int) bool { return slices.Contains(blockSizes, n) }

// ThreadNumbers are these sizes as text.
func ThreadNumbers() []string { return textsOf(blockSizes) }

// rowNumbers are how many rows of a tile may be chosen for a thread, which loads four that follow each other at once.
var rowNumbers = []int{4, 8, 16}

// RowNumbers are these numbers as text.
func RowNumbers() []string { return textsOf(rowNumbers) }

// textsOf are numbers as text.
func textsOf(numbers []int) []string {
	list := make([]string, len(numbers))
	for i, n := range numbers {
		list[i] = strconv.Itoa(n)
	}
	return list
}

// SetRows has a thread hold so many rows of a tile; the first call counts.
func (g *Grouping) SetRows(n int) {
	if !g.hasRows {
		g.rows, g.hasRows = n, true
	}
}

// MarksValues reports whether values are marked that are new to their groups, and other rows not added.
func (g *Grouping) MarksValues() bool { return len(g.markings) > 0 }

// TileRows is how many rows a thread holds of a tile.
func (g *Grouping) TileRows() int { return g.rows }

// CellBytes is what a cell takes in global memory, but for its key.
func (l *CellLayout) CellBytes() int {
	n := 0
	for _, width := range l.State {
		n += width
	}
	return n
}

// LiveWords is how many registers the values of a row take.
func (g *Grouping) LiveWords() int { return liveWords(g.f) }

// IsLight reports whether the aggregation takes few registers, so that a thread can
// hold more rows, and more of them are under way.
func (g *Grouping) IsLight() bool {
	const live, planes = 4, 4
	return g.Layout.Dense && len(g.f.Inputs) == 1 && liveWords(g.f) <= live && g.Layout.Planes <= planes
}

// HasShortRows reports whether the aggregation IsLight and the values of a row take two registers at most, so
// that a thread can hold still more rows.
func (g *Grouping) HasShortRows() bool { return g.IsLight() && liveWords(g.f) <= 2 }

// LikelyCells is how many cells a dense aggregation is likely to have; 0: it is not known.
func (g *Grouping) LikelyCells() float64 { return g.s.Combinations }

// Cells is the number of cells of a dense aggregation, 0 where the keys' types do not
// tell it. How many codes there are the dictionary tells at the launch.
func (g *Grouping) Cells() float64 {
	if !g.Layout.Dense {
		return 0
	}
	cells := 1.0
	for _, id := range g.s.Keys {
		v := &g.f.Values[id]
		values := 2.0
		if v.Type != kernel.Bool {
			if !knownRange(v) || v.Type == kernel.Code {
				return 0
			}
			values = float64(v.Range.Hi) - float64(v.Range.Lo) + 1
		}
		if v.Nullable {
			values++
		}
		cells *= values
	}
	return cells
}

// IsRepeatable reports whether the rows may be gone over several times: what the body
// does is cheap, and leaves no rows out, and no values are marked as new.
func (g *Grouping) IsRepeatable() bool {
	return g.Layout.Dense && !g.MarksValues() && len(g.s.Keys) > 0 && len(g.f.Inputs) == 1 && g.keepsRows()
}

// keepsRows reports whether all rows of the source come to the groups, once each.
func (g *Grouping) keepsRows() bool {
	for _, in := range g.f.Body {
		if _, ok := in.(*kernel.Compute); !ok {
			return false
		}
	}
	_, scans := g.f.Source.(*kernel.Scan)
	return scans && g.f.GroupsSource() < 0
}

// Matches is how many rows come to the groups for each of the source, as far as joins
// with many matches are estimated.
func (g *Grouping) Matches() float64 { return matchesBefore(g.f.Body) }

// Multiplies reports whether several rows may come to the groups for one of the source.
func (g *Grouping) Multiplies() bool { return g.multiplies() }

// MostSmall is the most that a row gives to a sum of small numbers, or 1.
func (g *Grouping) MostSmall() uint64 {
	most := uint64(1)
	for _, t := range g.termsOf(false) {
		if t.kind == narrowTerm {
			most = max(most, t.max)
		}
	}
	return most
}

// StagedBytes is the shared memory of a block in which rows may wait for their matches, and that of
// filters and of rows that are packed.
func (g *Grouping) StagedBytes() int64 {
	bytes := g.OwnBytes()
	if g.stagedForms() > 0 {
		bytes += stagedBytes
	}
	return bytes
}

// OwnBytes is the shared memory of a block that filters and rows that are packed take.
func (g *Grouping) OwnBytes() int64 { return ownBytes(g.f, g.threads) }

// RowBytes is how many bytes of a row are read, and instructions carried out, when it
// is gone over again.
func (g *Grouping) RowBytes() int64 {
	cost := int64(len(g.f.Body))
	if s, ok := g.f.Source.(*kernel.Scan); ok && g.f.GroupsSource() < 0 {
		for _, c := range s.Cols {
			cost += int64(g.shapes[s.Input].Columns[c.Ordinal].Encoding.Width())
		}
	}
	return cost
}
