package workload

// The sizes of cube Hubs: of a million cells 64 neighbours belong to one part that counts
// 900,000 times, in 2000 consolidated elements; every other part counts once. So the map has
// fewer rows than the cells: it is what a hash table is made of, and the neighbours have the
// matches.
const (
	hubCells    = 1_000_000
	hubParts    = 1000
	hubTargets  = 2000
	hub         = hubParts / 2 // the part of the neighbours
	hubNeighbor = 64
	hubEdges    = 900_000
	hubRegions  = (hubCells-hubNeighbor)/(hubParts-1) + 1
)

// hubsCube makes cube Hubs, which is the same for every seed. It is none of the thesis's:
// it shows what becomes of a few cells that have most of all targets.
func hubsCube() cube {
	c := cube{dims: []cubeDimension{
		{name: "part", base: hubParts, elements: hubParts + hubTargets, edges: hubsEdges()},
		{name: "region", base: hubRegions, elements: hubRegions},
	}}
	fewer := hubRegions*(hubParts-1) - (hubCells - hubNeighbor) // parts with a region less
	for part := range int32(hubParts) {
		regions := hubRegions
		switch {
		case part == hub:
			regions = hubNeighbor
		case int(part) < fewer:
			regions--
		}
		for region := range int32(regions) {
			c.combos = append(c.combos, combination{part, region})
		}
	}
	return c
}

func hubsEdges() []edge {
	var edges []edge
	for part := range int32(hubParts) {
		if part != hub {
			edges = append(edges, edge{part, hubParts + part*7%hubTargets, 1})
			continue
		}
		for i := range int32(hubEdges) {
			edges = append(edges, edge{hub, hubParts + i%hubTargets, 1 + i%3})
		}
	}
	return edges
}

// hubsAreas is the target area of cube Hubs: all consolidated elements.
func hubsAreas() []Area {
	return []Area{{Name: "H1", Targets: []Target{{Dimension: "part", First: hubParts, Last: hubParts + hubTargets - 1}}}}
}
