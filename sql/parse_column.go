package sql

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// tableElements reads the columns and constraints of a table.
func (p tableParser) tableElements(d *definition) error {
	if err := p.Expect("("); err != nil {
		return err
	}
	if p.Accept(")") {
		return nil
	}
	for {
		if err := p.tableElement(d); err != nil {
			return err
		}
		if !p.Accept(",") {
			return p.Expect(")")
		}
	}
}

func (p tableParser) tableElement(d *definition) error {
	var name Ident
	if p.Accept("constraint") {
		var err error
		if name, err = p.ident(); err != nil {
			return err
		}
		if !p.Peek().IsOneOf("primary", "unique", "check", "foreign", "exclude") {
			return p.Unexpected()
		}
	}
	switch next := p.Peek(); {
	case next.IsOneOf("primary", "unique"):
		return p.tableKey(d, name)
	case next.Is("check"):
		return p.refuse("a CHECK constraint")
	case next.Is("foreign"):
		return p.refuse("a FOREIGN KEY constraint")
	case next.Is("exclude") && !p.PeekAt(1).IsName():
		return p.refuse("an EXCLUDE constraint")
	case next.Is("like"):
		return p.refuse("LIKE in CREATE TABLE")
	}
	return p.column(d)
}

// tableKey reads PRIMARY KEY (…) or UNIQUE (…).
func (p tableParser) tableKey(d *definition, name Ident) error {
	t := p.Peek()
	if err := p.keyWords(); err != nil {
		return err
	}
	columns, err := p.Idents()
	if err != nil {
		return err
	}
	if err := p.refuseClause("with", "(", "WITH in a constraint"); err != nil {
		return err
	}
	return d.add(t, name, idents(columns))
}

// keyWords takes PRIMARY KEY or UNIQUE.
func (p tableParser) keyWords() error {
	if p.Next().Is("primary") {
		return p.Expect("key")
	}
	if p.NextIs("nulls") {
		return p.refuse("NULLS in UNIQUE")
	}
	return nil
}

// column reads name type constraints.
func (p tableParser) column(d *definition) error {
	name, err := p.ident()
	if err != nil {
		return err
	}
	col := ColumnDef{Name: name}
	typ, err := p.TypeName()
	if err != nil {
		return err
	}
	col.Type = typeName(typ)
	for {
		more, err := p.columnConstraint(d, &col)
		if err != nil {
			return err
		}
		if !more {
			d.table.Columns = append(d.table.Columns, col)
			return nil
		}
	}
}

// columnConstraint reads one constraint; false when there is none.
func (p tableParser) columnConstraint(d *definition, col *ColumnDef) (bool, error) {
	var name Ident
	if p.Accept("constraint") {
		var err error
		if name, err = p.ident(); err != nil {
			return false, err
		}
		if p.Peek().IsOneOf(",", ")") {
			return false, p.Unexpected()
		}
	}
	switch next := p.Peek(); {
	case p.Accept("not"):
		if p.NextIs("deferrable") {
			return false, p.refuse("DEFERRABLE")
		}
		col.NotNull = true
		return true, p.Expect("null")
	case p.Accept("null"):
	case next.IsOneOf("primary", "unique"):
		if err := p.keyWords(); err != nil {
			return false, err
		}
		return true, d.add(next, name, []Ident{col.Name})
	case p.Accept("default"):
		var err error
		if col.Default != nil {
			return false, sqlstate.ErrorAt(next.Pos, sqlstate.Syntax,
				"multiple default values specified for column \"%s\" of table \"%s\"", col.Name.Name, d.tableName())
		}
		col.Default, err = p.defaultExpr(true)
		return true, err
	case next.Is("check"):
		return false, p.refuse("a CHECK constraint")
	case next.Is("references"):
		return false, p.refuse("a REFERENCES constraint")
	case p.Accept("generated"):
		if col.Identity != nil {
			return false, sqlstate.ErrorAt(next.Pos, sqlstate.Syntax,
				"multiple identity specifications for column \"%s\" of table \"%s\"", col.Name.Name, d.tableName())
		}
		var err error
		if col.Identity, err = p.identity(); err == nil {
			col.Identity.Pos = Pos(next.Pos)
		}
		return true, err
	case next.Is("collate"):
		return false, p.refuse("COLLATE of a column")
	case next.IsOneOf("storage", "compression"):
		return false, p.refuse(next.Text + " of a column")
	default:
		return false, nil
	}
	return true, nil
}

// defaultExpr reads the expression behind DEFAULT, a restricted one where
// constraints may follow.
func (p tableParser) defaultExpr(restricted bool) (*DefaultExpr, error) {
	start := p.Peek().Pos
	s, err := p.selectPart(p.Expr(restricted))
	if err != nil {
		return nil, err
	}
	text := p.Text(start, p.LastEnd())
	if !restricted && !isRestricted(text) {
		text = "(" + text + ")" // CREATE TABLE reads it too
	}
	return &DefaultExpr{Expr: s.Items[0].Expr, Text: text}, nil
}

// isRestricted reports whether a text is an expression behind which constraints may
// follow.
func isRestricted(text string) bool {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return false
	}
	_, err = cursor.Expr(true)
	return err == nil && cursor.Peek().Kind == dialect.End
}

// definition is a table whose keys are not resolved yet, since they may stand
// before their columns.
type definition struct{ table *CreateTable }

// check checks that the keys are of columns of the table.
func (d *definition) check() error {
	for n, key := range d.table.Keys() {
		for i, id := range key.Columns {
			if slices.ContainsFunc(key.Columns[:i], func(other Ident) bool { return other.Name == id.Name }) {
				kind := "unique"
				if d.table.Primary != nil && n == 0 {
					kind = "primary key"
				}
				return sqlstate.ErrorAt(int(key.Pos), sqlstate.DuplicateColumn, "column %q appears twice in %s constraint", id.Name, kind)
			}
			if d.column(id) == nil {
				return sqlstate.ErrorAt(int(key.Pos), sqlstate.UndefinedColumn,
					"column %q named in key does not exist", id.Name)
			}
		}
	}
	return nil
}

// column finds a column by its name; nil for none.
func (d *definition) column(id Ident) *ColumnDef {
	columns := d.table.Columns
	i := slices.IndexFunc(columns, func(c ColumnDef) bool { return c.Name.Name == id.Name })
	if i < 0 {
		return nil
	}
	return &columns[i]
}

// tableName is the table's name as messages give it.
func (d *definition) tableName() string { return d.table.Name[len(d.table.Name)-1].Name }

// add notes a key, of which a table has one primary at most.
func (d *definition) add(t dialect.Token, name Ident, columns []Ident) error {
	key := UniqueKey{Name: name, Columns: columns, Pos: Pos(t.Pos)}
	if !t.Is("primary") {
		d.table.Unique = append(d.table.Unique, key)
		return nil
	}
	if d.table.Primary != nil {
		return sqlstate.ErrorAt(t.Pos, sqlstate.InvalidTable,
			"multiple primary keys for table %q are not allowed", d.tableName())
	}
	d.table.Primary = &key
	return nil
}
