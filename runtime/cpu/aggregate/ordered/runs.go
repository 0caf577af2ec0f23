package ordered

import "github.com/cubeloom/cubeloom/runtime/cpu/vector"

// runEnds returns where the runs of equal integers of a view end, in the memory of ends,
// which has room for a row more than there are. The integers are ascending.
func runEnds(ends []int32, v *vector.View) []int32 {
	n := 0
	switch v.Form {
	case vector.FormU8:
		n = changes(ends, v.U8[:v.N])
	case vector.FormU16:
		n = changes(ends, v.U16[:v.N])
	case vector.FormU32:
		n = changes(ends, v.U32[:v.N])
	case vector.FormI32:
		n = changes(ends, v.I32[:v.N])
	case vector.FormI64:
		n = changes(ends, v.I64[:v.N])
	}
	ends[n] = int32(v.N)
	return ends[:n+1]
}

// skipped is how many rows are looked at together: where the last of them is still in the
// run before, so are the others.
const skipped = 16

// changes notes where values differ from those before, and returns how many do.
func changes[V vector.Plain](at []int32, vals []V) int {
	n, i := 0, 0
	before := vals[0]
	for ; i+skipped <= len(vals); i += skipped {
		next := vals[i : i+skipped : i+skipped]
		if next[skipped-1] == before {
			continue
		}
		for k, x := range next {
			at[n] = int32(i + k)
			n += int(vector.B2u(x != before))
			before = x
		}
	}
	for ; i < len(vals); i++ {
		at[n] = int32(i)
		n += int(vector.B2u(vals[i] != before))
		before = vals[i]
	}
	return n
}
