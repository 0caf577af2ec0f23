package aggregate

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// Partitioned is the strategy of the host that divides rows by their keys first, so that
// the groups of one part fit the cache. Within a part it is one of the tables.
const Partitioned = "partitioned"

// tableOffers are what the tables of groups would cost, as they are and by partitions.
func (s *Sink) tableOffers(w *operators.Weave) []strategy.Offer {
	offers := w.TableOffers(s.sink.Keys, w.Rows)
	host := &w.Machine.Host
	divided := strategy.Offer{Strategy: Partitioned, Refusal: s.undividable(w)}
	best := s.table(w, offers)
	divided.Detail = "each part by " + offers[best].Strategy
	divided.Cost = offers[best].Cost + host.Partitioned*w.Rows
	dense, hash := &offers[0], &offers[1]
	if cells, refusal := w.Cells(s.sink.Keys); refusal == "" && cells*s.groupBytes() > float64(host.Caches.DenseBytes) {
		dense.Detail += ", more than the cache holds"
		dense.Cost += host.Missed * w.Rows
	}
	if divided.Refusal == "" {
		limit := max(float64(host.Caches.SparseGroups), float64(host.Caches.TableBytes)/s.groupBytes())
		hash.Detail = fmt.Sprintf("rows are partitioned when one table has %.0f groups", limit)
		if w.Groups > limit {
			hash.Cost += host.Partitioned*max(w.Rows-limit, 0) + (host.Missed+host.Hashed)*min(limit, w.Rows)
		}
	}
	if s.keepsRows() {
		for _, o := range []*strategy.Offer{dense, hash} {
			o.Cost += host.Missed * w.Rows
		}
	}
	return append(offers, divided)
}

// table is the cheaper of the offers of tables, whatever the cache holds.
func (s *Sink) table(w *operators.Weave, offers []strategy.Offer) int {
	if offers[0].Refusal == "" && offers[0].Cost <= offers[1].Cost {
		return 0
	}
	return 1
}

// groupBytes is about what a group takes.
func (s *Sink) groupBytes() float64 { return float64(8 * (1 + len(s.sink.Accs))) }

// keepsRows reports whether an accumulator keeps what it takes of each row.
func (s *Sink) keepsRows() bool {
	for i := range s.sink.Accs {
		if row, _ := s.sink.Accs[i].Op.Row(); row.AllRows {
			return true
		}
	}
	return false
}

// undividable says why the rows have no form in which they can be divided, "" where they
// have: keys of two words, and arguments that are numbers.
func (s *Sink) undividable(w *operators.Weave) string {
	var bits uint
	for i, k := range s.sink.Keys {
		n, ok := w.Value(k).KeyBits(true)
		if !ok {
			return fmt.Sprintf("key %d has no form of fixed size", i+1)
		}
		bits += n
	}
	if bits > 128 {
		return "the keys do not fit two words"
	}
	for i := range s.sink.Accs {
		for _, arg := range s.sink.Accs[i].Args {
			switch t := w.Value(arg).Type; t {
			case kernel.Num, kernel.Interval, kernel.Str:
				return fmt.Sprintf("an argument of %s has no form of fixed size", s.sink.Accs[i].Op)
			}
		}
	}
	return ""
}

// take makes the strategy that has been taken that of the kernel.
func (s *Sink) take(w *operators.Weave, d *strategy.Decision) {
	taken := d.Taken().Strategy
	if s.sink.Partitioned = taken == Partitioned; s.sink.Partitioned {
		offers := w.TableOffers(s.sink.Keys, w.Rows)
		taken = offers[s.table(w, offers)].Strategy
	}
	s.sink.Strategy = kernel.Strategy(taken)
}
