package cuda

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The groups of another kernel as the source of this one: a row for each cell, of which those
// count that have a group (Rosenfeld's FINALIZE, woven with what follows).

// includeCells adds what reading cells takes.
func (r *renderer) includeCells(c *GroupCells) {
	r.include("cells.cuh")
	if c.layout.KeyWords > 0 {
		r.include("hash.cuh")
		r.include("groups.cuh")
	}
	for i := range c.accs {
		if c.accs[i].kind == keptText {
			r.ctype(kernel.Str)
			r.include("texts.cuh")
		}
	}
}

// presentGroups leaves cells out of a tile that have no group.
func (e *Entry) presentGroups() {
	input := e.f.GroupsSource()
	if input < 0 {
		return
	}
	if e.order != nil {
		e.Line("u32 cells[R] = {};")
	}
	e.Begin("ROWS if (bit(active, r))")
	e.ofGroups(input, func(c *GroupCells) {
		e.cellInOrder()
		e.Line("if (!(%s)) active &= ~(1u << r);", c.present(e))
	})
	e.End()
}

// openCells declares how many places in the order of the cells lie between two values of each key.
func (e *Entry) openCells() {
	if e.order == nil {
		return
	}
	e.ofGroups(e.f.GroupsSource(), func(*GroupCells) {
		apart := "1"
		for _, p := range slices.Backward(e.order.parts) {
			e.Line("const u32 apart_%d = %s;", p.key, apart)
			apart = fmt.Sprintf("apart_%d * (u32)%s", p.key, e.denseKeyArgs(p.key, fmt.Sprintf("key %d", p.key)).card)
		}
	})
}

// cellInOrder declares cell, that of row r of the source.
func (e *Entry) cellInOrder() {
	if e.order == nil {
		e.Line("const u64 cell = row_of(first, r);")
		return
	}
	e.Line("const u32 place = (u32)row_of(first, r);")
	e.Line("u32 cell = 0;")
	for _, p := range e.order.parts {
		k := e.denseKeyArgs(p.key, fmt.Sprintf("key %d", p.key))
		part := fmt.Sprintf("place / apart_%d %% (u32)%s", p.key, k.card)
		if id := p.by.Val; id != kernel.NoValue {
			v, codes := &e.f.Values[id], "nullptr"
			if v.Type == kernel.Code {
				codes = e.codesByRank(id)
			}
			part = fmt.Sprintf("in_order<%t, %t, %t>(%s, (u32)%s, %s, (u32)%s)", v.Nullable, p.by.NullsFirst, p.by.Desc, part, k.card, codes, k.lo)
		}
		e.Line("cell += %s * (u32)%s;", part, k.stride)
	}
	e.Line("cells[r] = cell;")
}

// ofGroups has what do writes read the cells of an input.
func (e *Entry) ofGroups(input int, do func(c *GroupCells)) {
	e.groups = input + 1
	do(e.shapes[input].Groups)
	e.groups = 0
}

// readCells loads those of the values that are columns of the groups, for the rows that are
// active, all at once.
func (e *Entry) readCells(ids []kernel.ValueID) {
	var cols []kernel.SourceCol
	for _, c := range e.f.Source.(*kernel.Scan).Cols {
		if slices.Contains(ids, c.Dst) && !e.loaded[c.Dst] {
			cols, e.loaded[c.Dst] = append(cols, c), true
		}
	}
	if len(cols) == 0 {
		return
	}
	for _, c := range cols {
		if t := e.f.Values[c.Dst].Type; t == kernel.Bool {
			e.Line("u32 %s = 0;", e.name(c.Dst))
		} else {
			e.Line("%s %s[R] = {};", e.ctype(t), e.name(c.Dst))
		}
		if n := e.nulls(c.Dst); n != "" {
			e.Line("u32 %s = 0;", n)
		}
	}
	cell := "row_of(first, r)"
	switch {
	case e.rowsAt != "":
		cell = e.rowsAt + "[r]"
	case e.order != nil:
		cell = "cells[r]"
	}
	e.Begin("ROWS if (bit(active, r))")
	e.Line("const u64 cell = %s;", cell)
	e.ofGroups(e.f.GroupsSource(), func(groups *GroupCells) {
		for _, c := range cols {
			v, null := groups.column(e, c.Ordinal)
			e.assignCell(c.Dst, v, null)
		}
	})
	e.End()
}

// assignCell has a value of a cell be that of row r.
func (e *Entry) assignCell(id kernel.ValueID, v, null string) {
	if t := e.f.Values[id].Type; t == kernel.Bool {
		e.Line("set(%s, r, (%s) & 1);", e.name(id), v)
	} else {
		e.Line("%s[r] = (%s)(%s);", e.name(id), e.ctype(t), v)
	}
	if n := e.nulls(id); n != "" {
		e.Line("set(%s, r, %s);", n, null)
	}
}
