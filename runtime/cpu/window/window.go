// Package window is the sink that computes window functions.
package window

import (
	"context"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/sort/order"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// windowRows is about how many rows a task has at least; it has whole
// partitions.
const windowRows = 1 << 14

// Finish implements exec.Sink.
func (s *windowing) Finish(context.Context) exec.Result {
	s.order()
	s.mark()
	return s.write()
}

// write computes the calls over rows that are in order and marked, and writes all.
func (s *windowing) write() exec.Result {
	tasks := s.tasks()
	blocks := make([][]runtime.Block, len(tasks))
	s.Run.Each(len(tasks), func(i int) { blocks[i] = s.compute(tasks[i].lo, tasks[i].hi) })
	types := exec.ValueTypes(s.Run.Kernel, s.win.Cols)
	for i := range s.win.Calls {
		types = append(types, exec.ValueTypes(s.Run.Kernel, s.win.Calls[i].Dst)...)
	}
	all := slices.Concat(blocks...)
	exec.ShareDictionaries(all)
	return exec.NewRelation(s.Run, types, all)
}

// maxWindowRows is how many rows one window can have: twice as many are numbered
// with 31 bits.
const maxWindowRows = 1 << 30

// order puts the entries of all workers into one list, in order.
func (s *windowing) order() {
	bufs, total := s.Collected()
	if total > maxWindowRows {
		panic(value.Errorf(value.CodeProgramLimit, "more than %d rows in a window", maxWindowRows))
	}
	sqlstate.Check(s.Run.Mem.Grow((order.OrderBytes + 1) * int64(total)))
	s.bufs, s.marks = bufs, spare.Zeros[uint8](s.Run.Mem.Arrays, total)
	if s.win.InOrder {
		s.entries = spare.New[vector.Entry](s.Run.Mem.Arrays, total)
		s.follow()
		return
	}
	ranges, all := s.Ranges(total)
	scratch := spare.New[vector.Entry](s.Run.Mem.Arrays, total)
	s.Run.Each(len(ranges), func(i int) {
		r := &ranges[i]
		order.Entries(r.Entries, scratch[r.Start:], s.Keys.Comparator(bufs))
	})
	spare.Release(s.Run.Mem.Arrays, scratch)
	s.entries = all
}

// mark finds where partitions and peers begin.
func (s *windowing) mark() {
	n := len(s.entries)
	decided, undecided := s.Keys.Leading(len(s.win.Partition))
	s.Run.Each((n+windowRows-1)/windowRows, func(task int) {
		peers := s.Keys.Comparator(s.bufs)
		var partition []func(a, b vector.Entry) int
		for _, k := range undecided {
			partition = append(partition, s.Keys.CompareBy(k, s.bufs))
		}
		lo := task * windowRows
		for i := lo; i < min(lo+windowRows, n); i++ {
			if i == 0 {
				s.marks[i] = newPartition
				continue
			}
			a, b := s.entries[i-1], s.entries[i]
			if a.Prefix == b.Prefix && (peers == nil || peers(a, b) == 0) {
				continue
			}
			s.marks[i] = newPeers
			if (a.Prefix^b.Prefix)&decided != 0 || slices.ContainsFunc(partition, func(compare func(a, b vector.Entry) int) bool { return compare(a, b) != 0 }) {
				s.marks[i] = newPartition
			}
		}
	})
}

// tasks divides the rows into runs of whole partitions.
func (s *windowing) tasks() []span {
	var tasks []span
	lo := 0
	for i := range s.marks {
		if s.marks[i] == newPartition && i-lo >= windowRows {
			tasks = append(tasks, span{int32(lo), int32(i)})
			lo = i
		}
	}
	if n := len(s.marks); n > lo {
		tasks = append(tasks, span{int32(lo), int32(n)})
	}
	return tasks
}

// compute makes the blocks of rows lo … hi−1.
func (s *windowing) compute(lo, hi int32) (_ []runtime.Block) {
	t := &windowTask{windowing: s, mem: exec.Memory{Account: s.Run.Mem.Account, Arrays: s.Run.Mem.Arrays.Part()}, entries: s.entries[lo:hi], marks: s.marks[lo:hi]}
	defer t.mem.ReleaseAll()
	defer t.mem.Arrays.End()
	t.prepare()
	var cols []windowColumn
	for i := range s.win.Calls {
		cols = append(cols, t.call(&s.win.Calls[i]))
	}
	return t.write(cols)
}

// call computes one call.
func (t *windowTask) call(c *kernel.WindowCall) windowColumn {
	switch c.Func {
	case kernel.WindowAggregate:
		return t.aggregate(c)
	case kernel.WindowRowNumber, kernel.WindowRank, kernel.WindowDenseRank:
		return t.numbers(c.Func)
	case kernel.WindowPercentRank, kernel.WindowCumeDist:
		return t.shares(c.Func)
	case kernel.WindowNtile:
		return t.ntile(c)
	case kernel.WindowLag, kernel.WindowLead:
		return t.neighbor(c)
	case kernel.WindowStringAgg, kernel.WindowStringAggDistinct:
		return t.stringAgg(c)
	case kernel.WindowFirstValue, kernel.WindowLastValue, kernel.WindowNthValue:
		return t.nth(c)
	}
	panic(exec.Internalf("there is no window function %q", c.Func))
}

// write makes blocks of the columns that pass through and of cols.
func (t *windowTask) write(cols []windowColumn) []runtime.Block {
	var blocks []runtime.Block
	out := exec.NewBlockBuilder(t.Run, t.win.Cols)
	out.AtMost(len(t.entries))
	from := 0
	for at := 0; at < len(t.entries); {
		t.poll()
		n := min(len(t.entries)-at, order.GatherRows)
		out.Take(t.bufs, t.entries[at:at+n])
		at += n
		if !out.Full(order.GatherRows) && at < len(t.entries) {
			continue
		}
		block := out.Seal()
		before := exec.BlockBytes(&block)
		for _, col := range cols {
			block.Cols = append(block.Cols, col.Chunks(from, at)...)
		}
		sqlstate.Check(t.Run.Mem.Grow(exec.BlockBytes(&block) - before))
		blocks = append(blocks, block)
		from = at
	}
	return blocks
}
