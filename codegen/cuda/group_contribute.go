package cuda

import "slices"

// How rows are added to terms.

// contribute adds what rows give to terms: values writes what all of them need of a row,
// and returns the numbers.
func (e *Entry) contribute(rows string, terms []*term, values func() []string) {
	switch {
	case e.update != "":
		e.addRuns(rows, terms, values)
	case e.peers:
		e.gather(rows, terms, values)
	case !e.slots:
		e.addEach(rows, terms, values, func(t *term, v string) { t.addToCell(e, "cell", v) })
	case e.full:
		e.addEach(rows, terms, values, func(t *term, v string) { t.addToSlot(e, v) })
	default: // few rows of many have no slot: what adds those in slots does not look at each
		e.addTogether(rows+" & local", terms, values)
		e.Begin("if (%s & ~local)", rows)
		e.addEach(rows+" & ~local", terms, values, func(t *term, v string) { t.addToCell(e, "at", v) })
		e.End()
	}
}

// addEach adds what each of some rows gives to terms.
func (e *Entry) addEach(rows string, terms []*term, values func() []string, add func(t *term, v string)) {
	e.Begin("ROWS if (bit(%s, r))", rows)
	for i, v := range values() {
		name := e.Temp("v")
		e.Line("const %s %s = %s;", terms[i].given(), name, v)
		add(terms[i], name)
	}
	e.End()
}

// addTogether is addEach of rows that mostly are all of a thread's: sums of small numbers are added
// to slots of all rows before the first is looked at.
func (e *Entry) addTogether(rows string, terms []*term, values func() []string) {
	if slices.ContainsFunc(terms, func(t *term) bool { return !t.isSmall(e) }) {
		e.addEach(rows, terms, values, func(t *term, v string) { t.addToSlot(e, v) })
		return
	}
	for i, v := range values() {
		name := e.Temp("v")
		e.Line("u32 %s[R];", name)
		e.Line("ROWS %s[r] = (u32)(%s);", name, v)
		e.Line("add_small(slots, %d, %s, at, %s);", terms[i].plane, rows, name)
	}
}

// addRuns is contribute for runs.
func (e *Entry) addRuns(rows string, terms []*term, values func() []string) {
	switch e.update {
	case UpdateVariable:
		e.joinRuns(rows, terms, values, func(sums []string) {
			for i, t := range terms {
				e.Line("if (some(%s)) %s::add(%s, cell[r], %s);", sums[i], t.kind.name, sums[i], t.all(e))
			}
		})
	case UpdateTile:
		for i, t := range terms {
			e.stageRuns(rows, t, func() string { return values()[i] })
		}
	case UpdateArray:
		arrays := make([]string, len(terms))
		for i, t := range terms {
			arrays[i] = e.Temp("sums")
			e.Line("%s %s[R];", t.kind.ctype, arrays[i])
		}
		e.joinRuns(rows, terms, values, func(sums []string) {
			for i := range terms {
				e.Line("%s[r] = %s;", arrays[i], sums[i])
			}
		})
		e.Begin("ROWS if (bit(ends, r))")
		for i, t := range terms {
			e.Begin("if (some(%s[r]))", arrays[i])
			e.Line("if (bit(outer, r)) %s::add(%s[r], cell[r], %s);", t.kind.name, arrays[i], t.all(e))
			e.Line("else put(%s[r], cell[r], %s);", arrays[i], t.all(e))
			e.End()
		}
		e.End()
	default:
		e.addEach(rows, terms, values, func(t *term, v string) { t.addToCell(e, "cell", v) })
	}
}

// joinRuns joins what each of some rows gives to terms in registers. end is written for the
// last row of a run.
func (e *Entry) joinRuns(rows string, terms []*term, values func() []string, end func(sums []string)) {
	sums := make([]string, len(terms))
	for i, t := range terms {
		sums[i] = e.Temp("sum")
		e.Line("%s %s = {};", t.kind.ctype, sums[i])
	}
	e.Begin("ROWS")
	e.Begin("if (bit(%s, r))", rows)
	for i, v := range values() {
		e.Line("%s = %s::join(%s, %s);", sums[i], terms[i].kind.name, sums[i], v)
	}
	e.End()
	e.Begin("if (bit(ends, r))")
	end(sums)
	for _, sum := range sums {
		e.Line("%s = {};", sum)
	}
	e.End()
	e.End()
}

// gather is contribute where lanes with peers are joined: all of them take part.
func (e *Entry) gather(rows string, terms []*term, values func() []string) {
	e.Begin("ROWS")
	names := make([]string, len(terms))
	for i, t := range terms {
		names[i] = e.Temp("v")
		e.Line("%s %s = {};", t.kind.joined(t.ones), names[i])
	}
	if !allOnes(terms) {
		e.Begin("if (bit(%s, r))", rows)
		for i, v := range values() {
			if !terms[i].ones {
				e.Line("%s = %s;", names[i], v)
			}
		}
		e.End()
	}
	for i, t := range terms {
		if t.ones {
			e.Begin("if (gather_ones(peers, r, bit(%s, r), %s))", rows, names[i])
			t.add(e, t.kind.ofOnes(names[i]))
		} else {
			e.Begin("if (gather<%s>(peers, r, %s))", t.kind.name, names[i])
			t.add(e, names[i])
		}
		e.End()
	}
	e.End()
}
