package cuda

import (
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// maxTextWords is up to how many words texts are ordered by.
const maxTextWords = 64

// planSort plans a Sort: the rows wanted are gathered in their order.
func (p *Planner) planSort(s *kernel.Sort) {
	keys := s.Keys
	if p.order != nil {
		p.Note("groups read in the order of their keys", nil)
		keys = p.order.rest
		if len(keys) == 0 {
			p.planMaterialize(&kernel.Materialize{Cols: s.Cols, Limit: s.Limit, Offset: s.Offset, Ordered: true})
			return
		}
	}
	rows, out := p.columns("rows"), p.columns("out")
	o := p.sorter(keys, len(p.outputs) > 0)
	make := func(capacity launch.Expr) []int {
		p.add(&launch.Columns{Buffer: rows, Rows: capacity})
		p.into(rows, capacity)
		return []int{rows}
	}
	if p.sort.Top > 0 {
		o.first(s, make, rows, out)
		return
	}
	o.collect(make)
	o.sortRows()
	wanted := o.wanted(s)
	p.add(&launch.Columns{Buffer: out, Rows: wanted})
	o.gather(s, wanted, rows, out)
	p.add(&launch.Rows{Buffer: out, Rows: wanted})
}

// sorted plans that rows are written and ordered by keys. make allocates the buffers that
// they are written to, with so much room, and has the entries write there.
func (p *Planner) sorted(keys []kernel.SortKey, make func(capacity launch.Expr) []int) *sorter {
	o := p.sorter(keys, false)
	o.collect(make)
	o.sortRows()
	return o
}

// sorter declares what orders rows by keys. Gathers says that the rows are to be gathered.
func (p *Planner) sorter(keys []kernel.SortKey, gathers bool) *sorter {
	o := &sorter{Planner: p, keys: p.buffer("keys", 1), order: p.buffer("order", 1), before: func() {}}
	p.Number(Arg{Kind: ArgSkip}, launch.Int(0))
	if p.order != nil {
		p.Number(Arg{Kind: ArgEnough}, launch.Int(math.MaxInt64))
		o.before = p.inOrder("collect")
	}
	p.sortBases(keys)
	if p.sort.Texts > 0 {
		p.add(&launch.Fail{
			Kind: launch.Refused, Cond: expr.LessThan(launch.Int(maxTextWords), expr.LongestText),
			Text: fmt.Sprintf("there is no device code for ORDER BY texts of more than %d bytes", 8*maxTextWords),
		})
		p.Number(Arg{Kind: ArgTextWords}, expr.LongestText)
	}
	o.words = p.wordsOf(p.sort)
	if p.sort.Texts > 0 {
		o.words = p.Let("words", o.words)
	}
	o.declare(gathers)
	return o
}

// sortBases sets what is subtracted from keys.
func (p *Planner) sortBases(keys []kernel.SortKey) {
	for i, k := range keys {
		p.Number(Arg{Kind: ArgKeyLo, Index: i}, launch.Int(p.f.Values[k.Val].Range.Lo))
	}
}
