package isolation

import (
	"fmt"
	"slices"
)

// write is an operation of a history that writes.
type write struct {
	of, op int // transaction and operation
}

// checker infers the dependences of a history.
type checker struct {
	history   History
	graph     graph
	writers   map[string]map[int]write // by object and value
	anomalies []Anomaly
}

func (c *checker) report(name, format string, args ...any) {
	c.anomalies = append(c.anomalies, Anomaly{name, fmt.Sprintf(format, args...)})
}

// checkOwn checks that a transaction sees what it wrote itself, and nothing else
// that changes between its reads.
func (c *checker) checkOwn(i int) {
	type view struct {
		last []int // what was read last
		read bool
		own  []int // written since, or at all
	}
	views := map[string]*view{}
	for _, op := range c.history[i].Ops {
		v := views[op.Key]
		if v == nil {
			v = &view{}
			views[op.Key] = v
		}
		if !op.Kind.reads() {
			if !op.Undone {
				v.own = append(v.own, op.Values[0])
			}
			continue
		}
		var want []int
		switch op.Kind {
		case ReadRegister:
			want = v.last
			if len(v.own) > 0 {
				want = v.own[len(v.own)-1:]
			}
			if len(v.own) > 0 && !slices.Equal(op.Values, want) {
				c.report(Inconsistent, "T%d wrote %v and read %v", i, want, op)
			}
		default:
			want = append(slices.Clone(v.last), v.own...)
			for _, own := range v.own {
				if !slices.Contains(op.Values, own) {
					c.report(Inconsistent, "T%d wrote %d and read %v", i, own, op)
				}
			}
		}
		got := op.Values
		if op.Kind == ReadSet {
			got, want = sorted(got), sorted(want)
		}
		if v.read && !slices.Equal(got, want) {
			c.report(Unrepeatable, "T%d read %v and should have read %v", i, op, want)
		}
		v.last, v.read = op.Values, true
		if op.Kind != ReadRegister {
			v.own = nil
		} else if len(v.own) > 0 {
			v.own = v.own[len(v.own)-1:]
		}
	}
}

func sorted(values []int) []int {
	out := slices.Clone(values)
	slices.Sort(out)
	return out
}

// checkReads checks that what a transaction read was written by ones that
// committed, and had its last value of them.
func (c *checker) checkReads(i int) {
	for _, op := range c.history[i].Ops {
		if !op.Kind.reads() {
			continue
		}
		for n, v := range op.Values {
			w, known := c.writers[op.Key][v]
			switch {
			case !known:
				c.report(Unknown, "T%d read %v, %d of which nobody wrote", i, op, v)
			case w.of == i && !c.history[i].Ops[w.op].Undone:
			case !c.history[w.of].Committed || c.history[w.of].Ops[w.op].Undone:
				c.report(AbortedRead, "T%d read %v, %d of which T%d took back", i, op, v, w.of)
			case n == len(op.Values)-1 || op.Kind == ReadSet:
				if later := c.laterWrite(w); later >= 0 && !slices.Contains(op.Values, later) {
					c.report(IntermediateRead, "T%d read %v of T%d, which went on to write %d", i, op, w.of, later)
				}
			}
			if n != slices.Index(op.Values, v) {
				c.report(Unknown, "T%d read %v with %d twice", i, op, v)
			}
		}
	}
}

// laterWrite is a value that the transaction of a write wrote to the same object
// after it; -1 for none.
func (c *checker) laterWrite(w write) int {
	ops := c.history[w.of].Ops
	for _, op := range ops[w.op+1:] {
		if op.Kind == ops[w.op].Kind && op.Key == ops[w.op].Key && !op.Undone {
			return op.Values[0]
		}
	}
	return -1
}

// findCycles reports a cycle of every kind that there is.
func (c *checker) findCycles() {
	is := func(kinds ...dependence) func(dependence) bool {
		return func(d dependence) bool { return slices.Contains(kinds, d) }
	}
	for _, kind := range []struct {
		name         string
		through, may func(dependence) bool
		adjacent     bool
	}{
		{WriteCycle, is(ww), is(ww, rt), true},
		{CircularFlow, is(wr), is(ww, wr, rt), true},
		{SingleAnti, is(rw), is(ww, wr, rt), true},
		{NonadjacentAnti, is(rw), is(ww, wr, rw, rt), false},
		{AntiCycle, is(rw), is(ww, wr, rw, rt), true},
	} {
		cycle := c.graph.cycle(kind.through, kind.may, kind.adjacent)
		several := kind.name == NonadjacentAnti || kind.name == AntiCycle
		if cycle != nil && (!several || antiDependences(cycle) > 1) {
			c.report(kind.name, "%s", c.graph.describe(c.history, cycle))
		}
	}
}

// antiDependences counts the edges of a cycle that lead from a reader to who
// replaced what it read.
func antiDependences(cycle []step) (n int) {
	for _, s := range cycle {
		if s.why == rw {
			n++
		}
	}
	return n
}
