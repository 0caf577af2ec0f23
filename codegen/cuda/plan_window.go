package cuda

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

func (p *windowPlanner) plan() {
	s := p.w.s
	rows := p.rowBuffers()
	var firsts []int
	if p.w.first != nil {
		firsts = p.first(p.w.first)
	}
	o := p.sorted(slices.Concat(s.Partition, s.Order), rows.make)
	n := o.n
	if p.w.first != nil {
		p.release(firsts...)
		p.Note(p.w.first.note(), n)
	}
	p.Number(Arg{Kind: ArgOrdered}, n)
	p.Pointer(Arg{Kind: ArgOrder}, launch.In, launch.Ref{Buffer: o.order})
	rows.bind(launch.In, launch.In)
	tiles := expr.CeilDiv(n, launch.Int(orderedTile))
	p.Number(Arg{Kind: ArgTiles}, tiles)
	p.numberGroups(o, tiles)
	for i := range s.Frames {
		for end, b := range []*kernel.FrameBound{&s.Frames[i].Start, &s.Frames[i].End} {
			p.Number(distance(i, end), launch.Int(b.Offset))
		}
	}
	made := n
	if p.w.groups {
		made = p.groups(s)
	}
	p.runStates(n, tiles, made)
	p.joinStates(n)
	p.selections(n, made)
	texts := p.concatenations(n, tiles)
	out := p.columns("out")
	p.add(&launch.Columns{Buffer: out, Rows: made})
	p.into(out, made)
	p.Launch("compute", made)
	p.readStatus()
	p.add(&launch.Rows{Buffer: out, Rows: made, Texts: texts})
}

// groups sets what the entry that writes the groups takes, and returns how many there are.
func (p *windowPlanner) groups(s *kernel.Window) launch.Expr {
	groups := launch.Expr(launch.Int(1))
	if len(s.Partition) > 0 {
		groups = expr.Div(p.Value("begun"), launch.Int(1<<32))
	}
	p.Number(Arg{Kind: ArgGroups}, groups)
	return groups
}

// rowBuffers are what the rows of a Window are written to: a buffer of values, and one of
// bitmaps, which are zeros before; None where there is nothing to write.
type rowBuffers struct {
	*windowPlanner
	values, bits int
	parts        []launch.Ref // by collected value: where it lies
	valid        []launch.Ref // likewise its validity
	widths       []int        // by part of the values: bytes of one
}

func (p *windowPlanner) rowBuffers() *rowBuffers {
	b := &rowBuffers{windowPlanner: p, values: launch.None, bits: launch.None}
	values, bits := 0, 0
	for _, shape := range p.w.shapes {
		at := launch.Ref{Part: values}
		if width := shape.Encoding.Width(); width > 0 {
			values++
			b.widths = append(b.widths, width)
		} else {
			at.Part = bits
			bits++
		}
		b.parts, b.valid = append(b.parts, at), append(b.valid, launch.Ref{Part: bits})
		if shape.Nullable {
			bits++
		}
	}
	if values > 0 {
		b.values = p.buffer("rows", values)
	}
	if bits > 0 {
		b.bits = p.buffer("bits", bits)
	}
	for i, shape := range p.w.shapes {
		b.parts[i].Buffer, b.valid[i].Buffer = b.values, b.bits
		if shape.Encoding.Width() == 0 {
			b.parts[i].Buffer = b.bits
		}
	}
	return b
}

// make allocates the buffers with so much room, and has the entries write there.
func (b *rowBuffers) make(capacity launch.Expr) []int {
	var made []int
	alloc := func(buffer, parts int, fill launch.Fill, size func(part int) launch.Expr) {
		if buffer == launch.None {
			return
		}
		a := &launch.Alloc{Buffer: buffer, Fill: fill}
		for part := range parts {
			a.Sizes = append(a.Sizes, size(part))
		}
		b.add(a)
		made = append(made, buffer)
	}
	alloc(b.values, len(b.widths), launch.Anything, func(part int) launch.Expr {
		return expr.Times(launch.Int(b.widths[part]), capacity)
	})
	if b.bits != launch.None {
		alloc(b.bits, b.made.Buffers[b.bits].Parts, launch.Zeros, func(int) launch.Expr {
			return expr.Times(launch.Int(4), expr.CeilDiv(capacity, launch.Int(32)))
		})
	}
	b.Number(Arg{Kind: ArgCapacity}, capacity)
	b.bind(launch.Out, launch.InOut)
	return made
}

// bind has the entries access the values of the rows, and the bitmaps.
func (b *rowBuffers) bind(values, bits launch.Access) {
	for i, shape := range b.w.shapes {
		access := values
		if shape.Encoding.Width() == 0 {
			access = bits
		}
		b.Pointer(Arg{Kind: ArgRowData, Index: i}, access, b.parts[i])
		if shape.Nullable {
			b.Pointer(Arg{Kind: ArgRowValid, Index: i}, bits, b.valid[i])
		}
		b.Number(Arg{Kind: ArgRowBase, Index: i}, launch.Int(b.w.bases[i]))
	}
}

// numberGroups plans the numbers of partitions and of groups of peers.
func (p *windowPlanner) numberGroups(o *sorter, tiles launch.Expr) {
	n, bytes := o.n, func(each int, x launch.Expr) launch.Expr { return expr.Times(launch.Int(each), x) }
	marks := p.alloc("marks", n, launch.Anything)
	counts := p.alloc("begun", bytes(8, expr.Plus(tiles, launch.Int(1))), launch.Zeros)
	pointer := func(kind ArgKind, buffer int) func(launch.Access) {
		return func(access launch.Access) { p.Pointer(Arg{Kind: kind}, access, launch.Ref{Buffer: buffer}) }
	}
	marked, begun := pointer(ArgMarks, marks), pointer(ArgTileStart, counts)
	p.Pointer(Arg{Kind: ArgSortKeys}, launch.In, launch.Ref{Buffer: o.keys})
	p.Number(Arg{Kind: ArgKeyWords}, o.words)
	p.Number(Arg{Kind: ArgPartWords}, p.wordsOf(&p.w.partition))
	marked(launch.Out)
	begun(launch.Out)
	p.Launch("mark", n)
	p.release(o.keys)
	begun(launch.InOut)
	p.Launch("start_groups", tiles)
	if p.w.groups && len(p.w.s.Partition) > 0 {
		p.add(&launch.Fail{Kind: launch.Refused, Cond: expr.LessThan(launch.Int(math.MaxInt32), n), Text: "more than 2^31 rows are to be sorted by their groups"})
		p.add(&launch.Read{
			From: launch.Ref{Buffer: counts, Offset: bytes(8, tiles)}, Words: launch.Int(1), Raise: launch.None,
			Into: []launch.Into{p.word("begun", 0)}, Array: launch.None,
		})
	}
	marked(launch.In)
	begun(launch.In)
	groups := []func(launch.Access){}
	number := func(of, starts ArgKind, name string) {
		groups = append(groups, pointer(of, p.alloc(name, bytes(4, n), launch.Anything)),
			pointer(starts, p.alloc(name+"_starts", bytes(4, expr.Plus(n, launch.Int(1))), launch.Anything)))
	}
	number(ArgPartition, ArgPartStarts, "partitions")
	if !p.w.perGroup {
		number(ArgPeers, ArgPeerStarts, "peers")
	}
	for _, g := range groups {
		g(launch.Out)
	}
	p.Launch("number", n)
	for _, g := range groups {
		g(launch.In)
	}
	p.release(counts)
}

// runStates plans the states that are combined one after the other, of which so many are made.
func (p *windowPlanner) runStates(n, tiles, made launch.Expr) {
	if p.entryNumber("run") < 0 {
		return
	}
	heads := p.alloc("heads", expr.Times(launch.Int(4), tiles), launch.Anything)
	p.Pointer(Arg{Kind: ArgTileHeads}, launch.Out, launch.Ref{Buffer: heads})
	held := []int{heads}
	each := func(do func(a *windowAcc)) {
		for _, a := range p.w.accs {
			if a.runs {
				do(a)
			}
		}
	}
	each(func(a *windowAcc) {
		states := p.alloc("tile_"+a.typeName(), expr.Times(launch.Int(a.bytes()), tiles), launch.Anything)
		p.Pointer(Arg{Kind: ArgTileStates, Index: a.call}, launch.Out, launch.Ref{Buffer: states})
		held = append(held, states)
	})
	p.Launch("reduce", n)
	p.Pointer(Arg{Kind: ArgTileHeads}, launch.In, launch.Ref{Buffer: heads})
	as := func(access launch.Access) {
		each(func(a *windowAcc) {
			at := Arg{Kind: ArgTileStates, Index: a.call}
			p.Pointer(at, access, p.fills[at].Ref)
		})
	}
	as(launch.InOut)
	p.Launch("run_starts", tiles)
	as(launch.In)
	running := func(access launch.Access, buffer func(a *windowAcc) int) {
		each(func(a *windowAcc) {
			p.Pointer(Arg{Kind: ArgRunning, Index: a.call}, access, launch.Ref{Buffer: buffer(a)})
		})
	}
	running(launch.Out, func(a *windowAcc) int {
		return p.alloc("running_"+a.typeName(), expr.Times(launch.Int(a.bytes()), made), launch.Anything)
	})
	p.Launch("run", n)
	running(launch.In, func(a *windowAcc) int { return p.fills[Arg{Kind: ArgRunning, Index: a.call}].Ref.Buffer })
	p.release(held...)
}

// joinStates plans the trees of states: the nodes of rows first, and then those that are
// made of nodes that are there, half as many each time.
func (p *windowPlanner) joinStates(n launch.Expr) {
	if p.entryNumber("leaves") < 0 {
		return
	}
	each := func(do func(a *windowAcc)) {
		for _, a := range p.w.accs {
			if !a.runs {
				do(a)
			}
		}
	}
	as := func(access launch.Access) {
		each(func(a *windowAcc) {
			at := Arg{Kind: ArgNodes, Index: a.call}
			p.Pointer(at, access, p.fills[at].Ref)
		})
	}
	each(func(a *windowAcc) {
		nodes := p.alloc("nodes_"+a.typeName(), expr.Times(launch.Int(2*a.bytes()), n), launch.Anything)
		p.Pointer(Arg{Kind: ArgNodes, Index: a.call}, launch.Out, launch.Ref{Buffer: nodes})
	})
	p.Launch("leaves", n)
	as(launch.InOut)
	end := p.Let("nodes_end", n)
	from := p.Let("nodes_from", n)
	p.Number(Arg{Kind: ArgNodeFrom}, from)
	p.Number(Arg{Kind: ArgNodeEnd}, end)
	p.Loop(func() {
		p.Until(expr.LessOrEqual(end, launch.Int(1)))
		p.Set(from, expr.Div(expr.Plus(end, launch.Int(1)), launch.Int(2)))
		p.Launch("join", expr.Minus(end, from))
		p.Set(end, from)
	})
	as(launch.In)
}
