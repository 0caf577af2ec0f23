package isolation

import "slices"

// each calls f with the committed operations of a kind.
func (c *checker) each(kind Kind, f func(i, at int, op Op)) {
	for i := range c.history {
		if !c.history[i].Committed {
			continue
		}
		for at, op := range c.history[i].Ops {
			if op.Kind == kind && !op.Undone {
				f(i, at, op)
			}
		}
	}
}

// committed reports whether a value was written and not taken back, and by whom.
func (c *checker) committed(key string, v int) (of int, ok bool) {
	w, known := c.writers[key][v]
	return w.of, known && c.history[w.of].Committed && !c.history[w.of].Ops[w.op].Undone
}

// orderLists takes the order of writes from the longest list that was read: all
// others have to be its beginnings.
func (c *checker) orderLists() {
	longest := map[string][]int{}
	c.each(ReadList, func(_, _ int, op Op) {
		if len(op.Values) > len(longest[op.Key]) {
			longest[op.Key] = op.Values
		}
	})
	for key, order := range longest {
		for n := 1; n < len(order); n++ {
			c.link(key, order[n-1], order[n])
		}
	}
	c.each(ReadList, func(i, _ int, op Op) {
		order := longest[op.Key]
		if !slices.Equal(op.Values, order[:len(op.Values)]) {
			c.report(NoOrder, "T%d read %v, and others %v", i, op, order)
			return
		}
		n := len(op.Values)
		if n > 0 {
			if of, ok := c.committed(op.Key, op.Values[n-1]); ok {
				c.graph.add(of, i, wr, op.Key)
			}
		}
		if n < len(order) {
			if of, ok := c.committed(op.Key, order[n]); ok {
				c.graph.add(i, of, rw, op.Key)
			}
		}
	})
	c.lostUpdates(ReadList, Append)
}

// link notes that one value was replaced by another.
func (c *checker) link(key string, old, next int) {
	a, ok := c.committed(key, old)
	b, also := c.committed(key, next)
	if ok && also {
		c.graph.add(a, b, ww, key)
	}
}

// orderRegisters takes the order of writes from transactions that wrote a
// register which they had read before.
func (c *checker) orderRegisters() {
	next := map[string]map[int][]int{} // by object and value: who replaced it; 0 is the value before all
	for i := range c.history {
		read := map[string]int{}
		for at, op := range c.history[i].Ops {
			if !c.history[i].Committed || op.Undone {
				continue
			}
			switch op.Kind {
			case ReadRegister:
				read[op.Key] = append(op.Values, 0)[0]
			case Write:
				old, known := read[op.Key]
				if !known || c.wroteBefore(i, at) {
					continue
				}
				if next[op.Key] == nil {
					next[op.Key] = map[int][]int{}
				}
				next[op.Key][old] = append(next[op.Key][old], i)
				if of, ok := c.committed(op.Key, old); ok {
					c.graph.add(of, i, ww, op.Key)
				}
			}
		}
	}
	c.each(ReadRegister, func(i, _ int, op Op) {
		value := append(op.Values, 0)[0]
		if of, ok := c.committed(op.Key, value); ok {
			c.graph.add(of, i, wr, op.Key)
		}
		for _, of := range next[op.Key][value] {
			c.graph.add(i, of, rw, op.Key)
		}
	})
	c.lostUpdates(ReadRegister, Write)
}

// wroteBefore reports whether a transaction wrote an object before an operation
// that writes it.
func (c *checker) wroteBefore(i, at int) bool {
	ops := c.history[i].Ops
	return slices.ContainsFunc(ops[:at], func(op Op) bool { return op.Kind == ops[at].Kind && op.Key == ops[at].Key && !op.Undone })
}

// lostUpdates finds transactions that read the same version of an object and then
// wrote it.
func (c *checker) lostUpdates(read, written Kind) {
	type version struct {
		key  string
		last int
	}
	by := map[version]int{}
	c.each(written, func(i, at int, op Op) {
		if c.wroteBefore(i, at) {
			return
		}
		for _, r := range c.history[i].Ops[:at] {
			if r.Kind != read || r.Key != op.Key {
				continue
			}
			v := version{key: op.Key}
			if len(r.Values) > 0 {
				v.last = r.Values[len(r.Values)-1]
			}
			if other, taken := by[v]; taken && other != i {
				c.report(LostUpdate, "T%d and T%d read %v and both wrote %s", other, i, r, op.Key)
			}
			by[v] = i
			return
		}
	})
}

// orderSets takes from reads of sets which insertions came before and which after
// them.
func (c *checker) orderSets() {
	c.each(ReadSet, func(i, _ int, op Op) {
		for v, w := range c.writers[op.Key] {
			of, ok := c.committed(op.Key, v)
			switch {
			case !ok || w.of == i:
			case slices.Contains(op.Values, v):
				c.graph.add(of, i, wr, op.Key)
			default:
				c.graph.add(i, of, rw, op.Key)
			}
		}
	})
}

// Check finds the anomalies of a history, whatever the level it was made at. With
// realTime a transaction that had ended when another began has to stand before it,
// which what no level forbids can break.
func Check(h History, realTime bool) []Anomaly {
	c := &checker{history: h, writers: map[string]map[int]write{}}
	c.graph = graph{transactions: len(h), edges: make([][]edge, len(h))}
	for i := range h {
		for j, op := range h[i].Ops {
			if !op.Kind.reads() {
				if c.writers[op.Key] == nil {
					c.writers[op.Key] = map[int]write{}
				}
				c.writers[op.Key][op.Values[0]] = write{i, j}
			}
		}
	}
	for i := range h {
		if h[i].Committed {
			c.checkOwn(i)
			c.checkReads(i)
		}
	}
	c.orderLists()
	c.orderRegisters()
	c.orderSets()
	if realTime {
		c.graph.addTime(h)
	}
	c.findCycles()
	return c.anomalies
}
