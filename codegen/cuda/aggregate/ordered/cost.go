package ordered

import (
	"fmt"
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Offer implements cuda.Strategy. It is what the cheapest form costs with the cheapest update.
func (s Strategy) Offer(g *cuda.Grouping) strategy.Offer {
	var p strategy.Preference
	cost := 0.0
	take := func(offers []strategy.Offer) string {
		d, err := p.Choose("runs", offers...)
		if err != nil {
			return ""
		}
		cost += d.Taken().Cost
		return d.Taken().Strategy
	}
	take(s.Kernels(g))
	take(s.ThreadRows(g, take(s.Updates(g))))
	return strategy.Offer{Cost: cost, Detail: "runs of " + g.Func().Values[g.By()].Name}
}

// Kernels implements cuda.Ordering. A kernel costs its start, the rows where it goes over them
// again, and what it leaves to others.
func (Strategy) Kernels(g *cuda.Grouping) []strategy.Offer {
	figures := &g.Device().Groups
	var offers []strategy.Offer
	for _, n := range numbers {
		bytes, passes := 0, 0
		for _, s := range forms[n] {
			if s.passes() {
				passes++
			}
			for i := range all {
				if s.leaves(&all[i]) || s.needs(&all[i]) {
					bytes += all[i].bytes
				}
			}
		}
		again := float64(bytes) + float64(passes-1)*float64(figures.Pass+g.RowBytes())
		offers = append(offers, strategy.Offer{
			Strategy: strconv.Itoa(n), Cost: figures.Compact*float64(n) + g.Device().Bytes(g.Rows*again),
			Detail: fmt.Sprintf("%d bytes a row are left to kernels behind", bytes),
		})
	}
	return offers
}

// KernelNames are what settings call the forms.
func KernelNames() []string { return names(numbers) }

// UpdateNames are what they call the updates.
func UpdateNames() []string {
	return []string{cuda.UpdateDirect, cuda.UpdateChunked, cuda.UpdateVariable, cuda.UpdateArray, cuda.UpdateTile}
}

// RowNames are what they call the numbers of rows of a thread.
func RowNames() []string {
	return names([]int{fewestRows, 2 * fewestRows, mostRows, countedRows, maskRows})
}

func names(numbers []int) []string {
	var names []string
	for _, n := range numbers {
		names = append(names, strconv.Itoa(n))
	}
	return names
}

// Updates implements cuda.Ordering.
func (Strategy) Updates(g *cuda.Grouping) []strategy.Offer {
	figures := &g.Device().Groups
	terms, runs := float64(g.Terms()), g.Rows/mostRows+g.Groups() // each thread begins and ends one
	each := func(row, run float64) float64 { return g.Device().Bytes(terms * (g.Rows*row + min(runs, g.Rows)*run)) }
	atomic, reached := g.Atomic(1), g.Reached(1)
	inTile := strategy.Offer{Strategy: cuda.UpdateTile, Cost: each(float64(figures.ThreadAdd), 0)}
	if !stagesFit(g, fewestRows) {
		inTile.Refusal = "the runs of a tile take too much shared memory"
	}
	return []strategy.Offer{
		inTile,
		{Strategy: cuda.UpdateVariable, Cost: each(float64(figures.ThreadAdd), reached)},
		{Strategy: cuda.UpdateArray, Cost: each(2*float64(figures.ThreadAdd), reached)}, // stores of threads that lie apart cost what additions do
		{Strategy: cuda.UpdateChunked, Cost: each(atomic, 0)},
		{Strategy: cuda.UpdateDirect, Cost: each(atomic, 0), Detail: fmt.Sprintf("%d rows a thread", fewestRows)},
	}
}

// A thread has as many rows as one load gives, at least. More than mostRows take too many
// registers for what fewer tiles gain, or more than countedRows where runs are only counted; and there are at most
// as many as a mask has bits.
const (
	fewestRows  = 4
	mostRows    = 16
	countedRows = 28
	maskRows    = 32
)

// stagesFit reports whether the sums of a tile's runs fit into a block's shared memory, a thread
// having so many rows.
func stagesFit(g *cuda.Grouping, rows int) bool {
	return int64(rows)*int64(g.Threads())*int64(g.RunBytes()) < g.Device().Groups.BlockBytes*15/16
}

// liveRegisters is how many registers the values of a thread's rows may take.
const liveRegisters = 96

// ThreadRows implements cuda.Ordering. The more rows a tile has, the fewer tiles look back.
func (Strategy) ThreadRows(g *cuda.Grouping, update string) []strategy.Offer {
	most := mostRows
	if g.KeyByWarp(update) != kernel.NoValue && g.LiveWords() == 1 {
		most = countedRows
	}
	var offers []strategy.Offer
	for _, n := range []int{mostRows, mostRows / 2, fewestRows, countedRows, maskRows} { // of equally cheap ones the first is taken
		tiles := g.Rows / float64(min(n, most)*g.Threads())
		o := strategy.Offer{Strategy: strconv.Itoa(n), Cost: g.Device().Bytes(tiles * float64(g.Device().Groups.RunTile))}
		switch live := n * g.LiveWords(); {
		case n == fewestRows:
		case update == cuda.UpdateTile && !stagesFit(g, n):
			o.Refusal = "the runs of a tile take too much shared memory"
		case update == cuda.UpdateDirect:
			o.Refusal = fmt.Sprintf("direct updates take %d rows a thread", fewestRows)
		case live > liveRegisters:
			o.Refusal = fmt.Sprintf("their values take %d registers", live)
		}
		offers = append(offers, o)
	}
	return offers
}
