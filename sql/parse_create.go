package sql

import (
	"slices"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// creation is what CREATE says before the object.
type creation struct {
	pos       Pos
	orReplace bool
	temporary bool
}

// create reads CREATE [OR REPLACE] [TEMPORARY] TABLE or VIEW. CREATE OR
// REPLACE TABLE is ours.
func (p *parser) create() (Statement, error) {
	c := creation{pos: Pos(p.Next().Pos)}
	if c.orReplace = p.Accept("or"); c.orReplace {
		if err := p.Expect("replace"); err != nil {
			return nil, err
		}
	}
	local := p.acceptAny("local", "global")
	c.temporary = p.acceptAny("temporary", "temp")
	if local && !c.temporary {
		return nil, p.Unexpected()
	}
	unlogged := !c.temporary && p.Accept("unlogged")
	switch {
	case p.Accept("table"):
		return p.createTable(c)
	case unlogged:
		return nil, p.Unexpected()
	case p.Accept("view"):
		return p.createView(c)
	case p.NextIs("recursive", "view"):
		return nil, p.refuse("CREATE RECURSIVE VIEW")
	}
	if !c.orReplace && !c.temporary {
		if kind, ok := p.acceptRole(); ok {
			return p.createRole(c.pos, kind)
		}
	}
	return nil, p.refuseObject("CREATE")
}

// createTable reads a table's definition, or the query that gives it.
func (p *parser) createTable(c creation) (Statement, error) {
	ifNotExists := p.Accept("if", "not")
	if ifNotExists {
		if err := p.Expect("exists"); err != nil {
			return nil, err
		}
	}
	name, err := p.tableName()
	if err != nil {
		return nil, err
	}
	as := &CreateTableAs{Name: name, IfNotExists: ifNotExists, OrReplace: c.orReplace,
		Temporary: c.temporary, Pos: c.pos}
	names := p.NextIs("(") && p.PeekAt(1).IsName() && p.PeekAt(2).IsOneOf(",", ")")
	if names {
		if as.Columns, err = p.columnList(); err != nil {
			return nil, err
		}
	}
	if p.NextIs("on", "commit") && (names || !p.NextIs("(")) {
		if as.OnCommit, err = p.onCommit(); err != nil {
			return nil, err
		}
		if !p.NextIs("as") {
			return nil, p.Unexpected()
		}
	}
	if p.Accept("as") {
		return p.createTableAs(as)
	}
	switch {
	case p.NextIs("of"):
		return nil, p.refuse("CREATE TABLE OF")
	case names || !p.NextIs("("):
		return nil, p.refuseOptions()
	}
	t := &CreateTable{Name: name, IfNotExists: ifNotExists, OrReplace: c.orReplace,
		Temporary: c.temporary, Pos: c.pos}
	d := &definition{table: t}
	if err := p.tableElements(d); err != nil {
		return nil, err
	}
	if err := d.check(); err != nil {
		return nil, err
	}
	return t, p.tableOptions(t)
}

// refuseOptions is the error for what stands between the name and AS.
func (p *parser) refuseOptions() error {
	for _, o := range [][2]string{{"with", "("}, {"without", "oids"}, {"partition", "of"}} {
		if err := p.refuseClause(o[0], o[1], "an option of CREATE TABLE AS"); err != nil {
			return err
		}
	}
	return p.Unexpected()
}

// refuseClause refuses a clause that begins with two words, if it stands here.
func (p *parser) refuseClause(word, next, what string) error {
	t := p.Peek()
	if !p.Accept(word) {
		return nil
	}
	if !p.NextIs(next) {
		return p.Unexpected()
	}
	return dialect.Unsupported(t, what+" is")
}

func (p *parser) createTableAs(s *CreateTableAs) (Statement, error) {
	var err error
	if p.NextIs("execute") {
		s.Execute, err = p.execute()
	} else {
		s.Query, err = p.query()
	}
	if err != nil {
		return nil, err
	}
	if !p.Accept("with") {
		return s, nil
	}
	s.NoData = p.Accept("no")
	return s, p.Expect("data")
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

// tableElements reads the columns and constraints of a table.
func (p *parser) tableElements(d *definition) error {
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

func (p *parser) tableElement(d *definition) error {
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
func (p *parser) tableKey(d *definition, name Ident) error {
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
func (p *parser) keyWords() error {
	if p.Next().Is("primary") {
		return p.Expect("key")
	}
	if p.NextIs("nulls") {
		return p.refuse("NULLS in UNIQUE")
	}
	return nil
}

// column reads name type constraints.
func (p *parser) column(d *definition) error {
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
func (p *parser) columnConstraint(d *definition, col *ColumnDef) (bool, error) {
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
	case next.Is("generated"):
		return false, p.refuse("a GENERATED column")
	case next.Is("collate"):
		return false, p.refuse("COLLATE of a column")
	case next.IsOneOf("storage", "compression"):
		return false, p.refuse(next.Text + " of a column")
	default:
		return false, nil
	}
	return true, nil
}

// tableOptions reads what stands behind the columns.
func (p *parser) tableOptions(t *CreateTable) error {
	switch {
	case p.NextIs("inherits"):
		return p.refuse("INHERITS")
	case p.NextIs("partition", "by"):
		return p.refuse("PARTITION BY in CREATE TABLE")
	}
	if p.Accept("with") {
		var err error
		if t.Options, err = p.options(tableStyle); err != nil {
			return err
		}
	}
	if p.NextIs("on", "commit") {
		var err error
		if t.OnCommit, err = p.onCommit(); err != nil {
			return err
		}
	}
	switch {
	case p.NextIs("tablespace"):
		return p.refuse("TABLESPACE")
	case p.NextIs("using"):
		return p.refuse("USING in CREATE TABLE")
	}
	return nil
}

// onCommit reads ON COMMIT and what is to happen then.
func (p *parser) onCommit() (string, error) {
	if err := p.Expect("on", "commit"); err != nil {
		return "", err
	}
	switch {
	case p.Accept("drop"):
		return "drop", nil
	case p.Accept("delete"):
		return "delete rows", p.Expect("rows")
	}
	return "", p.Expect("preserve", "rows")
}

// createView reads a view; its text is kept.
func (p *parser) createView(c creation) (Statement, error) {
	s := &CreateView{OrReplace: c.orReplace, Temporary: c.temporary, Pos: c.pos}
	var err error
	if s.Name, err = p.tableName(); err != nil {
		return nil, err
	}
	if s.Columns, err = p.columnList(); err != nil {
		return nil, err
	}
	if p.NextIs("with") {
		return nil, p.refuse("options of a view")
	}
	if err := p.Expect("as"); err != nil {
		return nil, err
	}
	start := p.Peek().Pos
	if s.Query, err = p.query(); err != nil {
		return nil, err
	}
	s.Text = p.Text(start, p.LastEnd())
	if p.NextIs("with") {
		return nil, p.refuse("CHECK OPTION of a view")
	}
	return s, nil
}
