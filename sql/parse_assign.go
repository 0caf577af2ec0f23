package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// assignments reads SET and its list.
func (p writeParser) assignments() []Assignment {
	p.Expect("set")
	return dialect.CommaList(p.Cursor, p.assignment)
}

// assignment reads column = value, or (columns) = values.
func (p writeParser) assignment() Assignment {
	var a Assignment
	if a.Row = p.NextIs("("); a.Row {
		a.Columns = p.columnList()
	} else {
		a.Columns = []Ident{p.ident()}
	}
	if !a.Row && p.Accept(".") {
		a.Field = p.label()
	}
	if !a.Row && a.Field.Name == "" {
		a.Element = p.element()
	}
	if p.NextIs(".") || p.NextIs("[") {
		panic(p.refuse("a part of a column in UPDATE"))
	}
	p.Expect("=")
	if a.Value = p.expr(); !a.Row {
		return a
	}
	switch a.Value.(type) {
	case *Row, *Subquery:
		return a
	}
	panic(sqlstate.ErrorAt(int(a.Value.Position()), sqlstate.FeatureNotSupported,
		"source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression"))
}

// element reads the subscripts of an element or a slice that is set, where there are some.
func (p writeParser) element() (all []Bounds) {
	for p.Accept("[") {
		b := Bounds{Pos: Pos(p.LastEnd() - 1)}
		if !p.NextIs(":") {
			b.Lower = p.expr()
		}
		if b.Slice = p.Accept(":"); b.Slice && !p.NextIs("]") {
			b.Upper = p.expr()
		}
		p.Expect("]")
		all = append(all, b)
	}
	return all
}

// where reads WHERE, if there is one.
func (p writeParser) where() Expr {
	if !p.Accept("where") {
		return nil
	}
	if p.NextIs("current", "of") {
		panic(p.refuse("WHERE CURRENT OF"))
	}
	return p.expr()
}

// insertColumns reads the columns that an INSERT lists, if it does, with the subscripts behind them.
func (p writeParser) insertColumns(s *Insert) {
	if !p.Accept("(") {
		return
	}
	targets := dialect.CommaListTo(p.Cursor, ")", p.insertTarget)
	for i, target := range targets {
		s.Columns = append(s.Columns, target.column)
		if target.element != nil && s.Elements == nil {
			s.Elements = make([][]Bounds, len(targets))
		}
		if target.element != nil {
			s.Elements[i] = target.element
		}
	}
}

// insertTarget is a column of the list of an INSERT, or what of it is set.
type insertTarget struct {
	column  Ident
	element []Bounds
}

func (p writeParser) insertTarget() insertTarget {
	t := insertTarget{column: p.ident(), element: p.element()}
	if p.NextIs(".") {
		panic(p.refuse("a part of a column in INSERT"))
	}
	return t
}

// overriding reads OVERRIDING … VALUE, if it comes next.
func (p writeParser) overriding(s *Insert) {
	if !p.Accept("overriding") {
		return
	}
	if s.Overriding = p.Peek().Text; !p.acceptAny("user", "system") {
		panic(p.Unexpected())
	}
	p.Expect("value")
}

// changedTable reads the name of the table whose rows are changed, with its
// alias.
func (p writeParser) changedTable() (name Name, only bool, alias Ident) {
	table := p.namedTable()
	if p.Accept("as") || p.Peek().IsName() && !p.NextIs("set") {
		alias = p.ident()
	}
	return table.Name, table.Only, alias
}
