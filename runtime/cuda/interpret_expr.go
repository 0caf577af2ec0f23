package cuda

import (
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
)

// eval computes an expression.
func (x *interpreter) eval(e launch.Expr) int64 {
	switch e := e.(type) {
	case launch.Int:
		return int64(e)
	case launch.VarRef:
		return x.vars[e]
	case launch.Sym:
		return x.symbol(e)
	case *launch.Apply:
		var v [5]int64
		for i := range e.X {
			v[i] = x.eval(e.X[i])
		}
		return e.Op.Do(&v)
	case launch.At:
		if words, i := x.arrays[e.Array], x.eval(e.Index); i < int64(len(words)) {
			return words[i]
		}
		return 0
	case launch.Tiles:
		return x.tiles(e.Rows, math.MaxInt64)
	case launch.Blocks:
		return x.blocks(e)
	}
	return 0
}

// symbol is the value of a symbol.
func (x *interpreter) symbol(s launch.Sym) int64 {
	info := func() Info { return x.backend.device.Info() }
	switch s.Kind {
	case launch.SourceRows:
		return x.metrics.RowsIn
	case launch.ChunkRows:
		return x.chunk
	case launch.LeftRows:
		return max(x.metrics.RowsIn-x.gone, 0)
	case launch.Streamed:
		if x.source != nil {
			return 1
		}
	case launch.Free:
		return max(x.backend.room(), 0)
	case launch.SMs:
		return int64(max(info().SMs, 1))
	case launch.SharedMemory:
		return int64(info().SharedMemory)
	case launch.Cache:
		return info().Cache
	case launch.Estimate:
		return estimateOf(x.f)
	case launch.Filled:
		if g := x.f.GroupsSource(); g >= 0 {
			return x.inputs[g].groups.filled
		}
	case launch.Counted:
		return x.counted
	case launch.FewRows:
		return max(x.backend.opts.FewSourceRows, 1)
	case launch.FlushTiles:
		return int64(max(x.backend.opts.FlushTiles, 0))
	case launch.TunedShared:
		return int64(x.parameters.Shared)
	case launch.TunedReplicas:
		return int64(x.parameters.Replicas)
	case launch.TunedRanges:
		return int64(x.parameters.Ranges)
	case launch.TextWords:
		return x.textWords()
	case launch.TableSlots:
		if t := x.inputs[s.Index].table; t != nil {
			return t.filterSlots()
		}
	case launch.Entries:
		if d := x.dicts[s.Index]; d != nil {
			return int64(len(d.Texts))
		}
	}
	return 0
}

// place is a place in a buffer.
func (x *interpreter) place(ref *launch.Ref) Ptr {
	h := &x.held[ref.Buffer]
	var p Ptr
	switch {
	case h.cols == nil:
		p = h.parts[ref.Part]
	case ref.Part%2 == 0:
		p = h.cols[ref.Part/2].data
	default:
		p = h.cols[ref.Part/2].valid
	}
	if ref.Offset != nil {
		p += Ptr(x.eval(ref.Offset))
	}
	return p
}

// estimateOf is how many rows or groups the sink of a kernel is estimated to have, rounded up.
func estimateOf(f *kernel.Func) int64 {
	n := 0.0
	switch s := f.Sink.(type) {
	case *kernel.Aggregate:
		n = s.Groups
	case *kernel.Build:
		n = s.Rows
	}
	return int64(math.Ceil(min(max(n, 0), 1<<53)))
}

// blocks is how many blocks launches of an entry have.
func (x *interpreter) blocks(e launch.Blocks) int64 {
	entry := &x.plan.Entries[e.Entry]
	k, err := x.kernel(entry)
	if err != nil {
		return 0 // the launch meets the same error
	}
	limit := x.fullGrid(entry, k, 0)
	if e.Over != nil {
		return min(tilesOf(x.eval(e.Over), entry.TileRows), limit)
	}
	return x.tiles(entry.TileRows, limit)
}

// tiles is the number of tiles of so many rows of all ranges of the source, of each range
// at most limit.
func (r *run) tiles(tileRows int, limit int64) int64 {
	n := int64(0)
	for i := range r.ranges {
		n += min(tilesOf(r.ranges[i].rows, tileRows), limit)
	}
	return n
}

// fullGrid is how many blocks of an entry the device runs at one time.
func (x *interpreter) fullGrid(e *launch.Entry, k Kernel, shared int) int64 {
	perSM := e.PerSM
	if perSM == 0 && e.Source {
		perSM = x.parameters.Blocks
	}
	if perSM == 0 {
		perSM = k.Usage(e.Threads, shared).Blocks
	}
	return int64(max(x.backend.device.Info().SMs, 1) * max(perSM, 1))
}

// kernel finds an entry in its module.
func (x *interpreter) kernel(e *launch.Entry) (Kernel, error) {
	if e.Block == 0 {
		return x.code.Kernel(e.Name)
	}
	code, err := x.backend.loadModule(x.ctx, x.backend.modules.rows)
	if err != nil {
		return nil, err
	}
	return code.Kernel(e.Name)
}
