package randquery

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// checkRewritten compares the subject with one in which some expressions, sources and
// queries are replaced by equivalent ones.
func checkRewritten(c *Case, ask Ask) error {
	w := &rewriter{seed: c.Seed, percent: 15}
	other := w.query(c.Query.clone())
	if w.changes == 0 {
		return errNoSubject
	}
	want, err := ask(c.Query.SQL(), false)
	if err != nil {
		return err
	}
	got, err := ask(other.SQL(), false)
	if err != nil {
		return err
	}
	for i := range got.Columns { // an expression without a name has that of what it is
		got.Columns[i].Name = want.Columns[i].Name
	}
	return compare("the equivalent query", got, want, c.Query.Ordered() && other.Ordered(), err)
}

// A rewriter replaces parts of a query. What becomes of a part depends on the seed and on
// the part's text alone, so that it stays where another part is left out.
type rewriter struct {
	seed    uint64
	percent int // of the parts that are replaced
	changes int
	aliases int
	plain   bool            // in a recursive query, where no subquery may be added
	keys    map[string]bool // texts of the grouping expressions
}

// maxRewritten is the length of the longest text that is repeated.
const maxRewritten = 600

// chooses decides whether a part is replaced, and makes its choices.
func (w *rewriter) chooses(text string) (*rand.Rand, bool) {
	r := rand.New(rand.NewPCG(hash(w.seed, text), w.seed))
	if len(text) > maxRewritten || r.IntN(100) >= w.percent {
		return r, false
	}
	w.changes++
	return r, true
}

func (w *rewriter) alias() string {
	w.aliases++
	return fmt.Sprintf("e%d", w.aliases)
}

// query replaces parts of a query, and the query itself.
func (w *rewriter) query(q *Query) *Query {
	if q == nil {
		return nil
	}
	for _, c := range q.with {
		saved := w.plain
		w.plain = w.plain || c.recursive
		c.query = w.query(c.query)
		w.plain = saved
	}
	if q.op != "" {
		q.left, q.right = w.query(q.left), w.query(q.right)
	} else {
		w.clauses(q)
	}
	if w.plain {
		return q
	}
	return w.whole(q)
}

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

// whole replaces a query as a whole.
func (w *rewriter) whole(q *Query) *Query {
	r, yes := w.chooses("query " + q.SQL())
	if !yes {
		return q
	}
	// The numbers of an order and the names of columns are those of a SELECT that stays.
	if q.Ordered() || q.limit >= 0 || q.offset >= 0 || len(q.with) > 0 || q.unnamed() {
		return q
	}
	if q.op != "" && !strings.HasPrefix(q.op, "EXCEPT") && r.IntN(2) == 0 {
		q.left, q.right = q.right, q.left
		return q
	}
	switch r.IntN(5) {
	case 0:
		return w.derived(q)
	case 1:
		none := w.derived(q.clone())
		none.where = leaf(Bool, pick(r, "false", "(1 = 0)", "CAST(NULL AS boolean)"))
		return &Query{op: pick(r, "UNION ALL", "EXCEPT ALL"), left: q, right: none, limit: -1, offset: -1}
	case 2:
		if q.isSet() {
			d := w.derived(q)
			d.distinct = true
			return d
		}
	case 3:
		if q.isSet() && !q.hasInexact() {
			return &Query{op: pick(r, "UNION", "INTERSECT"), left: q, right: q.clone(), limit: -1, offset: -1}
		}
	default:
		name := w.alias()
		d := w.derived(q)
		d.from[0] = &source{table: name, alias: d.from[0].alias}
		d.with = []*cte{{name: name, query: q}}
		return d
	}
	return q
}

// isSet reports whether no row is twice in the answer.
func (q *Query) isSet() bool {
	return q.op == "" && q.distinct || q.op == "UNION" || q.op == "INTERSECT" || q.op == "EXCEPT"
}

// unnamed reports whether a column cannot be named.
func (q *Query) unnamed() bool {
	for _, c := range q.outputs() {
		if c.Name == "" {
			return true
		}
	}
	return false
}

// derived selects all from a query.
func (w *rewriter) derived(q *Query) *Query {
	s := &source{alias: w.alias(), query: q}
	d := &Query{from: []*source{s}, limit: -1, offset: -1}
	for _, c := range q.outputs() {
		d.items = append(d.items, item{columnLeaf(s.alias+"."+c.Name, c.Kind), c.Name})
	}
	return d
}

// mirrored are the joins with their sides exchanged.
var mirrored = map[string]string{
	"JOIN": "INNER JOIN", "INNER JOIN": "JOIN", "CROSS JOIN": "CROSS JOIN", "FULL JOIN": "FULL JOIN", "FULL OUTER JOIN": "FULL JOIN",
	"LEFT JOIN": "RIGHT JOIN", "LEFT OUTER JOIN": "RIGHT OUTER JOIN", "RIGHT JOIN": "LEFT JOIN", "RIGHT OUTER JOIN": "LEFT OUTER JOIN",
}

// source replaces parts of a source.
func (w *rewriter) source(s *source) {
	s.query = w.query(s.query)
	switch {
	case s.join != "":
		w.source(s.left)
		w.source(s.right)
		w.join(s)
	case s.query == nil && !w.plain && !strings.Contains(s.table, "("):
		if r, yes := w.chooses("table " + s.alias); yes {
			text := pick(r, "(SELECT * FROM %[1]s)", "(SELECT * FROM %[1]s UNION ALL SELECT * FROM %[1]s WHERE false)",
				"(SELECT * FROM %[1]s OFFSET 0)", "(SELECT * FROM %[1]s WHERE true)", "(TABLE %[1]s)", "(SELECT * FROM %[1]s EXCEPT ALL SELECT * FROM %[1]s WHERE 1 = 0)")
			s.table = fmt.Sprintf(text, s.table)
		}
	}
}

// join replaces a join and its condition.
func (w *rewriter) join(s *source) {
	if s.natural || len(s.using) > 0 {
		return // merged columns are those of the left side
	}
	full := strings.HasPrefix(s.join, "FULL")
	if s.on != nil && !full {
		s.on = w.expr(s.on)
	}
	var text strings.Builder
	s.write(&text)
	r, yes := w.chooses("join " + text.String())
	if !yes || s.hasLateral() {
		return
	}
	if inner := s.join == "JOIN" || s.join == "INNER JOIN"; s.join == "CROSS JOIN" && r.IntN(2) == 0 {
		s.join, s.on = "JOIN", leaf(Bool, "true")
	} else if !inner || r.IntN(2) == 0 {
		if s.right.join == "" { // what stands behind a join without parentheses is one source
			s.join = mirrored[s.join]
			if s.left.join == "" {
				s.left, s.right = s.right, s.left
			} else if inner {
				s.join = "JOIN"
			} else {
				s.join = mirrored[s.join]
			}
		}
	}
}

// hasLateral reports whether the order of the sides matters.
func (s *source) hasLateral() bool {
	return s != nil && (s.lateral || s.left.hasLateral() || s.right.hasLateral())
}
