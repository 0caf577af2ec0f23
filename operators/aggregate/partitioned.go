package aggregate

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Partitioned is the strategy of the host that divides rows by their keys first, so that
// the groups of one part fit the cache. Within a part it is one of the tables.
const Partitioned = "partitioned"

// tableOffers are what the tables of groups would cost, as they are and by partitions.
func tableOffers(w *operators.Weave, in *kernel.Aggregate) []strategy.Offer {
	offers := w.TableOffers(in.Keys, w.Rows)
	host := &w.Machine.Host
	divided := strategy.Offer{Strategy: Partitioned, Refusal: undividable(w, in)}
	best := cheaperTable(offers)
	divided.Detail = "each part by " + offers[best].Strategy
	divided.Cost = offers[best].Cost + host.Partitioned*w.Rows
	dense, hash := &offers[0], &offers[1]
	if cells, refusal := w.Cells(in.Keys); refusal == "" && dense.Refusal == "" {
		if missed := missedShare(host, touchedBytes(cells, w.Groups, groupBytes(in))); missed > 0 {
			dense.Detail += ", more than the cache holds"
			dense.Cost += host.Missed * missed * w.Rows
		}
	}
	if divided.Refusal == "" {
		limit := max(float64(host.Caches.SparseGroups), float64(host.Caches.TableBytes)/(groupBytes(in)+hashSlot))
		hash.Detail = fmt.Sprintf("rows are partitioned once one table has about %.0f groups", limit)
		if w.Groups <= limit {
			hash.Cost += host.Missed * missedShare(host, w.Groups*(groupBytes(in)+hashSlot)) * w.Rows
		} else {
			hash.Cost += host.Partitioned*max(w.Rows-limit, 0) + (host.Missed+host.Hashed)*min(limit, w.Rows)
		}
	}
	if keepsRows(in) {
		for _, o := range []*strategy.Offer{dense, hash} {
			o.Cost += host.Missed * w.Rows
		}
	}
	return append(offers, divided)
}

// cheaperTable is the cheaper of the offers of tables, whatever the cache holds.
func cheaperTable(offers []strategy.Offer) int {
	if offers[0].Refusal == "" && offers[0].Cost <= offers[1].Cost {
		return 0
	}
	return 1
}

// hashSlot is about what a hash table takes of a group, beside what is accumulated.
const hashSlot = 16

// groupBytes is about what a group takes.
func groupBytes(in *kernel.Aggregate) float64 { return float64(8 * (1 + len(in.Accs))) }

// keepsRows reports whether an accumulator keeps what it takes of each row.
func keepsRows(in *kernel.Aggregate) bool {
	for i := range in.Accs {
		if row, _ := in.Accs[i].Op.Row(); row.AllRows {
			return true
		}
	}
	return false
}

// undividable says why the rows have no form in which they can be divided, "" where they
// have: keys of two words, and arguments that are numbers.
func undividable(w *operators.Weave, in *kernel.Aggregate) string {
	var bits uint
	for i, k := range in.Keys {
		n, ok := w.Value(k).KeyBits(true)
		if !ok {
			return fmt.Sprintf("key %d has no form of fixed size", i+1)
		}
		bits += n
	}
	if bits > 128 {
		return "the keys do not fit two words"
	}
	for i := range in.Accs {
		for _, arg := range in.Accs[i].Args {
			switch t := w.Value(arg).Type; t {
			case kernel.Num, kernel.Interval, kernel.Str:
				return fmt.Sprintf("an argument of %s has no form of fixed size", in.Accs[i].Op)
			}
		}
	}
	return ""
}

// cacheLine is the bytes that the cache holds of a cell beside which no other is touched.
const cacheLine = 64

// missedShare is the share of rows whose group is not in the cache, where all groups take
// so many bytes.
func missedShare(host *machine.Host, bytes float64) float64 {
	return 1 - min(float64(host.Caches.DenseBytes)/bytes, 1)
}

// touchedBytes are those of the cells of so many groups that the cache has to hold; of an
// unknown number, 0, those of all cells.
func touchedBytes(cells, groups, each float64) float64 {
	all := cells * each
	if groups == 0 {
		return all
	}
	return min(all, groups*cacheLine)
}
