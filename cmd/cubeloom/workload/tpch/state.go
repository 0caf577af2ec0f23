package tpch

import (
	"sync"
	_ "unsafe" // for go:linkname

	"github.com/pingcap/go-tpc/tpch/dbgen"
)

// Package dbgen keeps its state in variables of its own, and InitDbGen is right
// only once in a process: a second call appends every word list to itself, so
// that other words are drawn. From the second generation on, reset therefore
// sets back the variables that depend on the scale factor or that a generation
// moves on. That takes their names: TestGenerationsAreEqual fails if another
// version of the package has others.

//go:linkname dbgenSeeds github.com/pingcap/go-tpc/tpch/dbgen.seeds
var dbgenSeeds [48]dbgen.Seed

//go:linkname dbgenScale github.com/pingcap/go-tpc/tpch/dbgen.scale
var dbgenScale int64

//go:linkname dbgenLastCustomer github.com/pingcap/go-tpc/tpch/dbgen.ockeyMax
var dbgenLastCustomer int64

//go:linkname dbgenLastPart github.com/pingcap/go-tpc/tpch/dbgen.LPkeyMax
var dbgenLastPart int64

// firstSeeds is the state of the random streams before a first row.
var firstSeeds [48]dbgen.Seed

var initialize = sync.OnceFunc(func() {
	dbgen.InitDbGen(1)
	firstSeeds = dbgenSeeds
})

// reset prepares package dbgen for a generation at an integer scale factor.
func reset(scale int64) {
	initialize()
	dbgenSeeds = firstSeeds
	dbgenScale = scale
	dbgenLastCustomer = customersAtScale1 * scale
	dbgenLastPart = partsAtScale1 * scale
}

// The numbers of rows of some tables at scale 1.
const (
	customersAtScale1 = 150_000
	partsAtScale1     = 200_000
	linesAtScale1     = 6_001_215
)
