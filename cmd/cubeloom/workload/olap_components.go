package workload

import "github.com/cubeloom/cubeloom/sql/value/lists"

// The hierarchy of cube Machines: 64 components and 2000 machines. A component is part of
// one machine drawn at random, every seventh component of exactly 1000 of them.
const (
	components  = 64
	machines    = 2000
	hubEvery    = 7
	hubMachines = 1000
	// singleComponent is a component that is the only one of its machine.
	singleComponent = 1
	// withoutHub machines are part of nothing that every seventh component is part of.
	withoutHub = 5

	// The machines of query M2 are numbered first. smallSingles of them have a component
	// beside the hubs, one each, and together they have hubs smallHubs times.
	smallMachines = 229
	smallSingles  = 6
	smallHubs     = 1135
)

// isHub reports whether a component is part of 1000 machines.
func isHub(component int32) bool { return component%hubEvery == 0 }

// machineParts are the components of one machine.
type machineParts struct {
	hubs    []int32
	singles []int32
}

// machineEdges draws the hierarchy, with a weight from 1 to 5 for each edge, and reports
// which components beside the hubs the machines of query M2 have.
func machineEdges(seed uint64) (edges []edge, small []int32) {
	parts := drawSingles(drawHubs(seed), newStream(seed, 3022))
	order := smallFirst(parts)
	weight := newStream(seed, 3023)
	for number, m := range order {
		for _, c := range append(parts[m].hubs, parts[m].singles...) {
			w := weight.between(int64(c)*machines+int64(number), 1, 5)
			edges = append(edges, edge{c, components + int32(number), int32(w)})
		}
		if number < smallMachines {
			small = append(small, parts[m].singles...)
		}
	}
	return edges, small
}

// drawHubs draws 1000 machines for every seventh component, until withoutHub machines are
// left out by all.
func drawHubs(seed uint64) []machineParts {
	for attempt := 0; ; attempt++ {
		draw := newStream(seed, 4000+attempt)
		parts := make([]machineParts, machines)
		left := machines
		for c := int32(0); c < components; c += hubEvery {
			order := lists.Upto[int32](machines)
			for i := range int64(hubMachines) { // the first steps of a shuffle
				k := draw.between(int64(c)*machines+i, i, machines-1)
				order[i], order[k] = order[k], order[i]
				m := &parts[order[i]]
				if len(m.hubs) == 0 {
					left--
				}
				m.hubs = append(m.hubs, c)
			}
		}
		if left == withoutHub {
			return parts
		}
	}
}

// drawSingles draws a machine for each other component: among those with hubs, but for
// singleComponent, which is alone in its machine.
func drawSingles(parts []machineParts, draw stream) []machineParts {
	for c := int32(0); c < components; c++ {
		if isHub(c) {
			continue
		}
		for i := int64(0); ; i++ {
			m := &parts[draw.between(int64(c)<<32+i, 0, machines-1)]
			if (len(m.hubs) == 0) == (c == singleComponent) {
				m.singles = append(m.singles, c)
				break
			}
		}
	}
	return parts
}

// smallFirst lists the machines, those of query M2 first: smallSingles machines with one
// component beside the hubs, and as many without that all have hubs smallHubs times.
func smallFirst(parts []machineParts) []int {
	chosen := make(map[int]bool)
	hubs := 0
	take := func(singles, n int) {
		for m := 0; len(chosen) < n; m++ {
			if p := parts[m]; len(p.singles) == singles && len(p.hubs) > 0 {
				chosen[m] = true
				hubs += len(p.hubs)
			}
		}
	}
	take(1, smallSingles)
	take(0, smallMachines)
	for hubs != smallHubs {
		step := 1
		if hubs > smallHubs {
			step = -1
		}
		exchange(parts, chosen, step)
		hubs += step
	}
	var order, rest []int
	for m := range parts {
		if chosen[m] {
			order = append(order, m)
		} else {
			rest = append(rest, m)
		}
	}
	return append(order, rest...)
}

// exchange puts a machine with step more hubs in the place of a chosen one.
func exchange(parts []machineParts, chosen map[int]bool, step int) {
	spare := make(map[int]int) // machines that are not chosen, by their number of hubs
	for m, p := range parts {
		if !chosen[m] && len(p.singles) == 0 && len(p.hubs) > 0 {
			spare[len(p.hubs)] = m
		}
	}
	for m := range parts {
		if !chosen[m] || len(parts[m].singles) > 0 {
			continue
		}
		if other, ok := spare[len(parts[m].hubs)+step]; ok {
			delete(chosen, m)
			chosen[other] = true
			return
		}
	}
}
