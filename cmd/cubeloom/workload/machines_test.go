package workload

import (
	"slices"
	"testing"
)

// TestMachines holds the numbers of the hierarchy, how many additions a cell has, and
// the order of the cells.
func TestMachines(t *testing.T) {
	const cells = 64 * 6144 * 2
	for _, first := range []bool{false, true} {
		tables := collect(t, Machines{Cells: cells, ComponentFirst: first}, Options{Seed: 1})
		component := ints(t, tables["cells"], "component")
		fanOut := make([]int64, components)
		machine := ints(t, tables["edges"], "machine")
		seen := make(map[[2]int64]bool)
		for i, c := range ints(t, tables["edges"], "component") {
			fanOut[c]++
			seen[[2]int64{int64(c), int64(machine[i])}] = true
		}
		if len(seen) != machineEdges || len(seen) != len(machine) {
			t.Errorf("%d edges, %d of them different, want %d", len(machine), len(seen), machineEdges)
		}
		additions := int64(0)
		for _, c := range component {
			additions += fanOut[c]
		}
		if want := int64(cells / components * 10_054); additions != want {
			t.Errorf("%d additions, want %d", additions, want)
		}
		if slices.IsSorted(component) != first {
			t.Errorf("component first %v: the components are in order: %v", first, !first)
		}
		if customer := ints(t, tables["cells"], "customer"); slices.IsSorted(customer) == first {
			t.Errorf("component first %v: the customers are in order: %v", first, first)
		}
	}
}
