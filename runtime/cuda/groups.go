package cuda

import cudagen "github.com/cubeloom/cubeloom/codegen/cuda"

// Release implements runtime.Output.
func (g *groups) Release() {
	g.backend.mem.lock.Lock()
	defer g.backend.mem.lock.Unlock()
	g.free()
}

// free releases a share, with the last of which the memory is freed; the caller holds the lock of the
// memory.
func (g *groups) free() {
	if g.shares--; g.shares > 0 {
		return
	}
	releaseColumns(g.cols)
	g.cols = nil
	g.held.release()
}

// take has a buffer of the plan be memory of the groups, once.
func (g *groups) take(h *held) {
	if h.cols != nil {
		g.cols, h.cols = h.cols, nil
	}
	if h.mem != nil {
		g.held.take(h.mem)
	}
}

// word is an argument of a kernel that reads the groups.
func (g *groups) word(arg cudagen.Arg) uint64 {
	if arg.Kind == cudagen.ArgCellWord {
		return g.words[arg.Index]
	}
	return uint64(g.cells)
}
