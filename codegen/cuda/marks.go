package cuda

import (
	"fmt"
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// maxMarkBits is how many bits keys and value have together at most: slots have 26 bits of
// them, and buckets number the others.
const (
	maxMarkBits = 48
	slotBits    = 26
)

// planMarks lays out the sets of values that an aggregation marks.
func (r *renderer) planMarks(s *kernel.Aggregate) {
	if s.Marks == 0 {
		return
	}
	for i := range s.Accs {
		acc := &s.Accs[i]
		if acc.TakesOnce() && r.markingOf(acc) < 0 {
			r.markings = append(r.markings, r.newMarking(s, acc))
		}
	}
	r.include("marks.cuh")
	if r.err == nil && !isDense(s) {
		r.refuse("values are marked where groups are cells of an array")
	}
}

func (r *renderer) newMarking(s *kernel.Aggregate, acc *kernel.Acc) marking {
	ids := slices.Clone(s.Keys)
	if !slices.Contains(ids, acc.Args[0]) {
		ids = append(ids, acc.Args[0])
	}
	m := marking{acc: acc, keys: r.packKeys(ids)}
	if m.keys.bits > maxMarkBits {
		r.refuse("keys and values have %d bits, and %d may be marked", m.keys.bits, maxMarkBits)
	}
	return m
}

// bits of the keys that are marked: two at least, so that both products tell them apart.
func (m *marking) bits() int { return max(m.keys.bits, 2) }

// markFull is the word that says that a set was full.
func (e *Entry) markFull() string {
	return e.Arg(Arg{Kind: ArgMarkFull}, "u64*", "not 0 where a set of values was full")
}

// openMarks declares whether the thread has found a set full, which launches before may have.
func (e *Entry) openMarks() {
	if len(e.markings) > 0 {
		e.Line("u32 unmarked = *(volatile u64*)%s != 0;", e.markFull())
	}
}

// whileMarked is the condition that there has been room for all values, where it matters.
func (e *Entry) whileMarked() string {
	if len(e.markings) == 0 {
		return ""
	}
	return fmt.Sprintf("!some_thread(unmarked != 0, %t) && ", e.multiplies())
}

// markNew declares for each marking which of the active rows are new.
func (e *Entry) markNew() {
	for i := range e.markings {
		m := &e.markings[i]
		of := *m.acc
		of.Distinct = false
		e.Line("u32 %s = %s;", marked(i), e.Counted(&of))
		values := e.Temp("values")
		e.Line("u64 %s[R];", values)
		e.Begin("ROWS if (bit(%s, r))", marked(i))
		words := m.keys.ofRow(e, func(part int) string {
			id := m.keys.parts[part].id
			return e.Arg(Arg{Kind: ArgMarkLo, Index: int(id)}, "i64", "minimum of "+e.name(id))
		})
		e.Line("%s[r] = %s;", values, words[0])
		e.End()
		slots := e.Arg(Arg{Kind: ArgMarked, Index: i}, "u32*", "values of "+e.name(m.acc.Args[0])+" with their groups")
		buckets := e.Arg(Arg{Kind: ArgMarkBuckets, Index: i}, "u64", "buckets of them")
		e.Line("%s = mark_new<%d>(%s, %s, %s, %s, %s, unmarked);", marked(i), m.bits(), slots, buckets, marked(i), values, e.markFull())
	}
}

// Of sets of values: how many buckets each has at least, and how many times as many where one was full,
const (
	minBuckets = 64
	bucketSize = 4
	markGrowth = 8
	// and how many slots there are for a value, as a fraction.
	markSlots, markSlotsOf = 8, 5
)

// marking plans the launches of body, which returns the buffers that it has allocated, with sets of values, and
// again with larger ones where one was full.
func (p *Planner) marking(s *kernel.Aggregate, body func() []int) {
	if len(p.markings) == 0 {
		body()
		return
	}
	p.Pointer(Arg{Kind: ArgMarkFull}, launch.InOut, p.statusWord(statusMarked))
	expected := launch.Expr(launch.Int(s.Marks))
	if !p.multiplies() {
		expected = expr.Min(expected, expr.Max(expr.Rows, launch.Int(1)))
	}
	slots := expr.Div(expr.Times(expected, launch.Int(markSlots)), launch.Int(markSlotsOf))
	wanted := p.Let("buckets", expr.Max(expr.CeilPow2(expr.Div(slots, launch.Int(bucketSize))), launch.Int(minBuckets)))
	p.Loop(func() {
		var sets []int
		for i := range p.markings {
			m := &p.markings[i]
			least, most := int64(1)<<max(m.bits()-slotBits, 0), int64(1)<<m.bits()
			buckets := p.Let("buckets", expr.Min(expr.Max(wanted, launch.Int(least)), launch.Int(most)))
			set := p.alloc("marked", expr.Times(launch.Int(4*bucketSize), buckets), launch.Zeros)
			p.Number(Arg{Kind: ArgMarkBuckets, Index: i}, buckets)
			p.Pointer(Arg{Kind: ArgMarked, Index: i}, launch.InOut, launch.Ref{Buffer: set})
			for part := range m.keys.parts {
				id := m.keys.parts[part].id
				p.Number(Arg{Kind: ArgMarkLo, Index: int(id)}, launch.Int(keyBase(&p.f.Values[id])))
			}
			sets = append(sets, set)
		}
		held := body()
		p.readStatus(p.word("unmarked", statusMarked))
		p.Until(expr.Equal(p.Value("unmarked"), launch.Int(0)))
		p.release(append(held, sets...)...)
		p.clearStatus()
		p.Set(wanted, expr.Times(wanted, launch.Int(markGrowth)))
	})
}

// MarkCost is what it costs to mark the values of so many rows, in nanoseconds of the device: for each
// argument a set is filled with zeros, and each row reaches one of its buckets.
func (t *Target) MarkCost(f *kernel.Func, rows float64) float64 {
	s, _ := f.Sink.(*kernel.Aggregate)
	r := newRenderer(t, f, PlainShapes(f))
	r.planMarks(s)
	if rows == 0 {
		rows = DefaultRows
	}
	if s.Rows > 0 {
		rows = min(rows, s.Rows)
	}
	cost := 0.0
	for i := range r.markings {
		bytes := max(4.0*markSlots/markSlotsOf*min(s.Marks, rows), math.Exp2(float64(r.markings[i].bits()-slotBits))*4*bucketSize)
		each := t.Device.Groups.Atomic
		if bytes > float64(t.Device.Groups.CacheBytes) {
			each = t.Device.Groups.Missed
		}
		cost += t.Device.Bytes(bytes + rows*float64(each))
	}
	return cost
}
