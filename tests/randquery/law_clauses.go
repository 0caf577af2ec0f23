package randquery

import (
	"strings"
)

// clauses replaces parts of a SELECT. Grouping expressions stay, since items refer to
// them by their text, and so do items that GROUP BY refers to by their number. Where
// keys are repeated, an item that is one decides which of them it is.
func (w *rewriter) clauses(q *Query) {
	for _, s := range q.from {
		w.source(s)
	}
	defer func(saved map[string]bool) { w.keys = saved }(w.keys)
	w.keys = map[string]bool{}
	numbered := map[int]bool{} // the items that are keys by their number
	for _, list := range exprLists(q.group) {
		for _, key := range *list {
			numbered[key.ordinal] = true
			key = key.clone()
			key.ordinal = 0
			w.keys[key.SQL()] = true
		}
	}
	for i := range q.items {
		if !q.repeats && !numbered[i+1] {
			q.items[i].expr = w.expr(q.items[i].expr)
		}
	}
	q.where, q.having = w.expr(q.where), w.expr(q.having)
	if len(q.group) > 0 {
		w.groups(q)
	}
}

// groups spells ROLLUP and CUBE as the sets that they stand for.
func (w *rewriter) groups(q *Query) {
	for i, e := range q.group {
		if e.construct != "ROLLUP" && e.construct != "CUBE" || len(e.elements) > 4 {
			continue
		}
		var text strings.Builder
		e.write(&text)
		if _, yes := w.chooses("group " + text.String()); yes {
			q.group[i] = &groupElement{construct: "GROUPING SETS", elements: e.sets()}
		}
	}
}

// sets are the grouping sets of ROLLUP or CUBE.
func (e *groupElement) sets() []*groupElement {
	var sets, elements []*groupElement
	for _, element := range e.elements {
		if element.parens {
			elements = append(elements, element)
		} else {
			elements = append(elements, single(element.exprs)...)
		}
	}
	for mask := 1<<len(elements) - 1; mask >= 0; mask-- {
		set := &groupElement{parens: true}
		prefix := true
		for i, element := range elements {
			if mask>>i&1 == 1 {
				prefix = prefix && (i == 0 || mask>>(i-1)&1 == 1)
				set.exprs = append(set.exprs, cloneAll(element.exprs)...)
			}
		}
		if e.construct == "CUBE" || prefix {
			sets = append(sets, set)
		}
	}
	return sets
}
