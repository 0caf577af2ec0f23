package workload

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// The customers and sites of cube Machines. Query M3 asks for 19 groups of customers by
// 23 groups of sites, of which blocks of customers and sites, one in each of 7
// combinations of groups, are filled. M2 asks for a group of some customers.
const (
	customerGroups = 19
	siteGroups     = 23

	salesBlocks   = 6
	blockSide     = 21 // customers of a block
	blockSites    = 7
	smallBlocks   = 3  // whose customers M2 asks for
	withoutFirst  = 74 // pairs of the other blocks that lack the first hub
	extraSingles  = 29 // components of the last pair of a block
	otherWithFew  = 6  // customers outside of the blocks with otherSites sites
	otherSites    = 8
	otherOfSmall  = 43 // customers outside of the blocks that M2 asks for, with blockSites sites
	customersLeft = otherOfSmall + 1 + otherWithFew
)

// machineSales are the filled combinations of customer, site and component.
type machineSales struct {
	customers, sites           int32
	customerEdges, siteEdges   []edge
	combos                     []combination
	all, withoutHub, ofSingles []int32 // components
	lacking                    int     // pairs that still have to lack the first hub
}

// newMachineSales fills blocks of customers and sites with all components, but for: the
// last pair of each block, which has few components, none of them a hub or one of small,
// so that M2 asks for none; some pairs without the first hub; and a seventh block of one
// customer, which lacks the component that is alone in its machine.
func newMachineSales(small []int32) *machineSales {
	s := &machineSales{
		customers: salesBlocks*blockSide + 1 + customersLeft,
		sites:     salesBlocks*blockSites + 2 + otherSites + siteGroups - salesBlocks - 1,
		lacking:   withoutFirst,
	}
	s.components(small)
	for block := range int32(salesBlocks) {
		s.block(block)
	}
	s.lastBlock()
	s.others()
	s.emptyGroups()
	for c := range s.customers {
		s.customerEdges = append(s.customerEdges, edge{c, s.customers + customerGroups + 1, 1})
	}
	return s
}

// components lists the components of the kinds of pairs.
func (s *machineSales) components(small []int32) {
	s.all = lists.Upto[int32](components)
	s.withoutHub = s.all[1:]
	for _, c := range s.all {
		if len(s.ofSingles) < extraSingles && !isHub(c) && c != singleComponent && !slices.Contains(small, c) {
			s.ofSingles = append(s.ofSingles, c)
		}
	}
}

// pair fills a customer and a site with components.
func (s *machineSales) pair(customer, site int32, components []int32) {
	for _, c := range components {
		s.combos = append(s.combos, combination{0: customer, 1: site, 5: c})
	}
}

// block fills all pairs of a group of customers and a group of sites.
func (s *machineSales) block(block int32) {
	for i := range int32(blockSide) {
		customer := block*blockSide + i
		s.group(customer, block, block < smallBlocks)
		for j := range int32(blockSites) {
			site := block*blockSites + j
			if i == 0 {
				s.siteEdges = append(s.siteEdges, edge{site, s.sites + block, 1})
			}
			switch {
			case i == blockSide-1 && j == blockSites-1:
				s.pair(customer, site, s.ofSingles)
			case block >= smallBlocks && s.lacking > 0:
				s.lacking--
				s.pair(customer, site, s.withoutHub)
			default:
				s.pair(customer, site, s.all)
			}
		}
	}
}

// group puts a customer into a group, and into the one of M2.
func (s *machineSales) group(customer, group int32, small bool) {
	s.customerEdges = append(s.customerEdges, edge{customer, s.customers + group, 1})
	if small {
		s.customerEdges = append(s.customerEdges, edge{customer, s.customers + customerGroups, 1})
	}
}

// lastBlock fills two pairs of one customer.
func (s *machineSales) lastBlock() {
	const customer, site = salesBlocks * blockSide, salesBlocks * blockSites
	s.group(customer, salesBlocks, false)
	for j := range int32(2) {
		s.siteEdges = append(s.siteEdges, edge{site + j, s.sites + salesBlocks, 1})
	}
	s.pair(customer, site, slices.DeleteFunc(slices.Clone(s.all), func(c int32) bool { return c == singleComponent }))
	s.pair(customer, site+1, s.ofSingles)
}

// others fills pairs of customers in the remaining groups and sites in none.
func (s *machineSales) others() {
	const first, site = salesBlocks*blockSide + 1, salesBlocks*blockSites + 2
	for i := range int32(customersLeft) {
		sites := int32(blockSites)
		switch {
		case i == otherOfSmall:
			sites = 1
		case i > otherOfSmall:
			sites = otherSites
		}
		s.group(first+i, salesBlocks+1+i%(customerGroups-salesBlocks-1), i <= otherOfSmall)
		for j := range sites {
			s.pair(first+i, site+j, s.all)
		}
	}
}

// emptyGroups puts sites without sales into the remaining groups.
func (s *machineSales) emptyGroups() {
	first := int32(salesBlocks*blockSites + 2 + otherSites)
	for i := range int32(siteGroups - salesBlocks - 1) {
		s.siteEdges = append(s.siteEdges, edge{first + i, s.sites + salesBlocks + 1 + i, 1})
	}
}
