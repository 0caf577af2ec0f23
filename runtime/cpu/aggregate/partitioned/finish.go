package partitioned

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Finish aggregates partition by partition: what workers had in tables
// before they began to partition, and the rows of their runs.
func Finish(a *group.Grouping, parts []*Part) []group.Piece {
	split := make([]keytable.Partitions, len(parts))
	a.Run.Each(len(parts), func(i int) {
		part := parts[i]
		part.Groups.Finalize()
		if part.Groups.Table != nil {
			split[i] = keytable.Partition(part.Groups.Table, keytable.PartitionBits)
		}
		if part.Rows != nil {
			part.Rows.flush()
		}
	})
	return EachPartition(a, partitions(a), func(g *group.Groups, p int) {
		for i, part := range parts {
			if part.Groups.Table != nil {
				a.MergeTable(g, part.Groups, split[i].Of(p))
			} else {
				g.Combine(part.Groups)
			}
		}
		for _, part := range parts {
			if part.Rows == nil {
				continue
			}
			part.Rows.addTo(g, p)
		}
		g.Finalize()
	})
}

// EachPartition has fill put the groups of each of n partitions into an empty set of them,
// and makes all of their blocks, since the set serves for the next partition.
func EachPartition(a *group.Grouping, n int, fill func(g *group.Groups, p int)) []group.Piece {
	free := make(chan *group.Groups, a.Run.Threads)
	pieces := make([][]group.Piece, n)
	a.Run.Each(n, func(p int) {
		g := takeGroups(a, free)
		fill(g, p)
		for _, piece := range readPartition(a, g, p) {
			pieces[p] = append(pieces[p], group.Made(a.Block(&piece)))
		}
		free <- g
	})
	return slices.Concat(pieces...)
}

// addTo adds the rows of partition p of all runs to g.
func (s *Rows) addTo(g *group.Groups, p int) {
	views := make([]vector.View, len(s.cols))
	for i := range s.runs {
		run := &s.runs[i]
		lo, hi := 0, int(run.ends[p])
		if p > 0 {
			lo = int(run.ends[p-1])
		}
		if lo == hi {
			continue
		}
		for c := range run.cols {
			if s.cols[c].used {
				views[c] = run.cols[c].Slice(lo, hi)
			}
		}
		run.addTo(g, lo, hi, views)
	}
}

// addTo adds rows lo … hi−1 of a run.
func (run *run) addTo(g *group.Groups, lo, hi int, views []vector.View) {
	if run.local != nil {
		g.AddCells(run.local[lo:hi], views)
		return
	}
	g.AddKeys(hi-lo, vector.SliceOf(run.words, lo, hi), vector.SliceOf(run.pairs, lo, hi), views)
}

// takeGroups returns an empty set of groups for a partition.
func takeGroups(a *group.Grouping, free chan *group.Groups) *group.Groups {
	select {
	case g := <-free:
		g.Reset()
		return g
	default:
	}
	if a.Dense != nil {
		return a.NewGroups(min(a.Dense.Cells, 1<<a.Dense.Shift()))
	}
	return a.NewGroups(0)
}

// readPartition has the groups of partition p read.
func readPartition(a *group.Grouping, g *group.Groups, p int) []group.Piece {
	if a.Dense == nil {
		return a.ReadAll(g)
	}
	all := a.Listed(0, g.N)
	list := g.Present(all, all[:0])
	if len(list) == 0 {
		return nil
	}
	first := uint32(p) << a.Dense.Shift()
	cells := make([]uint32, len(list))
	for i, c := range list {
		cells[i] = first + c
	}
	return []group.Piece{a.Read(g, list, func() []*runtime.Chunk { return a.Dense.Decode(cells, g.Dicts, a.Run.WithinOutput()) })}
}
