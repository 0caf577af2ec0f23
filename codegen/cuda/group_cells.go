package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// cells are the cells of the aggregation, with the arguments that reading them takes.
func (g *Grouping) cells() *GroupCells {
	c := &GroupCells{layout: g.Layout, exists: g.exists}
	for i, id := range g.s.Keys {
		v := &g.f.Values[id]
		k := cellKey{typ: v.Type}
		if g.packed != nil {
			k.keyPart = g.packed.parts[i]
			k.keyPart.id = kernel.NoValue
		}
		if g.Layout.Runs {
			k.column = g.outputs[i]
		}
		c.keys = append(c.keys, k)
	}
	for i := range g.accs {
		a := g.accs[i].cellAcc
		if a.noted = g.accs[i].seen >= 0; a.noted {
			a.seen = g.seen[g.accs[i].seen].term
		}
		for _, id := range g.accs[i].acc.Dst {
			a.result = append(a.result, g.f.Values[id].Type)
		}
		c.accs = append(c.accs, a)
	}
	c.words = c.arguments()
	return c
}

// arguments are those of the aggregation's entries that lead to the cells.
func (c *GroupCells) arguments() []Arg {
	var words []Arg
	for i := range c.layout.State {
		words = append(words, Arg{Kind: ArgState, Index: i})
	}
	for i := range c.keys {
		switch {
		case c.layout.Runs:
			words = append(words, Arg{Kind: ArgOutData, Index: i}, Arg{Kind: ArgOutBase, Index: i})
			if c.keys[i].column.Nullable {
				words = append(words, Arg{Kind: ArgOutValid, Index: i})
			}
		case c.layout.Dense:
			words = append(words, Arg{Kind: ArgKeyLo, Index: i}, Arg{Kind: ArgKeyCard, Index: i}, Arg{Kind: ArgKeyStride, Index: i})
		default:
			words = append(words, Arg{Kind: ArgKeyLo, Index: i})
		}
	}
	if c.layout.KeyWords > 0 {
		words = append(words, Arg{Kind: ArgGroupKeys})
	}
	if c.layout.KeyWords > 1 {
		words = append(words, Arg{Kind: ArgGroupState})
	}
	return words
}

// present is the condition that a cell has a group.
func (c *GroupCells) present(e *Entry) string {
	switch {
	case len(c.keys) == 0 || c.layout.Runs:
		return "true"
	case c.layout.Dense:
		return c.exists.cells(e, 0) + "[cell] != 0"
	case c.layout.KeyWords == 1:
		return c.layout.keyWord(e.groupKeys(), "cell", 0) + " != FREE"
	}
	return e.groupState() + "[cell] != 0"
}

// column declares what column o of the groups needs, and returns its value in a cell and the
// condition that it is NULL.
func (c *GroupCells) column(e *Entry, o int) (v, null string) {
	if o < len(c.keys) {
		switch {
		case c.layout.Runs:
			return c.runKey(e, o)
		case c.layout.Dense:
			return c.denseKey(e, o)
		}
		return c.packedKey(e, o)
	}
	o -= len(c.keys)
	for i := range c.accs {
		if a := &c.accs[i]; o >= len(a.result) {
			o -= len(a.result)
		} else {
			return a.value(e, o), a.unseen(e)
		}
	}
	return "0", "0"
}

// runKey is a key of groups that are runs of rows.
func (c *GroupCells) runKey(e *Entry, i int) (v, null string) {
	k := &c.keys[i]
	at := func(kind ArgKind) Arg { return c.word(e.groups-1, Arg{Kind: kind, Index: i}) }
	col := stored{name: fmt.Sprintf("key %d", i), shape: k.column, data: at(ArgOutData), base: at(ArgOutBase)}
	if k.column.Nullable {
		col.valid = at(ArgOutValid)
		null = fmt.Sprintf("!bit_at(%s, cell)", e.validArg(col))
	}
	return e.element(col, "cell", k.typ), null
}

// denseKey is a key that the number of the cell tells. Numbers of 32 bits are divided more quickly.
func (c *GroupCells) denseKey(e *Entry, i int) (v, null string) {
	k := e.denseKeyArgs(i, fmt.Sprintf("key %d", i))
	part := e.Temp("part")
	e.Line("const u32 %s = (u32)cell / (u32)%s %% (u32)%s;", part, k.stride, k.card)
	return fmt.Sprintf("(i64)(%s + (u64)%s)", part, k.lo), fmt.Sprintf("%s == %s - 1", part, k.card)
}

// packedKey is a key in a slot of a table.
func (c *GroupCells) packedKey(e *Entry, i int) (v, null string) {
	p := &c.keys[i]
	key, part := e.Temp("key"), e.Temp("part")
	if c.layout.Apart > 0 {
		e.Line("const u64 %s[1] = {%s};", key, c.layout.keyWord(e.groupKeys(), "cell", 0))
	} else {
		e.Line("const u64* const %s = %s + cell * %d;", key, e.groupKeys(), c.layout.KeyWords)
	}
	e.Line("const u64 %s = %s;", part, p.extract(key))
	v = part
	switch {
	case p.offset:
		v = fmt.Sprintf("(i64)(%s + (u64)%s)", part, e.cellArg(Arg{Kind: ArgKeyLo, Index: i}, "i64", fmt.Sprintf("minimum of key %d", i)))
	case p.typ == kernel.F64:
		v = fmt.Sprintf("__longlong_as_double((i64)%s)", part)
	case p.typ == kernel.Str:
		v = fmt.Sprintf("Text{%s}", part)
	case p.size > 64:
		v = fmt.Sprintf("wide(%s, %s[%d])", part, key, p.word+1)
	}
	if p.nullAt >= 0 {
		return v, fmt.Sprintf("%s[%d] >> %d & 1", key, p.nullAt/64, p.nullAt%64)
	}
	return v, fmt.Sprintf("%s == %dull", part, p.null)
}
