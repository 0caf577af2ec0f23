package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// hoist writes what follows an expansion and reads nothing of its matches, before the matches
// are dealt out: it is then done once for each row that has any, and not for each match. Of
// other expansions that is the search for their keys; rows that an inner join drops have no
// matches dealt out. It returns what is left to be done for each match. What can raise an
// error stays where it is, and rows are not dropped before what does, or marks them.
func (e *Entry) hoist(in *probing, rest kernel.Block) kernel.Block {
	if e.samples || packedBehind(e.f) >= 0 { // a sample counts all matches; rows that are packed go by the places of instructions
		return rest
	}
	given := make(map[kernel.ValueID]bool)
	kernel.Operands(in.Probe, nil, func(id kernel.ValueID) { given[id] = true })
	for _, c := range in.Payload { // what has one value is known, whatever matches there are
		if _, only := onlyValue(&e.f.Values[c.Dst]); only {
			delete(given, c.Dst)
			e.pending[c.Dst] = payloadOf{p: in, col: c}
			defer delete(e.loaded, c.Dst)
		}
	}
	mayDrop := e.mayDropBefore(in.Probe)
	var left kernel.Block
	for i, next := range rest {
		if _, ok := next.(*kernel.Repeat); ok {
			return append(left, rest[i:]...)
		}
		if e.hoistOne(next, given, mayDrop) {
			continue
		}
		left = append(left, next)
		kernel.Operands(next, nil, func(id kernel.ValueID) { given[id] = true })
		mayDrop = mayDrop && e.mayDropBefore(next)
	}
	if e.counting == nil {
		e.hoistCell(left, given)
	}
	return left
}

// hoistCell writes the part of the numbers of dense cells that keys from before the matches
// make, of those keys that nothing else reads: it waits in their place.
func (e *Entry) hoistCell(left kernel.Block, given map[kernel.ValueID]bool) {
	g := e.grouping
	if g == nil || !g.Layout.Dense || len(e.markings) > 0 { // values are marked by the keys
		return
	}
	other := make(map[kernel.ValueID]bool)
	read := func(id kernel.ValueID) { other[id] = true }
	for _, in := range left {
		kernel.Operands(in, read, nil)
	}
	for i := range g.s.Accs {
		read(g.s.Accs[i].Filter)
		for _, id := range g.s.Accs[i].Args {
			read(id)
		}
	}
	var keys []int
	for i, id := range g.s.Keys {
		if !given[id] && !other[id] && !e.inPart[id] && !e.isParam(id) && slices.Contains(e.reads, id) {
			keys = append(keys, i)
		}
	}
	if keys == nil {
		return
	}
	part := e.Temp("part")
	for _, i := range keys {
		e.use(g.s.Keys[i])
		e.inPart[g.s.Keys[i]] = true
	}
	e.Line("u32 %s[R];  // of the cell", part)
	e.Begin("ROWS")
	e.Line("%s[r] = %s;", part, e.cellPart("[r]"))
	for _, i := range keys {
		e.Line("%s[r] += %s;", part, g.cellTerm(e, i))
	}
	e.End()
	e.part = part
}

// mayDropBefore reports whether nobody sees that an instruction is not done for a row.
func (e *Entry) mayDropBefore(in kernel.Instr) bool {
	p, ok := in.(*kernel.Probe)
	return !(ok && p.Mark) && !e.f.BlockCanRaise(kernel.Block{in})
}

// hoistOne writes an instruction if it reads none of the values given, and reports whether
// it is done then. A search of which the matches are left to be dealt out is noted.
func (e *Entry) hoistOne(in kernel.Instr, given map[kernel.ValueID]bool, mayDrop bool) bool {
	switch in := in.(type) {
	case *kernel.Compute, *kernel.Map, *kernel.If:
		if e.counting != nil || e.f.BlockCanRaise(kernel.Block{in}) || !e.waits(kernel.Result(in)) || !e.ofRow(in, given) {
			return false
		}
		e.need(in)
		e.instr(in)
		return true
	case *kernel.Probe:
		return e.hoistProbe(in, given, mayDrop)
	}
	return false
}

// ofRow reports whether an instruction reads values of rows, and none of those given.
func (e *Entry) ofRow(in kernel.Instr, given map[kernel.ValueID]bool) bool {
	inside := make(map[kernel.ValueID]bool)
	kernel.Operands(in, nil, func(id kernel.ValueID) { inside[id] = true })
	row, free := false, true
	kernel.Operands(in, func(id kernel.ValueID) {
		free = free && !given[id]
		row = row || id != kernel.NoValue && !inside[id] && !e.isParam(id)
	}, nil)
	return row && free
}

// waits reports whether a value can wait for matches to be dealt out, whoever deals them out.
func (e *Entry) waits(id kernel.ValueID) bool {
	return e.f.Values[id].Type == kernel.Bool || fieldBytes[e.kept(id)] > 0
}

// hoistProbe is hoistOne of a probe.
func (e *Entry) hoistProbe(in *kernel.Probe, given map[kernel.ValueID]bool, mayDrop bool) bool {
	read := func(k kernel.Key) bool { return given[k.Val] }
	if in.Sorted != nil || e.lookedUp[in] != nil || len(in.Keys) == 0 || slices.ContainsFunc(in.Keys, read) {
		return false
	}
	if !e.expands(in) {
		whole := in.Cond == kernel.NoValue && !in.Mark && (mayDrop || in.Kind == kernel.ProbeLeft)
		if whole {
			e.need(in)
			e.probe(in)
		}
		return whole
	}
	drops := mayDrop && in.Kind == kernel.ProbeInner
	if e.counting != nil && !drops {
		return false
	}
	e.need(&kernel.Probe{Keys: in.Keys, Cond: kernel.NoValue})
	p := e.lookUpKeys(in)
	if e.err != nil {
		return false
	}
	e.runEnd(p)
	if p.always = drops; drops {
		e.Line("active &= %s;", p.found)
	}
	e.lookedUp[in] = p
	return false
}

// resume goes on with what hoist has found of the keys of an expansion: the matches are
// counted up while they are dealt out, and those found may serve several rows.
func (e *Entry) resume(had *probing) *probing {
	p := *had
	p.at, p.found = e.Temp("at"), e.Temp("found")
	e.Line("u32 %s[R];", p.at)
	e.Line("ROWS %s[r] = %s[r];", p.at, had.at)
	if p.always {
		e.Line("const u32 %s = active;", p.found)
	} else {
		e.Line("const u32 %s = nonzero(%s) & active;", p.found, p.at)
	}
	return &p
}

// found lists what hoist has found for the expansions behind this one.
func (x *Expansion) found() []*probing {
	var found []*probing
	for _, in := range x.rest {
		if p, ok := in.(*kernel.Probe); ok && x.lookedUp[p] != nil {
			found = append(found, x.lookedUp[p])
		}
	}
	return found
}
