package cuda

import (
	"fmt"
	"maps"
	"slices"
)

// Pass renders an entry that goes over the rows.
func (r *renderer) Pass(p Pass) {
	shares := p.Children && r.sharesMatches()
	if shares {
		r.countMatches(p)
	}
	var parent *Entry
	bounds := "T"
	if p.Resident > r.threads {
		bounds = fmt.Sprintf("T, %d", p.Resident/r.threads)
	}
	r.boundEntry(r.passName(p.Name), p.Comment, bounds, r.rows*r.threads, func(e *Entry) {
		parent = e
		e.passed(p)
		e.shares = shares
		e.params()
		e.openShared(p)
		p.open(e)
		body := func() { e.block(r.f.Body, func() { p.take(e) }) }
		while := p.while(e)
		pages := r.paged()
		if !p.Children {
			pages = nil
		}
		switch {
		case p.FlushTiles != nil:
			e.flushing(p.FlushTiles(e), body, func() { p.Close(e) })
		case p.Strides:
			e.stridedTiles(body)
		case p.Tickets:
			e.ticketTiles(while, body)
		case shares:
			e.shareTiles(while, body)
		case pages != nil:
			e.pageTiles(pages, while, body)
		case e.packs:
			e.packTiles(while, body)
		default:
			e.tiles("(i64)blockIdx.x * TILE", while, body)
		}
		if p.Close != nil && p.FlushTiles == nil {
			p.Close(e)
		}
		if p.Last != nil {
			p.Last(e)
		}
	})
	r.entries[len(r.entries)-1].Source = true
	if parent.deferred > 0 {
		r.child(p, parent)
	}
}

// child renders the kernel that goes on with rows that the entry of a pass hands over: the
// same pass, without its source. It is not launched by the host.
func (r *renderer) child(p Pass, parent *Entry) {
	e := r.newEntry(parent.entryName)
	e.isChild = true
	e.passed(p)
	e.Line("// goes on with rows that %s hands over", parent.entryName)
	e.Begin(`extern "C" __global__ __launch_bounds__(T) void %s(const Params p, const u64 number, const u32 rows)`, e.childName())
	e.params()
	p.open(e)
	if while := p.while(e); while != "" {
		e.Line("if (!(%strue)) return;", while)
	}
	before := e.lines.String()
	e.block(r.f.Body, func() { p.take(e) })
	e.lines.Reset()
	e.lines.WriteString(before + e.keeps)
	e.depth = 1
	if p.Close != nil {
		p.Close(e)
	}
	e.End()
	r.texts = slices.Insert(r.texts, len(r.texts)-1, e.lines.String()) // a kernel is declared before it is launched
	r.entries[len(r.entries)-1].Takes = slices.Sorted(maps.Keys(r.takes))
}

// open begins the entry.
func (p *Pass) open(e *Entry) {
	if p.Open != nil {
		p.Open(e)
	}
	if p.Marks {
		e.openMarks()
	}
}

// while is the condition under which a block takes tiles.
func (p *Pass) while(e *Entry) (while string) {
	if p.While != nil {
		while = p.While(e)
	}
	if p.Marks {
		while += e.whileMarked()
	}
	return while
}

// take does with the rows of a tile what the pass does.
func (p *Pass) take(e *Entry) {
	if p.Marks {
		e.markNew()
	}
	if p.Rows != nil {
		p.Rows(e)
	}
}
