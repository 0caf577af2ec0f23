package sql

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// elements reads columns and constraints up to the closing parenthesis: what is no constraint, column reads.
func (p tableParser) elements(d *definition, column func(*definition)) {
	for {
		if !p.tableConstraint(d) {
			column(d)
		}
		if !p.Accept(",") {
			p.Expect(")")
			return
		}
	}
}

// columnOrLike reads a column, or a LIKE clause.
func (p tableParser) columnOrLike(d *definition) {
	if p.Accept("like") {
		d.table.Likes = append(d.table.Likes, p.likeTable(len(d.table.Columns)))
		return
	}
	p.column(d)
}

// tableConstraint reads a constraint of a table; false when there is none.
func (p tableParser) tableConstraint(d *definition) bool {
	var name Ident
	if p.Accept("constraint") {
		name = p.ident()
		if !p.Peek().IsOneOf("primary", "unique", "check", "foreign", "exclude") {
			panic(p.Unexpected())
		}
	}
	switch next := p.Peek(); {
	case next.IsOneOf("primary", "unique"):
		p.tableKey(d, name)
	case next.Is("check"):
		d.table.Checks = append(d.table.Checks, p.tableCheck(name))
	case next.Is("foreign"):
		d.table.ForeignKeys = append(d.table.ForeignKeys, p.tableForeignKey(name))
	case next.Is("exclude") && (name.Name != "" || p.PeekAt(1).IsOneOf("using", "(")):
		panic(p.refuse("an EXCLUDE constraint"))
	default:
		return false
	}
	return true
}

// likeOptions are what LIKE can copy beside columns.
var likeOptions = []string{"comments", "compression", "constraints", "defaults", "generated", "identity", "indexes", "statistics", "storage"}

// likeTable reads the table of a LIKE clause, and what it is to include.
func (p tableParser) likeTable(at int) LikeTable {
	l := LikeTable{Name: p.tableName(), At: at}
	for {
		including := p.Accept("including")
		if !including && !p.Accept("excluding") {
			return l
		}
		named := likeOptions
		if t := p.Peek(); !p.Accept("all") {
			if !t.IsOneOf(likeOptions...) {
				panic(p.Unexpected())
			}
			named = []string{p.Next().Text}
		}
		l.Including = slices.DeleteFunc(l.Including, func(o string) bool { return slices.Contains(named, o) })
		if including {
			l.Including = append(l.Including, named...)
		}
	}
}

// tableKey reads PRIMARY KEY (…) or UNIQUE (…).
func (p tableParser) tableKey(d *definition, name Ident) {
	t := p.Peek()
	key := UniqueKey{Name: name, Pos: Pos(t.Pos)}
	p.key(&key)
	d.add(t, key)
}

// key reads PRIMARY KEY or UNIQUE of a table with its columns.
func (p tableParser) key(key *UniqueKey) {
	kind := p.keyWords()
	key.Columns = idents(p.Idents())
	key.Storage = p.keyStorage()
	p.attributes(kind, false, "DEFERRABLE", "NOT VALID")
}

// keyWords takes PRIMARY KEY or UNIQUE.
func (p tableParser) keyWords() string {
	if p.Next().Is("primary") {
		p.Expect("key")
		return "PRIMARY KEY"
	}
	if p.NextIs("nulls") {
		panic(p.refuse("NULLS in UNIQUE"))
	}
	return "UNIQUE"
}

// column reads name type constraints.
func (p tableParser) column(d *definition) {
	name := p.ident()
	p.columnConstraints(d, ColumnDef{Name: name, Type: typeName(p.TypeName())})
}

// columnConstraints reads the constraints of a column, and adds it to the table.
func (p tableParser) columnConstraints(d *definition, col ColumnDef) {
	for {
		at := p.Peek()
		if !p.columnConstraint(d, &col) {
			d.table.Columns = append(d.table.Columns, col)
			return
		}
		d.checkGenerated(&col, at)
	}
}

// collation reads the name behind COLLATE.
func (p tableParser) collation(typ *TypeName, collate dialect.Token) {
	if typ.Collation != nil {
		panic(sqlstate.ErrorAt(collate.Pos, sqlstate.Syntax, "multiple COLLATE clauses not allowed"))
	}
	typ.Collation = &Collate{Name: p.tableName(), Pos: Pos(collate.Pos)}
}

// columnConstraint reads one constraint; false when there is none.
func (p tableParser) columnConstraint(d *definition, col *ColumnDef) bool {
	var name Ident
	if p.Accept("constraint") {
		name = p.ident()
		if p.Peek().IsOneOf(",", ")") {
			panic(p.Unexpected())
		}
	}
	next := p.Peek()
	if word := p.attribute(true); word != "" {
		panic(sqlstate.ErrorAt(next.Pos, sqlstate.Syntax, "misplaced %s clause", word))
	}
	switch {
	case p.Accept("not"):
		col.NotNull = true
		p.Expect("null")
		return true
	case p.Accept("null"):
	case next.IsOneOf("primary", "unique"):
		kind := p.keyWords()
		d.add(next, UniqueKey{Name: name, Columns: []Ident{col.Name}, Storage: p.keyStorage(), Pos: Pos(next.Pos)})
		p.attributes(kind, true, "DEFERRABLE")
		return true
	case p.Accept("default"):
		if col.Default != nil {
			panic(sqlstate.ErrorAt(next.Pos, sqlstate.Syntax,
				"multiple default values specified for column \"%s\" of table \"%s\"", col.Name.Name, d.tableName()))
		}
		col.Default = p.defaultExpr(true)
		return true
	case next.Is("check"):
		d.table.Checks = append(d.table.Checks, p.checkConstraint(name))
	case next.Is("references"):
		d.table.ForeignKeys = append(d.table.ForeignKeys, p.columnForeignKey(name, col.Name))
	case p.Accept("generated"):
		p.generated(d, col, next)
	case p.Accept("collate"):
		p.collation(&col.Type, next)
	case next.IsOneOf("storage", "compression"):
		panic(p.refuse(next.Text + " of a column"))
	default:
		return false
	}
	return true
}

// generated reads what follows GENERATED: an identity, or the expression of a generated column.
func (p tableParser) generated(d *definition, col *ColumnDef, at dialect.Token) {
	twice := func(what string) error {
		return sqlstate.ErrorAt(at.Pos, sqlstate.Syntax, "multiple %s for column \"%s\" of table \"%s\"", what, col.Name.Name, d.tableName())
	}
	when := p.Peek()
	always := p.generatedWhen()
	if !p.NextIs("(") {
		if col.Identity != nil {
			panic(twice("identity specifications"))
		}
		col.Identity = p.identity(always)
		col.Identity.Pos = Pos(at.Pos)
		return
	}
	switch {
	case !always:
		panic(sqlstate.ErrorAt(when.Pos, sqlstate.Syntax, "for a generated column, GENERATED ALWAYS must be specified"))
	case col.Generated != nil:
		panic(twice("generation clauses specified"))
	}
	col.Generated = &DefaultExpr{}
	col.Generated.Expr, col.Generated.Text = p.inParens()
	p.Expect("stored")
}

// checkGenerated fails where a generated column has a default or an identity, too.
func (d *definition) checkGenerated(col *ColumnDef, at dialect.Token) {
	what := "identity"
	switch {
	case col.Generated == nil || col.Default == nil && col.Identity == nil:
		return
	case col.Default != nil:
		what = "default"
	}
	panic(sqlstate.ErrorAt(at.Pos, sqlstate.Syntax,
		"both %s and generation expression specified for column \"%s\" of table \"%s\"", what, col.Name.Name, d.tableName()))
}

// inParens reads an expression in parentheses, and its text.
func (p tableParser) inParens() (Expr, string) {
	p.Expect("(")
	start := p.Peek().Pos
	e := p.expr()
	text := p.Text(start, p.LastEnd())
	p.Expect(")")
	return e, text
}

// tableCheck reads CHECK (expression) [NOT VALID].
func (p tableParser) tableCheck(name Ident) CheckDef {
	c := p.checkConstraint(name)
	c.NotValid = p.attributes("CHECK", false, "DEFERRABLE")["NOT VALID"]
	return c
}

// checkConstraint reads CHECK (expression).
func (p tableParser) checkConstraint(name Ident) CheckDef {
	c := CheckDef{Name: name, Pos: Pos(p.Next().Pos)}
	c.Expr, c.Text = p.inParens()
	if c.NoInherit = p.Accept("no"); c.NoInherit {
		p.Expect("inherit")
	}
	return c
}

// defaultExpr reads the expression behind DEFAULT, a restricted one where
// constraints may follow.
func (p tableParser) defaultExpr(restricted bool) *DefaultExpr {
	start := p.Peek().Pos
	s := selectPart(p.Expr(restricted))
	text := p.Text(start, p.LastEnd())
	if !restricted && !isRestricted(text) {
		text = "(" + text + ")" // CREATE TABLE reads it too
	}
	return &DefaultExpr{Expr: s.Items[0].Expr, Text: text}
}

// isRestricted reports whether a text is an expression behind which constraints may
// follow.
func isRestricted(text string) bool {
	_, err := parseAlone(text, func(p parts) dialect.Intermediate { return p.Expr(true) })
	return err == nil
}

// definition is a table whose keys are not resolved yet, since they may stand
// before their columns.
type definition struct{ table *CreateTable }

// CheckKeys fails where a key is not of columns of the table.
func (t *CreateTable) CheckKeys() error {
	d := &definition{table: t}
	_, err := sqlstate.Try(func() *definition {
		d.check()
		return d
	})
	return err
}

// check checks that the keys are of columns of the table.
func (d *definition) check() {
	for n, key := range d.table.Keys() {
		for i, id := range key.Columns {
			if slices.ContainsFunc(key.Columns[:i], func(other Ident) bool { return other.Name == id.Name }) {
				kind := "unique"
				if d.table.Primary != nil && n == 0 {
					kind = "primary key"
				}
				panic(sqlstate.ErrorAt(int(key.Pos), sqlstate.DuplicateColumn, "column %q appears twice in %s constraint", id.Name, kind))
			}
			if d.column(id) == nil {
				panic(sqlstate.ErrorAt(int(key.Pos), sqlstate.UndefinedColumn,
					"column %q named in key does not exist", id.Name))
			}
		}
	}
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
func (d *definition) add(t dialect.Token, key UniqueKey) {
	if !t.Is("primary") {
		d.table.Unique = append(d.table.Unique, key)
		return
	}
	if d.table.Primary != nil {
		panic(sqlstate.ErrorAt(t.Pos, sqlstate.InvalidTable,
			"multiple primary keys for table %q are not allowed", d.tableName()))
	}
	d.table.Primary = &key
}
