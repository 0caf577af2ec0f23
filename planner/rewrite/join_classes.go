package rewrite

import (
	"math/bits"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
)

// classify makes classes of the keys that equate bare columns of two relations.
// The other predicates stay. Where a class has two columns of one relation the
// relation is filtered, and only the first of them stays a member.
func (g *joinGraph) classify() {
	equal := make(classes)
	var others []predicate
	var order []algebra.Column
	for _, p := range g.preds {
		if p.cond != nil {
			others = append(others, p)
			continue
		}
		l, r, ok := equalKey(p.key)
		if !ok {
			others = append(others, p)
			continue
		}
		equal.union(l, r)
		order = append(order, l, r)
	}
	g.preds = others
	done := make(map[*[]algebra.Column]bool)
	for _, col := range order {
		if class := equal[col.ID]; !done[class] {
			done[class] = true
			g.addClass(*class)
		}
	}
}

func (g *joinGraph) addClass(cols []algebra.Column) {
	var c keyClass
	first := make(map[int]algebra.Column)
	for _, col := range cols {
		i := bits.TrailingZeros64(uint64(g.relsOf(col.Ref())))
		if one, ok := first[i]; ok {
			g.rels[i] = filter(g.rels[i], []algebra.Expr{newCall(algebra.Eq, one.Ref(), col.Ref())})
			g.props[i] = g.est.Of(g.rels[i])
			continue
		}
		first[i] = col
		c.rels |= 1 << i
		c.members = append(c.members, classMember{rel: i, col: col})
	}
	g.classes = append(g.classes, c)
}

// mostlyUnique is the share of a relation's rows that have values of their own
// in a column that is taken to be a key.
const mostlyUnique = 0.9

// linkClasses guesses how many distinct values the members have.
func (g *joinGraph) linkClasses() {
	for i := range g.classes {
		c := &g.classes[i]
		for k := range c.members {
			m := &c.members[k]
			p := g.props[m.rel]
			m.rows, m.distinct = p.Rows, p.Domain(m.col.Ref())
			if p.Distinct(m.col.Ref()) >= mostlyUnique*p.Rows {
				g.unique |= 1 << m.rel
				if g.fillsArray(m) {
					g.arrays |= 1 << m.rel
				}
			}
		}
	}
	for a := range g.rels {
		for b := range a {
			g.correctPair(relSet(1)<<a|relSet(1)<<b, b, a)
		}
	}
}

// fillsArray reports whether a relation has so many of the values among which those of a key lie that its table
// is likely to be an array by the key.
func (g *joinGraph) fillsArray(m *classMember) bool {
	const cells = 5 // at most, of each row: the keys of the orders of TPC-H fill a quarter
	c := g.props[m.rel].Column(m.col.ID)
	return m.col.Type.IsInteger() && c.HasBounds && c.Max-c.Min < cells*m.rows
}

// correctPair notes how the classes that join two relations depend on each
// other.
func (g *joinGraph) correctPair(pair relSet, a, b int) {
	var keys []algebra.JoinKey
	alone := 1.0
	for i := range g.classes {
		c := &g.classes[i]
		if !pair.subsetOf(c.rels) {
			continue
		}
		keys = append(keys, algebra.JoinKey{Left: c.member(1 << a).col.Ref(), Right: c.member(1 << b).col.Ref()})
		alone *= c.share(pair)
	}
	if len(keys) < 2 {
		return
	}
	factor := estimate.KeyShare(keys, g.props[a], g.props[b]) / alone
	g.corrections = append(g.corrections, pairCorrection{rels: pair, factor: factor})
}

// member returns, of the members in a set, that of the relation with most rows:
// most likely it is read from a table and not from a hash table.
func (c *keyClass) member(s relSet) *classMember {
	var best *classMember
	for i := range c.members {
		m := &c.members[i]
		if s&(1<<m.rel) != 0 && (best == nil || m.rows > best.rows) {
			best = m
		}
	}
	return best
}

// share guesses the share of combinations of rows of the relations of a set
// that agree in the class: the values of a relation with fewer of them are
// taken to be among those of one with more.
func (c *keyClass) share(s relSet) float64 {
	share, least := 1.0, 0.0
	for i := range c.members {
		m := &c.members[i]
		if s&(1<<m.rel) == 0 {
			continue
		}
		share /= m.distinct
		if least == 0 || m.distinct < least {
			least = m.distinct
		}
	}
	return share * max(least, 1)
}

// correction is how much more rows a set has for the dependence of the classes
// that join its relations. Each relation is corrected once.
func (g *joinGraph) correction(s relSet) float64 {
	factor := 1.0
	var corrected relSet
	for _, c := range g.corrections {
		if c.rels.subsetOf(s) && !c.rels.subsetOf(corrected) {
			factor *= c.factor
			corrected |= c.rels
		}
	}
	return factor
}

// classKeys are the keys by which classes join two sets.
func (g *joinGraph) classKeys(l, r relSet) []algebra.JoinKey {
	var keys []algebra.JoinKey
	for i := range g.classes {
		c := &g.classes[i]
		left, right := c.member(l), c.member(r)
		if left != nil && right != nil {
			keys = append(keys, algebra.JoinKey{Left: left.col.Ref(), Right: right.col.Ref()})
		}
	}
	return keys
}
