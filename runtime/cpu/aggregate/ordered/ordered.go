// Package ordered aggregates rows that come in the order of a key: a group is a run of
// rows, and there is no table.
package ordered

import (
	"fmt"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Strategy numbers runs of rows as they come. What several workers have of one run is
// merged at the end, and the groups stand in the order of the key.
type Strategy struct{}

// Name implements group.Strategy.
func (Strategy) Name() string { return "ordered" }

func (Strategy) Refuses(a *group.Grouping) string {
	if a.Order == nil {
		return "the rows come in no order"
	}
	return ""
}

func (Strategy) Part(a *group.Grouping, w *exec.Worker) group.Part { return &part{plan: a, w: w} }

// Finish stitches the series of all workers.
func (Strategy) Finish(a *group.Grouping, list []group.Part) ([]group.Piece, string) {
	var all []*series
	for _, p := range group.PartsAs[*part](list) {
		for _, s := range p.series {
			s.Finalize()
			all = append(all, s)
		}
	}
	pieces, mergings := stitch(all)
	for _, m := range mergings {
		m.to.Combine(m.from.Groups)
		m.to.Merge(m.from.Groups, m.source, m.target)
	}
	read := make([]group.Piece, len(pieces))
	for i := range pieces {
		read[i] = pieces[i].read(a)
	}
	return read, fmt.Sprintf("runs of rows, in %d series", len(all))
}

// read has the groups of a piece read.
func (p *piece) read(a *group.Grouping) group.Piece {
	return a.ReadRange(p.series.Groups, p.first, p.end, func(list []uint32) []*runtime.Chunk {
		keys := make([]*runtime.Chunk, len(a.Keys))
		keys[a.Order.By] = vector.NarrowGather(a.Order.Type, p.series.keys, list, nil, 0, a.Run.WithinOutput())
		return keys
	})
}
