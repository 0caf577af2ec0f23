package accumulator

import "github.com/cubeloom/cubeloom/runtime/cpu/vector"

// shortRuns is how many rows a run has on average at most where sums of runs are
// differences of the sums up to their ends: a loop for each run is left at a row that the
// processor cannot know before.
const shortRuns = 24

// runSums adds up the integers of runs.
type runSums struct{ sums []int64 }

// add adds the sum of each run of v to dst. No sum may overflow.
func (r *runSums) add(dst []int64, ends []int32, v *vector.View) {
	dst = dst[:len(ends)]
	if v.Base != 0 && v.Form <= vector.FormU32 {
		at := int32(0)
		for i, end := range ends {
			dst[i] += int64(end-at) * v.Base
			at = end
		}
	}
	switch v.Form {
	case vector.FormU8:
		sumRuns(r, dst, ends, v.U8[:v.N])
	case vector.FormU16:
		sumRuns(r, dst, ends, v.U16[:v.N])
	case vector.FormU32:
		sumRuns(r, dst, ends, v.U32[:v.N])
	case vector.FormI32:
		sumRuns(r, dst, ends, v.I32[:v.N])
	case vector.FormI64:
		sumRuns(r, dst, ends, v.I64[:v.N])
	}
}

// sumRuns is add for values that are stored as V.
func sumRuns[V vector.Plain](r *runSums, dst []int64, ends []int32, vals []V) {
	if len(vals) > shortRuns*len(ends) {
		at := int32(0)
		for i, end := range ends {
			dst[i] += sumAll(vals[at:end])
			at = end
		}
		return
	}
	sums := vector.Room(&r.sums, len(vals)+1)
	sum := int64(0) // of the rows before; that it wraps around does no harm to differences
	sums[0] = 0
	for i, x := range vals {
		sum += int64(x)
		sums[i+1] = sum
	}
	before := int64(0)
	for i, end := range ends {
		upTo := sums[end]
		dst[i] += upTo - before
		before = upTo
	}
}

// countRuns adds the number of rows of each run to dst.
func countRuns(dst []int64, ends []int32) {
	dst = dst[:len(ends)]
	at := int32(0)
	for i, end := range ends {
		dst[i] += int64(end - at)
		at = end
	}
}

// extremeRuns keeps the better of dst[i] and the values of run i.
func extremeRuns(dst []int64, ends []int32, vals []int64, isMax bool) {
	at := int32(0)
	for i, end := range ends {
		best := dst[i]
		if isMax {
			for _, x := range vals[at:end] {
				best = max(best, x)
			}
		} else {
			for _, x := range vals[at:end] {
				best = min(best, x)
			}
		}
		dst[i], at = best, end
	}
}
