package plantest

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Wide looks rows up in so many tables, of which each leaves a share, and sums columns of the first
// table by one of the last; where it is not grouped it gives all of them.
func Wide(rows int64, probes, sums int, left float64, grouped bool) algebra.Node {
	const members = 1 << 16
	b := &Builder{}
	var cols []Column
	for i := range probes {
		cols = append(cols, Ints(fmt.Sprintf("f%d", i), algebra.TInt32, 0, members-1))
	}
	for i := range sums {
		cols = append(cols, Ints(fmt.Sprintf("m%d", i), algebra.TInt64, 0, 1<<40))
	}
	all := algebra.Node(b.Scan("wide", rows, cols...))
	for i := range probes {
		table := b.Scan(fmt.Sprintf("d%d", i), members, Ints(fmt.Sprintf("k%d", i), algebra.TInt32, 0, members-1), Ints(fmt.Sprintf("a%d", i), algebra.TInt32, 0, 999))
		few := Filter(table, Is(algebra.Lt, Ref(table, fmt.Sprintf("a%d", i)), Int(int64(1000*left))))
		all = Join(algebra.JoinInner, all, few, fmt.Sprintf("f%d", i), fmt.Sprintf("k%d", i))
	}
	if !grouped {
		return all
	}
	var aggs []algebra.Agg
	for i := range sums {
		aggs = append(aggs, b.Agg(fmt.Sprintf("s%d", i), algebra.Sum, Ref(all, fmt.Sprintf("m%d", i))))
	}
	return b.GroupBy(all, []string{fmt.Sprintf("a%d", probes-1)}, aggs...)
}
