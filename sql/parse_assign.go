package sql

import (
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// assignments reads SET and its list.
func (p writeParser) assignments() ([]Assignment, error) {
	if err := p.Expect("set"); err != nil {
		return nil, err
	}
	return dialect.CommaList(p.Cursor, p.assignment)
}

// assignment reads column = value, or (columns) = values.
func (p writeParser) assignment() (Assignment, error) {
	var a Assignment
	var err error
	if a.Row = p.NextIs("("); a.Row {
		a.Columns, err = p.columnList()
	} else {
		var id Ident
		id, err = p.ident()
		a.Columns = []Ident{id}
	}
	if err != nil {
		return a, err
	}
	if !a.Row && p.Accept(".") {
		if a.Field, err = p.label(); err != nil {
			return a, err
		}
	}
	if p.NextIs(".") || p.NextIs("[") {
		return a, p.refuse("a part of a column in UPDATE")
	}
	if err := p.Expect("="); err != nil {
		return a, err
	}
	if a.Value, err = p.expr(); err != nil || !a.Row {
		return a, err
	}
	switch a.Value.(type) {
	case *Row, *Subquery:
		return a, nil
	}
	return a, sqlstate.ErrorAt(int(a.Value.Position()), sqlstate.FeatureNotSupported,
		"source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression")
}

// where reads WHERE, if there is one.
func (p writeParser) where() (Expr, error) {
	if !p.Accept("where") {
		return nil, nil
	}
	if p.NextIs("current", "of") {
		return nil, p.refuse("WHERE CURRENT OF")
	}
	return p.expr()
}
