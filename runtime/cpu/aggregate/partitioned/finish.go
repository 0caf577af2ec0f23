package partitioned

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Finish aggregates partition by partition: what workers had in tables
// before they began to partition, and the rows of their runs.
func Finish(a *group.Grouping, parts []*Part) ([]group.Piece, error) {
	split := make([]keytable.Partitions, len(parts))
	err := a.Run.Each(len(parts), func(i int) error {
		part := parts[i]
		if err := part.Groups.Finalize(); err != nil {
			return err
		}
		if part.Groups.Table != nil {
			split[i] = keytable.Partition(part.Groups.Table, keytable.PartitionBits)
		}
		if part.Rows != nil {
			return part.Rows.flush()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return EachPartition(a, partitions(a), func(g *group.Groups, p int) error {
		for i, part := range parts {
			var err error // of this partition: others are filled at the same time
			if part.Groups.Table != nil {
				err = a.MergeTable(g, part.Groups, split[i].Of(p))
			} else {
				err = g.Combine(part.Groups)
			}
			if err != nil {
				return err
			}
		}
		for _, part := range parts {
			if part.Rows == nil {
				continue
			}
			if err := part.Rows.addTo(g, p); err != nil {
				return err
			}
		}
		return g.Finalize()
	})
}

// EachPartition has fill put the groups of each of n partitions into an empty set of them,
// and makes all of their blocks, since the set serves for the next partition.
func EachPartition(a *group.Grouping, n int, fill func(g *group.Groups, p int) error) ([]group.Piece, error) {
	free := make(chan *group.Groups, a.Run.Threads)
	pieces := make([][]group.Piece, n)
	err := a.Run.Each(n, func(p int) (err error) {
		defer sqlstate.Catch(&err)
		g := takeGroups(a, free)
		sqlstate.Check(fill(g, p))
		for _, piece := range readPartition(a, g, p) {
			block := sqlstate.Must(a.Block(&piece))
			pieces[p] = append(pieces[p], group.Made(block))
		}
		free <- g
		return nil
	})
	return slices.Concat(pieces...), err
}

// addTo adds the rows of partition p of all runs to g.
func (s *Rows) addTo(g *group.Groups, p int) error {
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
		if err := run.addTo(g, lo, hi, views); err != nil {
			return err
		}
	}
	return nil
}

// addTo adds rows lo … hi−1 of a run.
func (run *run) addTo(g *group.Groups, lo, hi int, views []vector.View) error {
	if run.local != nil {
		return g.AddCells(run.local[lo:hi], views)
	}
	return g.AddKeys(hi-lo, vector.SliceOf(run.words, lo, hi), vector.SliceOf(run.pairs, lo, hi), views)
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
		return sqlstate.Must(a.NewGroups(min(a.Dense.Cells, 1<<a.Dense.Shift())))
	}
	return sqlstate.Must(a.NewGroups(0))
}

// readPartition has the groups of partition p read.
func readPartition(a *group.Grouping, g *group.Groups, p int) []group.Piece {
	if a.Dense == nil {
		return a.ReadAll(g)
	}
	list := g.Present(vector.IdentityGroups(g.N))
	if len(list) == 0 {
		return nil
	}
	first := uint32(p) << a.Dense.Shift()
	cells := make([]uint32, len(list))
	for i, c := range list {
		cells[i] = first + c
	}
	return []group.Piece{a.Read(g, list, func() []*runtime.Chunk { return a.Dense.Decode(cells, g.Dicts) })}
}
