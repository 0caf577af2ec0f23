package randquery

import (
	"regexp"
)

// within makes something in which the columns of s can be named besides what
// the queries around offer.
func (g *generator) within(s scope, make func()) {
	saved, pairs := g.outer, g.pairs
	g.outer = append(saved[:len(saved):len(saved)], plainColumns(s)...)
	make()
	g.outer, g.pairs = saved, pairs
}

// withOuter adds the columns of the queries around to a scope.
func (g *generator) withOuter(s scope) scope {
	return append(s[:len(s):len(s)], g.outer...)
}

// plainColumn is a column as a subquery can name it, whatever its own relations
// are called.
var plainColumn = regexp.MustCompile(`^a[0-9]+\.[a-z0-9]+$`)

// plainColumns are the columns of a scope that subqueries can name: those that
// are not computed.
func plainColumns(s scope) scope {
	var plain scope
	for _, e := range s {
		if e.column && !e.inexact && len(e.kids) == 0 && plainColumn.MatchString(e.parts[0]) {
			plain = append(plain, e)
		}
	}
	return plain
}
