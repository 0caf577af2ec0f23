package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// packRows is how many rows a thread holds where rows are packed.
const packRows = 4

// packs reports whether rows are packed behind an instruction.
func packs(in kernel.Instr) bool {
	switch in := in.(type) {
	case *kernel.Filter:
		return in.Pack
	case *kernel.Probe:
		return in.Pack
	}
	return false
}

// withPacking returns a Filter or a Probe behind which rows are packed, or are not.
func withPacking(in kernel.Instr, pack bool) kernel.Instr {
	switch in := in.(type) {
	case *kernel.Filter:
		return &kernel.Filter{Cond: in.Cond, Pack: pack}
	case *kernel.Probe:
		probe := *in
		probe.Pack = pack
		return &probe
	}
	return in
}

// packedBehind is where in the body the instruction stands behind which rows are packed, or below 0.
func packedBehind(f *kernel.Func) int { return slices.IndexFunc(f.Body, packs) }

// packsRows reports whether what goes over the rows packs them, as long as it brings no more threads together
// than those of a warp.
func (r *renderer) packsRows() bool { return packedBehind(r.f) >= 0 && !r.multiplies() }

// waiting is what waits of a packed row beside its number in the source.
type waiting struct {
	values []kernel.ValueID // that have been computed
	probes []*kernel.Probe  // whose match is kept, since its payload is loaded then
}

// waitingBehind finds what waits of rows that are packed behind an instruction of f.
func waitingBehind(f *kernel.Func, at int, reads []kernel.ValueID) waiting {
	var w waiting
	given := make(map[kernel.ValueID]*kernel.Probe)
	computed := make(map[kernel.ValueID]bool)
	for _, in := range f.Body[:at+1] {
		if p, ok := in.(*kernel.Probe); ok {
			for _, c := range p.Payload {
				given[c.Dst] = p
			}
			continue
		}
		if _, ok := in.(*kernel.Filter); !ok {
			computed[kernel.Result(in)] = true
		}
	}
	note := func(id *kernel.ValueID) {
		if p := given[*id]; p != nil && !slices.Contains(w.probes, p) {
			w.probes = append(w.probes, p)
		}
		if computed[*id] {
			computed[*id] = false
			w.values = append(w.values, *id)
		}
	}
	kernel.VisitBlock(f.Body[at+1:], note)
	for _, id := range reads {
		note(&id)
	}
	return w
}

// words is at least what waits of a row, in words of 32 bits.
func (w *waiting) words(f *kernel.Func) int {
	n, masks := 1+len(w.probes), 0
	for _, id := range w.values {
		v := &f.Values[id]
		n += words(v.Type)
		if v.Type == kernel.Bool {
			masks++
		}
		if v.Nullable {
			masks++
		}
	}
	return n + (masks+maskBits-1)/maskBits
}

// packBytes is the shared memory in which rows of f wait, in blocks of so many threads.
func packBytes(f *kernel.Func, threads int) int64 {
	at := packedBehind(f)
	if at < 0 {
		return 0
	}
	return packBytesBehind(f, at, threads)
}

func packBytesBehind(f *kernel.Func, at, threads int) int64 {
	w := waitingBehind(f, at, sinkValues(f.Sink))
	return int64(threads * (packRows + 1) * 4 * w.words(f))
}
