package codegen

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Dealt is what one of several devices does of a kernel that makes the groups of several sets by refinement: some
// of the sets, over all rows.
type Dealt struct {
	Func *kernel.Func
	Sets []int   // of the kernel's, of which Func makes the groups, in the order of its results
	Cost float64 // estimated nanoseconds
}

// ExchangeSets says how the sets of a Cubing are shared.
const ExchangeSets = "every device refines some of the sets, over all rows"

// dealtPart is up to which share of what a device is to do a subtree of refinements is not divided.
const dealtPart = 4

// DealSets deals out the sets of a Cubing, as subtrees of its refinements, to n devices of which each has some to do,
// so that none has much more than others by estimates of the groups that are not pruned. It also returns what
// all of them together cost one device. Nil: there is nothing to deal out.
func DealSets(f *kernel.Func, n int, costs *machine.Refine) (dealt []Dealt, whole float64) {
	s, ok := f.Sink.(*kernel.Cubing)
	if _, scans := f.Source.(*kernel.Scan); !ok || !scans || marks(f.Body) || len(s.Sets) < 2 {
		return nil, 0
	}
	d := dealer{f: f, s: s, costs: costs, fewest: float64(s.Fewest())}
	whole = d.cost(kernel.Refinements(s.Sets), 1)
	hands := d.deal(d.tasks(n, whole), n)
	if slices.ContainsFunc(hands, func(sets []int) bool { return len(sets) == 0 }) {
		return nil, whole
	}
	for _, sets := range hands {
		dealt = append(dealt, d.hand(sets))
	}
	return dealt, whole
}

// dealer deals out the sets of a Cubing.
type dealer struct {
	f      *kernel.Func
	s      *kernel.Cubing
	costs  *machine.Refine
	fewest float64 // rows of a group that is not pruned
}

// dealTask are sets that are not divided: a step of refinement alone, or with all after it.
type dealTask struct {
	at    *kernel.Refinement
	cells float64 // that its groups are refined from
	alone bool    // without those after it
	cost  float64
}

// tasks are the subtrees that are dealt out.
func (d *dealer) tasks(n int, whole float64) []dealTask {
	all := []dealTask{{at: kernel.Refinements(d.s.Sets), cells: 1, cost: whole}}
	for {
		k := -1
		for i := range all {
			if t := &all[i]; !t.alone && len(t.at.Finer) > 0 && (k < 0 || t.cost > all[k].cost) {
				k = i
			}
		}
		if k < 0 || all[k].cost*float64(dealtPart*n) <= whole {
			return all
		}
		t := all[k]
		all = slices.Delete(all, k, k+1)
		cells := t.cells * d.cardinality(t.at.Key)
		for _, finer := range t.at.Finer {
			all = append(all, dealTask{at: finer, cells: cells, cost: d.cost(finer, cells)})
		}
		if t.at.Set >= 0 {
			all = append(all, dealTask{at: t.at, cells: t.cells, alone: true, cost: d.step(t.at, t.cells)})
		}
	}
}

// deal gives each task, the most expensive first, to the device that has the least to do, and returns the sets of each.
func (d *dealer) deal(tasks []dealTask, n int) [][]int {
	slices.SortStableFunc(tasks, func(a, b dealTask) int { return cmp.Compare(b.cost, a.cost) })
	hands, load := make([][]int, n), make([]float64, n)
	for _, t := range tasks {
		least := slices.Index(load, slices.Min(load))
		load[least] += t.cost
		if t.alone {
			hands[least] = append(hands[least], t.at.Set)
		} else {
			hands[least] = appendSets(hands[least], t.at)
		}
	}
	for _, sets := range hands {
		slices.Sort(sets)
	}
	return hands
}

// appendSets appends the sets of a step and of those after it.
func appendSets(sets []int, at *kernel.Refinement) []int {
	if at.Set >= 0 {
		sets = append(sets, at.Set)
	}
	for _, finer := range at.Finer {
		sets = appendSets(sets, finer)
	}
	return sets
}

// hand is what a device does that has some of the sets.
func (d *dealer) hand(sets []int) Dealt {
	own := *d.s
	own.Sets = make([]uint64, len(sets))
	for i, set := range sets {
		own.Sets[i] = d.s.Sets[set]
	}
	return Dealt{Func: withSink(d.f, &own), Sets: sets, Cost: d.cost(kernel.Refinements(own.Sets), 1)}
}

// cost is what a step and all after it cost, of groups that may have so many cells.
func (d *dealer) cost(at *kernel.Refinement, cells float64) float64 {
	cost := d.step(at, cells)
	for _, finer := range at.Finer {
		cost += d.cost(finer, cells*d.cardinality(at.Key))
	}
	return cost
}

// step is what one step costs.
func (d *dealer) step(at *kernel.Refinement, cells float64) float64 {
	rows, left := d.left(cells), d.left(cells*d.cardinality(at.Key))
	cost := d.costs.Step + rows*d.costs.Counted
	if len(at.Finer) > 0 {
		cost += left * d.costs.Moved
	}
	if at.Set >= 0 {
		cost += left * d.costs.Added * float64(max(len(d.s.Accs), 1))
	}
	return cost
}

// left are the rows of groups that are not pruned, where rows are spread over so many cells.
func (d *dealer) left(cells float64) float64 {
	return d.s.Rows * min(1, d.s.Rows/(d.fewest*cells))
}

// cardinality is how many values a key may have; that of step -1, of all rows, has one.
func (d *dealer) cardinality(key int) float64 {
	if key < 0 {
		return 1
	}
	v := &d.f.Values[d.s.Keys[key]]
	switch {
	case v.Type == kernel.Bool:
		return 2
	case v.Range.Known && v.Range.Lo <= v.Range.Hi:
		return float64(uint64(v.Range.Hi)-uint64(v.Range.Lo)) + 1
	}
	return float64(uint64(1) << (bits.Len64(uint64(max(d.s.Rows, 1))) / 2)) // the root of the number of rows
}
