package cuda

import cudagen "github.com/cubeloom/cubeloom/codegen/cuda"

// Release implements runtime.Output.
func (g *groups) Release() { g.free(nil) }

// free releases a share, with the last of which the memory is freed, with which q may still work; nil: no
// stream does.
func (g *groups) free(q *queue) {
	if g.shares.Add(-1) > 0 {
		return
	}
	releaseColumns(q, g.cols)
	g.cols = nil
	g.held.release(q)
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
