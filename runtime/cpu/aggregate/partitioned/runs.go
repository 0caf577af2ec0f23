package partitioned

import (
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Rows collects one worker's rows for an aggregate whose groups outgrow the
// cache: the keys and the operands of the accumulators, in runs of some ten
// thousand rows, each brought into the order of the rows' partitions while it
// is in the cache. At the end each partition, whose groups fit the cache, is
// aggregated on its own.
type Rows struct {
	plan  *group.Grouping
	n     int // rows collected since the last run
	parts []uint16
	local []uint16 // dense keys: the cell within the partition
	words []uint64 // else: the keys
	pairs []keytable.Pair
	cols  []radixColumn // by operand of the aggregate; those that only keys need stay empty
	at    []uint32
	runs  []run
}

// run is a run: rows of partition p are ends[p−1] … ends[p]−1.
type run struct {
	ends  []uint32
	local []uint16
	words []uint64
	pairs []keytable.Pair
	cols  []vector.View
}

// NewRows makes partitions without rows.
func NewRows(a *group.Grouping) *Rows {
	s := &Rows{plan: a, cols: make([]radixColumn, len(a.IDs)), parts: make([]uint16, radixRows), at: make([]uint32, radixRows)}
	switch {
	case a.Dense != nil:
		s.local = make([]uint16, radixRows)
	case a.Layout.Kind == keytable.Word:
		s.words = make([]uint64, radixRows)
	default:
		s.pairs = make([]keytable.Pair, radixRows)
	}
	for i := range a.Specs {
		for _, op := range a.Specs[i].Args {
			s.cols[op].used = true
		}
		if op := a.Specs[i].Filter; op >= 0 {
			s.cols[op].used = true
		}
	}
	return s
}

// add takes n rows, whose operands are views. g puts their keys together.
func (s *Rows) add(g *group.Groups, n int, views []vector.View) {
	for n > radixRows { // only of vectors that are larger than a run
		part := make([]vector.View, len(views))
		for i := range views {
			part[i] = views[i].Slice(0, radixRows)
			views[i] = views[i].Slice(radixRows, n)
		}
		s.add(g, radixRows, part)
		n -= radixRows
	}
	fits := s.n+n <= radixRows
	for i := range s.cols {
		if c := &s.cols[i]; c.used && !c.takes(&views[i]) {
			fits = false
		}
	}
	if !fits {
		s.flush()
		for i := range s.cols {
			if c := &s.cols[i]; c.used {
				c.reshape()
			}
		}
	}
	for i := range s.cols {
		if c := &s.cols[i]; c.used {
			c.append(s.n, &views[i])
		}
	}
	g.SetKeys(views)
	s.addKeys(g, n)
	s.n += n
}

// addKeys notes the keys and the partitions of n rows.
func (s *Rows) addKeys(g *group.Groups, n int) {
	parts := s.parts[s.n:][:n]
	if d := s.plan.Dense; d != nil {
		g.Number(n)
		local := s.local[s.n:][:n]
		shift := d.Shift() & 31
		mask := uint32(1)<<shift - 1
		for i, c := range g.Cells.List() {
			parts[i] = uint16(c >> shift)
			local[i] = uint16(c & mask)
		}
		return
	}
	s.plan.Layout.Encode(&g.Batch, n, g.Keys, false)
	if s.words != nil {
		copy(s.words[s.n:], g.Batch.Words)
		for i, w := range g.Batch.Words {
			parts[i] = uint16(keytable.PartitionOf(keytable.HashWord(w), keytable.PartitionBits))
		}
		return
	}
	copy(s.pairs[s.n:], g.Batch.Pairs)
	for i, p := range g.Batch.Pairs {
		parts[i] = uint16(keytable.PartitionOf(keytable.HashPair(p), keytable.PartitionBits))
	}
}

// flush makes a run of the rows collected.
func (s *Rows) flush() {
	if s.n == 0 {
		return
	}
	run := run{ends: make([]uint32, partitions(s.plan)), cols: make([]vector.View, len(s.cols))}
	parts := s.parts[:s.n]
	for _, p := range parts {
		run.ends[p]++
	}
	sum := uint32(0)
	for p, n := range run.ends {
		run.ends[p] = sum
		sum += n
	}
	at := s.at[:s.n]
	for i, p := range parts {
		at[i] = run.ends[p]
		run.ends[p]++
	}
	bytes := int64(4*len(run.ends)) + int64(s.n)*(2*vector.B2i(s.local != nil)+8*vector.B2i(s.words != nil)+16*vector.B2i(s.pairs != nil))
	for i := range s.cols {
		bytes += int64(s.n) * s.cols[i].width()
	}
	sqlstate.Check(s.plan.Run.Mem.Grow(bytes))
	run.local, run.words, run.pairs = scatter(s.local, at), scatter(s.words, at), scatter(s.pairs, at)
	for i := range s.cols {
		run.cols[i] = s.cols[i].scatter(at)
	}
	s.runs = append(s.runs, run)
	s.n = 0
}

// Part is one worker's part: its rows, and the groups that rows were put to
// before.
type Part struct {
	Groups *group.Groups
	Rows   *Rows // nil: none yet
}

func (p *Part) Add(n int, views []vector.View) { p.Rows.add(p.Groups, n, views) }

// partitions is how many partitions rows are divided into.
func partitions(a *group.Grouping) int {
	if a.Dense != nil {
		return (a.Dense.Cells-1)>>a.Dense.Shift() + 1
	}
	return 1 << keytable.PartitionBits
}
