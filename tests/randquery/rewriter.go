package randquery

import (
	"fmt"
	"math/rand/v2"
)

// A rewriter replaces parts of a query. What becomes of a part depends on the seed and on
// the part's text alone, so that it stays where another part is left out.
type rewriter struct {
	seed    uint64
	percent int // of the parts that are replaced
	changes int
	aliases int
	plain   bool            // in a recursive query, where no subquery may be added
	keys    map[string]bool // texts of the grouping expressions
}

// chooses decides whether a part is replaced, and makes its choices.
func (w *rewriter) chooses(text string) (*rand.Rand, bool) {
	r := rand.New(rand.NewPCG(hash(w.seed, text), w.seed))
	if len(text) > maxRewritten || r.IntN(100) >= w.percent {
		return r, false
	}
	w.changes++
	return r, true
}

func (w *rewriter) alias() string {
	w.aliases++
	return fmt.Sprintf("e%d", w.aliases)
}

// maxRewritten is the length of the longest text that is repeated.
const maxRewritten = 600
