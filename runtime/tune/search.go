package tune

// Options are the hyper-parameters of a search.
type Options struct {
	// Similarity is s: times are alike where one is within this share of the other; 0
	// follows the gradient alone.
	Similarity float64
	// Prune is p: configurations that are slower than the fastest by more than this
	// factor are not gone on from.
	Prune float64
	// MaxVariation is v_max, the greatest (max − min) / mean of a window of blocks whose
	// mean counts.
	MaxVariation float64
	// MaxBlocks is b_max: so many blocks are measured of a configuration, at most.
	MaxBlocks int
	// Doubt, which the paper does not have, has a configuration whose first block takes longer than that of
	// the fastest measured no further, unless it is within this share of p times the time of the fastest; one
	// whose second block takes longer too is measured no further in any case. 0: a window is measured of each.
	Doubt float64
}

// Window is how many blocks the time of a configuration is the mean of.
const Window = 3

// Defaults are the hyper-parameters with which the paper finds the fastest configurations
// most often.
var Defaults = Options{Similarity: 0.06, Prune: 1.07, MaxVariation: 0.019, MaxBlocks: 10}

// Gradient are those of the paper's comparison: runs of equal configurations are not seen.
var Gradient = Options{Prune: 1.07, MaxVariation: 0.019, MaxBlocks: 10}

// Frugal are Defaults, but that slow configurations are left soon. On recorded times they find as good
// ones with two fifths of the effort (docs/measurements/2026-11-29-device.md).
var Frugal = Options{Similarity: 0.06, Prune: 1.07, MaxVariation: 0.019, MaxBlocks: 10, Doubt: 0.02}

// Search is a search under way. It is used by one goroutine at a time: Next says what a
// block is done with, and Took how long that took.
type Search[C comparable] struct {
	neighbors func(C) []C
	opts      Options

	starts []C // not measured yet, of those that the search begins with
	times  map[C]float64
	queue  []C // reference configurations, the first of which is gone on from
	from   C   // the reference of the one that is measured
	start  bool
	best   C
	// The first blocks of best. Blocks are compared with those in their place: the first ones that
	// fill a table take longer than those behind them.
	bestFirst []float64
	done      bool

	trying C
	window []float64 // the last blocks that were done with it, at most Window
	first  []float64 // the first ones, likewise
	taken  int       // blocks that were done with it

	blocks int // of all configurations
	spent  float64
}
