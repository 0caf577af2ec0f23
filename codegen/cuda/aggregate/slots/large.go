package slots

import (
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// The cells of a page at least, and how many pages there are at most: the block has a word
// for each.
const (
	minPage  = 32
	maxPages = 1 << 12
)

// Large gives every cell of a range a slot in a block that has a multiprocessor for
// itself, and has pages of cells own slots where that is not worth while.
func Large(p *Planner, cells launch.Expr, each layout) {
	room := p.Let("room", p.room())
	ranges := p.Let("ranges", p.slotRanges(p.planeBytes(each.slots, launch.Int(1)), room))
	p.When(expr.NotEqual(ranges, launch.Int(0)), func() {
		each := expr.Plus(expr.CeilDiv(cells, expr.Max(ranges, launch.Int(1))), launch.Int(1))
		slots := expr.Times(expr.Div(each, launch.Int(2)), launch.Int(2))
		p.note("a slot for each cell of a range", ranges)
		p.set(layout{slots, launch.Int(0), slots})
	}, func() { paged(p, cells, room) })
}

// slotRanges returns in how many ranges cells have slots of so many bytes in large blocks;
// 0: they are better off without.
func (p *Planner) slotRanges(bytes, room launch.Expr) launch.Expr {
	arrays := int64(len(p.Layout.State))
	figures := p.figures()
	ranges := p.Let("ranges", expr.CeilDiv(bytes, expr.Max(room, launch.Int(1))))
	worth := expr.Div(expr.Times(launch.Int(arrays*int64(p.Matches())), expr.Rows), expr.Times(launch.Int(figures.WideRows), expr.SMs))
	affordable := expr.Max(p.affordable(figures.Atomic*arrays), launch.Int(1)) // one is no more than without
	return expr.Select(room, expr.Select(expr.LessOrEqual(ranges, expr.Min(worth, affordable)), ranges, launch.Int(0)), launch.Int(0))
}

// paged has pages of cells own the slots of a large block, and combines the rows of those
// that have none in the device's cache; with Ranges one range of the cells after the other,
// where it does not hold them all.
func paged(p *Planner, cells, room launch.Expr) {
	rangeCells, ranges := p.cached(cells)
	page := p.Set(p.Value("page"), expr.Max(expr.CeilPow2(expr.Div(rangeCells, launch.Int(maxPages))), launch.Int(minPage)))
	pages := p.Set(p.Value("pages"), expr.CeilDiv(rangeCells, page))
	left := expr.Minus(room, expr.Times(launch.Int(4), expr.Plus(pages, launch.Int(1))))
	frame := expr.Plus(expr.Times(launch.Int(4*p.Layout.Planes), page), launch.Int(4))
	frames := expr.Min(expr.Div(left, frame), pages)
	p.note("slots that pages of cells own", ranges)
	p.setLayout(layout{expr.Times(frames, page), launch.Int(0), rangeCells})
}
