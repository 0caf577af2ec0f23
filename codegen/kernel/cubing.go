package kernel

import "math/bits"

// Cubing groups the rows by several sets of Keys, from coarse groups to the finer ones within
// them (Beyer and Ramakrishnan 1999, Zhou 2010). Each set is a result of its own: a relation
// of all keys, NULL where the set lacks them, and then the accumulators. A group that
// fails one of Bars is in no result, and neither are the finer groups within it.
type Cubing struct {
	Keys []ValueID // in the order in which groups are refined
	Accs []Acc
	Sets []uint64 // bit i for Keys[i]; each set once
	Bars []Bar
	Rows float64 // estimated number of rows that come to it, 0 for unknown
}

// Bar is a condition on a group that only gets truer with more rows: that accumulator Acc,
// an integer of the scale of its argument, is at least Limit, or with AtMost at most Limit.
// A NULL does not pass.
type Bar struct {
	Acc    int
	AtMost bool
	Limit  int64
}

// passable reports whether the accumulator can have the bar, as far as its operation says:
// that no argument of a sum is negative is for who makes the kernel to prove.
func (b Bar) passable(f *Func, a *Acc) bool {
	if a.Distinct {
		return false
	}
	switch a.Op {
	case AccCountStar, AccCount:
		return !b.AtMost
	case AccSum:
		return !b.AtMost && f.Values[a.Args[0]].Type.IsInteger()
	case AccMax, AccMin:
		return b.AtMost == (a.Op == AccMin) && f.Values[a.Args[0]].Type.IsInteger()
	}
	return false
}

// CountsRows reports whether the accumulator is the number of all rows.
func (a *Acc) CountsRows() bool { return a.Op == AccCountStar && a.Filter == NoValue }

// TakesOnce reports whether an accumulator takes each value of a group once, and would give something else if not.
func (a *Acc) TakesOnce() bool { return a.Distinct && !a.Op.IgnoresDuplicates() }

// Fewest is how many rows a group has at least that passes the bars, one without any.
func (s *Cubing) Fewest() int64 {
	fewest := int64(1)
	for _, b := range s.Bars {
		if s.Accs[b.Acc].CountsRows() {
			fewest = max(fewest, b.Limit)
		}
	}
	return fewest
}

// Refinement is a step from groups to finer ones.
type Refinement struct {
	Key   int // of Cubing.Keys, by which groups are refined; -1 of all rows, as one group
	Set   int // of Cubing.Sets, that the finer groups are those of; -1: of none
	Finer []*Refinement
}

// Refinements are the steps by which the groups of all sets are found: a tree whose root
// is the group of all rows, and where each step goes on with keys after its own.
func Refinements(sets []uint64) *Refinement {
	root := &Refinement{Key: -1, Set: -1}
	for i, set := range sets {
		at := root
		for ; set != 0; set &= set - 1 {
			at = at.by(bits.TrailingZeros64(set))
		}
		at.Set = i
	}
	return root
}

// by returns the step to a key, in the order of keys.
func (r *Refinement) by(key int) *Refinement {
	at := 0
	for ; at < len(r.Finer) && r.Finer[at].Key <= key; at++ {
		if r.Finer[at].Key == key {
			return r.Finer[at]
		}
	}
	step := &Refinement{Key: key, Set: -1}
	r.Finer = append(r.Finer[:at], append([]*Refinement{step}, r.Finer[at:]...)...)
	return step
}

func (v *verifier) cubing(s *Cubing) {
	seen := map[uint64]bool{}
	for _, set := range s.Sets {
		if bits.Len64(set) > len(s.Keys) || seen[set] {
			v.failf("set %b of %d keys, or twice", set, len(s.Keys))
		}
		seen[set] = true
	}
	v.useAll(s.Keys)
	for i := range s.Accs {
		v.acc(&s.Accs[i])
	}
	for _, b := range s.Bars {
		if b.Acc < 0 || b.Acc >= len(s.Accs) || !b.passable(v.f, &s.Accs[b.Acc]) {
			v.failf("a bar of accumulator %d", b.Acc)
		}
	}
}

func (s *Cubing) sink(w *fields) {
	w.word("cubing")
	w.estimate("rows", &s.Rows)
	w.readsAll("keys", &s.Keys)
	w.word("sets")
	list(w, &s.Sets, func(word string) bool { return word != "" }, func(set *uint64) { number(w, "", set) })
	w.line()
	w.accs(&s.Accs)
	list(w, &s.Bars, is(barWord), func(b *Bar) {
		w.word(barWord)
		w.either("most", "least", &b.AtMost)
		number(w, "", &b.Limit)
		number(w, "accumulator", &b.Acc)
		w.line()
	})
	w.end()
}
