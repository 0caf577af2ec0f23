package workload

// The sizes of cube Biker: 281,057,088 filled cells are 112,603 combinations of product,
// customer, channel and region, each with all measures, versions, years and months.
const (
	bikerCombos    = 112_603
	bikerProducts  = 240
	bikerCustomers = 811
	bikerRegions   = 120
	bikerMonths    = 12

	productCategories = 8
	productLists      = 10 // of productsInList products each
	productsInList    = 18
	productElements   = 1 + productCategories + productLists

	customerCountries = 16
	keyAccounts       = 80 // groups of the first keyCustomers customers
	keyCustomers      = 270
	customerElements  = 1 + customerCountries + keyAccounts

	salesAreas = 15 // disjoint, of all regions
)

// bikerCube draws cube Biker. A product counts in the total, in one of 8 categories, and
// three of four in one of 10 lists; a month in the sums from January to itself and to each
// month after it; a customer in the total, in a country, and a third of them in the group
// of a key account; a region in one of 15 areas.
func bikerCube(seed uint64) cube {
	c := cube{dims: []cubeDimension{
		{name: "product", base: bikerProducts, elements: bikerProducts + productElements, edges: groupedEdges(bikerProducts, productCategories, productList)},
		{name: "customer", base: bikerCustomers, elements: bikerCustomers + customerElements, edges: groupedEdges(bikerCustomers, customerCountries, keyAccount)},
		{name: "channel", base: 14, elements: 18},
		{name: "region", base: bikerRegions, elements: bikerRegions + salesAreas + 1, edges: regionEdges()},
		{name: "measure", base: 13, elements: 16, dense: true},
		{name: "version", base: 4, elements: 5, dense: true},
		{name: "year", base: 4, elements: 5, dense: true},
		{name: "month", base: bikerMonths, elements: 29, dense: true, edges: monthEdges()},
	}}
	all, draw := int64(1), newStream(seed, 3010)
	for _, d := range c.dims[:4] {
		all *= int64(d.base)
	}
	for i := range int64(bikerCombos) {
		at := spread(draw, i, bikerCombos, all)
		var combo combination
		for d := 3; d >= 0; d-- {
			combo[d] = int32(at % int64(c.dims[d].base))
			at /= int64(c.dims[d].base)
		}
		c.combos = append(c.combos, combo)
	}
	return c
}

// groupedEdges has each of the base elements count in the total, in one of some categories,
// and in the group behind them that group says; -1 for none.
func groupedEdges(base, categories int32, group func(e int32) int32) []edge {
	var edges []edge
	for e := range base {
		edges = append(edges, edge{e, base, 1}, edge{e, base + 1 + e%categories, 1})
		if g := group(e); g >= 0 {
			edges = append(edges, edge{e, base + 1 + categories + g, 1})
		}
	}
	return edges
}

func productList(p int32) int32 {
	if p >= productLists*productsInList {
		return -1
	}
	return p / productsInList
}

func keyAccount(c int32) int32 {
	if c >= keyCustomers {
		return -1
	}
	return c % keyAccounts
}

func regionEdges() []edge {
	var edges []edge
	for r := range int32(bikerRegions) {
		edges = append(edges, edge{r, bikerRegions + r%salesAreas, 1})
	}
	return edges
}

func monthEdges() []edge {
	var edges []edge
	for m := range int32(bikerMonths) {
		for to := m; to < bikerMonths; to++ {
			edges = append(edges, edge{m, bikerMonths + to, 1})
		}
	}
	return edges
}

// bikerAreas are the target areas of cube Biker.
func bikerAreas() []Area {
	toDate := Target{Dimension: "month", First: bikerMonths, Last: 2*bikerMonths - 1}
	return []Area{
		{Name: "B1"},
		{Name: "B2", Targets: []Target{
			{Dimension: "product", First: bikerProducts, Last: bikerProducts + productElements - 1},
			toDate,
		}},
		{Name: "B3", Targets: []Target{
			{Dimension: "customer", First: bikerCustomers, Last: bikerCustomers + customerElements - 1},
			{Dimension: "region", First: bikerRegions, Last: bikerRegions + salesAreas - 1},
			toDate,
		}},
	}
}
