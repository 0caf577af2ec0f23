package fusion

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// survivors is what refinement leaves of a set's groups: how many it finds, in groups of the set
// before that are left, how many of these it does not prune, and their rows. Of each sampled row it
// says how likely its group is left.
type survivors struct {
	found, groups, rows float64
	left                []float64
}

// surviving guesses what is left of the groups of a set where they need so many rows, in those that
// are left of a set before, nil for all rows. The rows of a group come as a Poisson process does.
func (c *cube) surviving(least float64, set algebra.KeySet, before *survivors) *survivors {
	sizes, weight := c.groupSizes().Of(set), c.groupSizes().Weight
	s := &survivors{left: make([]float64, len(sizes))}
	enough := newTail(least)
	for row, size := range sizes {
		within := 1.0
		if before != nil {
			within = before.left[row]
		}
		filled := -math.Expm1(-size)
		passing, others := enough.of(size)
		s.left[row] = passing / filled
		s.found += weight * within * filled / size
		s.groups += weight * passing / size
		s.rows += weight * others // a row has the others of its group beside it
	}
	return s
}

// tail is the chance that a Poisson variable is least at the least, from one on.
type tail struct{ least, factorial float64 } // factorial: the logarithm of that of least

func newTail(least float64) tail {
	factorial, _ := math.Lgamma(least + 1)
	return tail{least, factorial}
}

// of is the chance for a mean above 0, and that of one less at the least.
func (t tail) of(mean float64) (chance, fewer float64) {
	const sure = 8 // standard deviations
	switch far := (mean - t.least) / math.Sqrt(mean); {
	case t.least == 1:
		return -math.Expm1(-mean), 1
	case far > sure:
		return 1, 1
	case far < -sure && mean > 1:
		return 0, 0
	}
	term := math.Exp(t.least*math.Log(mean) - mean - t.factorial) // that it is least
	before := term * t.least / mean                               // that it is one less
	if mean > t.least {
		// The terms below least become smaller by more than least/mean each.
		chance = 1 - before
		for k, term := t.least-1, before; k > 0 && term > negligible; k-- {
			term *= k / mean
			chance -= term
		}
		return chance, chance + before
	}
	for k := t.least + 1; term > negligible*before; k++ {
		chance += term
		term *= mean / k
	}
	return chance, chance + before
}

// negligible is what a term may be smaller by than what has been added up.
const negligible = 1e-6
