package sql

import (
	"vitess.io/vitess/go/vt/sqlparser"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

func (c *converter) groupBy(g *sqlparser.GroupBy) *GroupBy {
	if len(g.Exprs) != 1 || g.WithRollup {
		panic(defect("GROUP BY of %d", len(g.Exprs)))
	}
	m, args := takeCall[dialect.GroupBy](c, g.Exprs[0])
	return &GroupBy{
		All:      m.All,
		Distinct: m.Distinct,
		Elements: c.groupElements(args),
		Pos:      Pos(m.Pos),
	}
}

func (c *converter) groupElements(args []sqlparser.Expr) []GroupElement {
	var out []GroupElement
	for _, e := range args {
		out = append(out, c.groupElement(e))
	}
	return out
}

func (c *converter) groupElement(e sqlparser.Expr) GroupElement {
	f, ok := e.(*sqlparser.FuncExpr)
	if !ok {
		return c.groupExprs(e)
	}
	m, ok := c.peek(f).(*dialect.Grouping)
	if !ok {
		return c.groupExprs(e)
	}
	c.placeholder(f.Name.String())
	pos := Pos(m.Pos)
	switch m.Kind {
	case dialect.GroupCube:
		return &Cube{Elements: c.groupSets(f.Exprs), Pos: pos}
	case dialect.GroupRollup:
		return &Rollup{Elements: c.groupSets(f.Exprs), Pos: pos}
	case dialect.GroupingSets:
		return &GroupingSets{Elements: c.groupElements(f.Exprs), Pos: pos}
	}
	return &GroupExprs{Pos: pos}
}

func (c *converter) groupSets(args []sqlparser.Expr) []*GroupExprs {
	var out []*GroupExprs
	for _, e := range args {
		out = append(out, c.groupExprs(e))
	}
	return out
}

// groupExprs converts one expression, or a row as the composite that it is in
// GROUP BY unless ROW was written.
func (c *converter) groupExprs(e sqlparser.Expr) *GroupExprs {
	if f, ok := e.(*sqlparser.FuncExpr); ok {
		if m, ok := c.peek(f).(*dialect.Row); ok && !m.Explicit {
			c.placeholder(f.Name.String())
			return &GroupExprs{Exprs: c.exprs(f.Exprs), Pos: Pos(m.Pos)}
		}
	}
	x := c.expr(e)
	return &GroupExprs{Exprs: []Expr{x}, Pos: x.Position()}
}
