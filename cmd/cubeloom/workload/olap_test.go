package workload

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestOLAPNumbers holds what table 5.1 of Meinke 2015 says of the cubes and their queries,
// of every seed: the numbers are counted by combination of the sparse dimensions.
func TestOLAPNumbers(t *testing.T) {
	want := map[string]struct {
		relevant, filled, targets int64
		additions                 float64 // a relevant cell
	}{
		"B1": {281_057_088, 1, 1, 1},
		"B2": {281_057_088, 228, 228, 17.87},
		"B3": {281_057_088, 17_460, 17_460, 15.17},
		"M1": {41_294_400, 1, 1, 1},
		"M2": {6_216_000, 2519, 2519, 228.2},
		"H1": {1_000_000, 2000, 2000, 58.6},
		"M3": {29_534_400, 13_971, 874_437, 155.4},
	}
	volume := map[string]string{"biker": "6.68e+12", "machines": "2.26e+11", "hubs": "3.00e+06"}
	for _, name := range OLAPCubes() {
		seeds := uint64(3)
		if name == "hubs" { // the same of each, and long to count
			seeds = 1
		}
		for seed := range seeds {
			o := OLAP{Cube: name}
			c := o.make(seed)
			elements := 1.0
			for _, d := range c.dims {
				elements *= float64(d.elements)
			}
			if got := fmt.Sprintf("%.2e", elements); got != volume[name] {
				t.Errorf("cube %s has %s cells, want %s", name, got, volume[name])
			}
			for _, area := range o.Areas() {
				relevant, additions, filled, targets := count(&c, area)
				w := want[area.Name]
				if relevant != w.relevant || filled != w.filled || targets != w.targets {
					t.Errorf("seed %d, %s: %d relevant cells, %d of %d targets filled, want %+v", seed, area.Name, relevant, filled, targets, w)
				}
				if each := float64(additions) / float64(relevant); math.Abs(each/w.additions-1) > 0.01 {
					t.Errorf("seed %d, %s: %.2f additions a cell, want %.2f", seed, area.Name, each, w.additions)
				}
			}
		}
	}
}

// count counts an area's relevant cells, additions, filled targets and all targets.
func count(c *cube, area Area) (relevant, additions, filled, targets int64) {
	parents := make([][][]int32, len(c.dims)) // of each base element, in the area
	targets = 1
	for _, target := range area.Targets {
		d := slices.IndexFunc(c.dims, func(d cubeDimension) bool { return d.name == target.Dimension })
		parents[d] = make([][]int32, c.dims[d].base)
		for _, e := range c.dims[d].edges {
			if e.element >= target.First && e.element <= target.Last {
				parents[d][e.base] = append(parents[d][e.base], e.element)
			}
		}
		targets *= int64(target.Last - target.First + 1)
	}
	seen := make(map[combination]bool)
	cells, sums, reached := int64(1), int64(1), int64(1) // of the dense dimensions
	for d, dim := range c.dims {
		if !dim.dense {
			continue
		}
		if parents[d] == nil {
			cells *= int64(dim.base)
			sums *= int64(dim.base)
			continue
		}
		each, different := int64(0), make(map[int32]bool)
		for _, list := range parents[d] {
			each += int64(len(list))
			for _, p := range list {
				different[p] = true
			}
		}
		cells *= int64(dim.base) // each of which has a parent
		sums *= each
		reached *= int64(len(different))
	}
	for _, combo := range c.combos {
		n := mark(c, parents, combo, 0, combination{}, seen)
		if n > 0 {
			relevant += cells
		}
		additions += n * sums
	}
	return relevant, additions, int64(len(seen)) * reached, targets
}

// mark records the targets of a combination in the sparse dimensions from d on, and
// returns how many there are.
func mark(c *cube, parents [][][]int32, combo combination, d int, target combination, seen map[combination]bool) int64 {
	for d < len(c.dims) && (c.dims[d].dense || parents[d] == nil) {
		d++
	}
	if d == len(c.dims) {
		seen[target] = true
		return 1
	}
	n := int64(0)
	for _, p := range parents[d][combo[d]] {
		target[d] = p
		n += mark(c, parents, combo, d+1, target, seen)
	}
	return n
}

// TestOLAPCells holds that the cells of a cube are different, sorted by its dimensions in
// the order asked for, and the same cells in any order.
func TestOLAPCells(t *testing.T) {
	for _, name := range OLAPCubes() {
		c := OLAP{Cube: name}.make(1)
		c.combos = c.combos[:97]
		natural, err := OLAP{Cube: name}.order(&c)
		if err != nil {
			t.Fatal(err)
		}
		turned := slices.Clone(natural)
		slices.Reverse(turned)
		var sorted [][]combination
		for _, order := range [][]int{natural, turned} {
			f := newFilledCells(&c, order)
			cursor := f.cursor()
			var cells []combination
			for i := range f.count {
				cells = append(cells, cursor.seek(i))
			}
			less := func(order []int) func(a, b combination) int {
				return func(a, b combination) int {
					for _, d := range order {
						if a[d] != b[d] {
							return int(a[d]) - int(b[d])
						}
					}
					return 0
				}
			}
			if !slices.IsSortedFunc(cells, less(order)) {
				t.Errorf("cube %s: cells are not in order %v", name, order)
			}
			slices.SortFunc(cells, less(natural))
			if len(slices.Compact(slices.Clone(cells))) != len(cells) {
				t.Errorf("cube %s: cells stand twice in order %v", name, order)
			}
			sorted = append(sorted, cells)
		}
		if !slices.Equal(sorted[0], sorted[1]) {
			t.Errorf("cube %s: other cells in another order", name)
		}
	}
}

// TestOLAPFewCells holds that any number of cells can be drawn, in order, and that the
// tables have the rows that they announce.
func TestOLAPFewCells(t *testing.T) {
	for _, name := range OLAPCubes() {
		for _, n := range []int64{1, 1000, 123_457} {
			o := OLAP{Cube: name, Cells: n, Order: []string{"region"}}
			tables := collect(t, o, Options{Seed: 2})
			if region := ints(t, tables["cells"], "region"); !slices.IsSorted(region) {
				t.Errorf("cube %s, %d cells: the regions are not in order", name, n)
			}
		}
	}
	for _, o := range []OLAP{{Cube: "cube"}, {Cube: "biker", Cells: -1}, {Cube: "machines", Cells: 41_294_401},
		{Cube: "machines", Order: []string{"month"}}, {Cube: "biker", Order: []string{"month", "month"}}} {
		if o.Validate() == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
