package sql

import "github.com/cubeloom/cubeloom/sql/dialect"

// CreateType is CREATE TYPE t AS ENUM (labels).
type CreateType struct {
	Name   Name
	Labels []string
	Pos    Pos
}

// AlterType is ALTER TYPE t with one of its actions.
type AlterType struct {
	Name     Name
	Add      *AddValue // nil: none is added
	From, To *string   // RENAME VALUE; nil for none
	Rename   Ident     // Name is empty for none
	Schema   Ident     // Name is empty for the same
	Owner    *RoleRef  // nil: the same
	Pos      Pos
}

// AddValue is ADD VALUE [IF NOT EXISTS] label [BEFORE | AFTER label].
type AddValue struct {
	Label         string
	IfNotExists   bool
	Before, After *string
}

func (*CreateType) statement() {}
func (*AlterType) statement()  {}

// createType reads what follows CREATE TYPE.
func (p tableParser) createType(pos Pos) Statement {
	s := &CreateType{Name: p.tableName(), Pos: pos}
	switch {
	case p.Accept("as", "enum"):
	case p.NextIs("as"), p.NextIs("("), p.NextIs(";"), p.Peek().Kind == dialect.End:
		panic(p.refuse("CREATE TYPE other than AS ENUM"))
	default:
		panic(p.Unexpected())
	}
	p.Expect("(")
	if !p.Accept(")") {
		s.Labels = dialect.CommaListTo(p.Cursor, ")", func() string { return *p.text() })
	}
	return s
}

// alterType reads what follows ALTER TYPE.
func (p tableParser) alterType(pos Pos) Statement {
	s := &AlterType{Name: p.tableName(), Pos: pos}
	switch {
	case p.Accept("add", "value"):
		s.Add = p.addValue()
	case p.Accept("rename", "value"):
		s.From = p.text()
		p.Expect("to")
		s.To = p.text()
	case p.Accept("rename", "to"):
		s.Rename = p.ident()
	case p.Accept("set", "schema"):
		s.Schema = p.ident()
	case p.Accept("owner", "to"):
		to := p.roleRef()
		s.Owner = &to
	case p.Peek().IsOneOf("add", "drop", "alter", "rename", "set"):
		panic(p.refuse("this action of ALTER TYPE"))
	default:
		panic(p.Unexpected())
	}
	return s
}

// addValue reads what follows ADD VALUE.
func (p tableParser) addValue() *AddValue {
	a := &AddValue{IfNotExists: p.Accept("if", "not", "exists"), Label: *p.text()}
	switch {
	case p.Accept("before"):
		a.Before = p.text()
	case p.Accept("after"):
		a.After = p.text()
	}
	return a
}

// text reads a string.
func (p tableParser) text() *string {
	t := p.Peek()
	if t.Kind != dialect.String {
		panic(p.Unexpected())
	}
	p.Next()
	return &t.Text
}
