package workload

// The regions of cube Machines, and how many of them count in each consolidated one.
const machineRegions = 15

var regionGroups = []int32{15, 5, 5, 5, 3, 3, 3, 3, 2, 2, 2}

// machinesCube draws cube Machines.
func machinesCube(seed uint64) cube {
	parts, small := machineEdges(seed)
	sales := newMachineSales(small)
	return cube{
		dims: []cubeDimension{
			{name: "customer", base: sales.customers, elements: sales.customers + customerGroups + 2, edges: sales.customerEdges},
			{name: "site", base: sales.sites, elements: sales.sites + siteGroups + 1, edges: sales.siteEdges},
			{name: "period", base: 7, elements: 21, dense: true},
			{name: "region", base: machineRegions, elements: machineRegions + int32(len(regionGroups)), dense: true, edges: machineRegionEdges()},
			{name: "scenario", base: 5, elements: 11, dense: true},
			{name: "component", base: components, elements: components + machines, edges: parts},
		},
		combos: sales.combos,
	}
}

func machineRegionEdges() []edge {
	var edges []edge
	first := int32(0)
	for group, size := range regionGroups {
		for range size {
			edges = append(edges, edge{first % machineRegions, machineRegions + int32(group), 1})
			first++
		}
	}
	return edges
}

// machinesAreas are the target areas of cube Machines.
func machinesAreas() []Area {
	sales := newMachineSales(nil)
	return []Area{
		{Name: "M1"},
		{Name: "M2", Targets: []Target{
			{Dimension: "customer", First: sales.customers + customerGroups, Last: sales.customers + customerGroups},
			{Dimension: "region", First: machineRegions, Last: machineRegions + int32(len(regionGroups)) - 1},
			{Dimension: "component", First: components, Last: components + smallMachines - 1},
		}},
		{Name: "M3", Targets: []Target{
			{Dimension: "customer", First: sales.customers, Last: sales.customers + customerGroups - 1},
			{Dimension: "site", First: sales.sites, Last: sales.sites + siteGroups - 1},
			// One element more than there are machines, in which nothing counts.
			{Dimension: "component", First: components, Last: components + machines},
		}},
	}
}
