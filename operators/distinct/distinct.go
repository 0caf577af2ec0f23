// Package distinct is the choice of how aggregates leave out values that a group has had.
package distinct

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Decision is what the choice is called.
const Decision = "distinct"

// The strategies.
const (
	Set   = "set"   // each group has a set of the values that it has had
	Split = "split" // kernels group by the values, too, and another one aggregates their groups
)

// deduplication is that of so many aggregates with DISTINCT over some rows.
type deduplication struct {
	*operators.Weave
	aggregates float64
	texts      bool // some values have no form of fixed size
	runs       bool // the groups are runs of rows
}

// strategies are the strategies of aggregates with DISTINCT.
var strategies = strategy.Table[*deduplication]{
	{Name: Set, Offer: (*deduplication).set},
	{Name: Split, Offer: (*deduplication).split},
}

// Strategies are the names of the strategies of aggregates with DISTINCT.
func Strategies() []string { return strategies.Names() }

// set costs what finding values in sets does, which the cache holds only where rows are divided by their
// groups first (docs/measurements/2026-11-29-visits.md).
func (d *deduplication) set() strategy.Offer {
	host, detail := &d.Machine.Host, "one for each group and aggregate"
	each := host.Hashed
	if !d.Device && !d.divides() {
		each += host.Missed
		detail += ", of all groups together"
	}
	return strategy.Offer{Detail: detail, Cost: d.aggregates * each * d.Rows}
}

// groupBytes is about what a table takes of a group.
const groupBytes = 32

// divides reports whether rows come by their groups, or are divided by them: there are many, and no texts in
// their sets.
func (d *deduplication) divides() bool {
	caches := &d.Machine.Host.Caches
	return d.runs || !d.texts && d.Groups > max(float64(caches.SparseGroups), float64(caches.TableBytes)/groupBytes)
}

func (d *deduplication) split() strategy.Offer {
	host := &d.Machine.Host
	return strategy.Offer{
		Detail: "into as many kernels and one more, by groups and values",
		Cost:   d.aggregates*(2*host.Hashed*d.Rows+host.HashStart) + host.HashStart,
	}
}

// Choose chooses how aggregates with DISTINCT leave out values that a group has
// had, where there are any, and reports whether they are split. Runs says that its rows lie together.
func Choose(w *operators.Weave, accs []kernel.Acc, runs bool) (splits bool) {
	d := &deduplication{Weave: w, runs: runs}
	for i := range accs {
		if acc := &accs[i]; acc.Distinct && !acc.Op.IgnoresDuplicates() {
			d.aggregates++
			d.texts = d.texts || slices.ContainsFunc(acc.Args, func(arg kernel.ValueID) bool {
				return w.Value(arg).Type == kernel.Str
			})
		}
	}
	if d.aggregates == 0 {
		return false
	}
	return w.Decide(w.Distinct, Decision, strategies.Offers(d)).Takes(Split)
}
