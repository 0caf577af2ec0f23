package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
)

// rowsPerThread is how many rows a thread holds. More rows mean more loads in
// flight, fewer more threads at one time, since a row's values take registers. An
// aggregation with keys takes many registers itself, and waits for memory most; so
// does a Build, whose source often has too few rows for all multiprocessors.
func rowsPerThread(f *kernel.Func) int {
	if packedBehind(f) >= 0 {
		return packRows
	}
	switch s := f.Sink.(type) {
	case *kernel.Build:
		return 4
	case *kernel.Aggregate:
		if s.Strategy != kernel.Single {
			return 4
		}
	case *kernel.Several:
		words := 0 // of all branches: the compiler has what one computes overlap with another
		for i := range s.Branches {
			words += liveWords(heldRows(s.Alone(f, i)))
		}
		return operators.ThreadRows(words)
	}
	return operators.ThreadRows(liveWords(f))
}

// heldRows is what a kernel with one branch does with rows that stay in their threads.
func heldRows(f *kernel.Func) *kernel.Func {
	if packedBehind(f) < 0 {
		return f
	}
	filters := *f
	filters.Body, _ = parted(f.Body)
	filters.Sink = &kernel.Materialize{Limit: -1}
	return &filters
}

// liveWords is the greatest number of registers that the values of a row take
// at one time. Columns of the source live from their first use on.
func liveWords(f *kernel.Func) int {
	first, last := make([]int, len(f.Values)), make([]int, len(f.Values))
	at := 0
	mark := func(id *kernel.ValueID) {
		if *id == kernel.NoValue {
			return
		}
		if first[*id] == 0 {
			first[*id] = at
		}
		last[*id] = at
	}
	for i := range f.Body {
		at++
		kernel.VisitBlock(f.Body[i:i+1], mark)
	}
	at++
	for _, id := range sinkValues(f.Sink) {
		mark(&id)
	}
	for _, p := range f.Params {
		first[p.Dst] = 0
	}
	widest := 0
	for step := 1; step <= at; step++ {
		sum := 0
		for id, v := range f.Values {
			if first[id] > 0 && first[id] <= step && step <= last[id] {
				sum += words(v.Type)
			}
		}
		widest = max(widest, sum)
	}
	return widest
}

// spreads reports whether few rows are given to a thread each, and not four of them to
// one: numerics take so many instructions that a thread with several is what all wait
// for. Rows that are packed are dealt out to the lanes anew.
func (r *renderer) spreads() bool {
	return r.rows == 4 && !r.sideBySide && packedBehind(r.f) < 0 && slices.ContainsFunc(r.f.Values, func(v kernel.Value) bool { return v.Type == kernel.Num })
}
