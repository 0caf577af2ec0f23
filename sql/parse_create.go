package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// creation is what CREATE says before the object.
type creation struct {
	pos       Pos
	orReplace bool
	temporary bool
}

// create reads CREATE [OR REPLACE] [TEMPORARY] TABLE, VIEW, FUNCTION or HIERARCHY. CREATE OR
// REPLACE TABLE is ours.
func (p tableParser) create() Statement {
	c := creation{pos: Pos(p.Next().Pos)}
	if c.orReplace = p.Accept("or"); c.orReplace {
		p.Expect("replace")
	}
	local := p.acceptAny("local", "global")
	c.temporary = p.acceptAny("temporary", "temp")
	if local && !c.temporary {
		panic(p.Unexpected())
	}
	unlogged := !c.temporary && p.Accept("unlogged")
	switch {
	case p.Accept("table"):
		return p.createTable(c)
	case unlogged:
		panic(p.Unexpected())
	case p.Accept("view"):
		return p.createView(c)
	case c.orReplace && p.NextIs("hierarchy"):
		panic(p.refuse("CREATE OR REPLACE HIERARCHY"))
	case p.Accept("hierarchy"):
		return p.createHierarchy(c.pos, c.temporary)
	case p.Accept("recursive", "view"):
		return p.createRecursiveView(c)
	case !c.temporary && p.Accept("function"):
		return p.createFunction(c.pos, c.orReplace)
	case !c.orReplace && !c.temporary && p.Accept("materialized", "view"):
		return p.createMaterializedView(c.pos)
	}
	if !c.orReplace && p.Accept("sequence") {
		return p.createSequence(c.pos, c.temporary)
	}
	if !c.orReplace && !c.temporary {
		if unique := p.Accept("unique", "index"); unique || p.Accept("index") {
			return p.createIndex(c.pos, unique)
		}
		if p.Accept("schema") {
			return p.createSchema(c.pos)
		}
		if p.Accept("type") {
			return p.createType(c.pos)
		}
		if p.Accept("domain") {
			return p.createDomain(c.pos)
		}
		if p.Accept("extension") {
			return p.createExtension(c.pos)
		}
		if kind, ok := p.acceptRole(); ok {
			return roleParser(p).createRole(c.pos, kind)
		}
	}
	panic(p.refuseObject("CREATE"))
}

// createTable reads a table's definition, or the query that makes it.
func (p tableParser) createTable(c creation) Statement {
	ifNotExists := p.Accept("if", "not")
	if ifNotExists {
		p.Expect("exists")
	}
	name := p.tableName()
	as := &CreateTableAs{Name: name, IfNotExists: ifNotExists, OrReplace: c.orReplace,
		Temporary: c.temporary, Pos: c.pos}
	names := p.NextIs("(") && p.PeekAt(1).IsName() && p.PeekAt(2).IsOneOf(",", ")")
	if names {
		as.Columns = p.columnList()
	}
	t := &CreateTable{Name: name, IfNotExists: ifNotExists, OrReplace: c.orReplace,
		Temporary: c.temporary, Pos: c.pos}
	switch {
	case !names && p.Accept("partition"):
		p.partitionOf(t)
	case !names && p.NextIs("("):
		p.tableDefinition(t)
	case p.NextIs("of"):
		panic(p.refuse("CREATE TABLE OF"))
	default:
		as.Storage, as.OnCommit = p.tableOptions()
		p.Expect("as")
		return p.createTableAs(as)
	}
	t.By = p.partitionBy()
	t.Storage, t.OnCommit = p.tableOptions()
	return t
}

// tableDefinition reads the columns and constraints of a table that is no partition.
func (p tableParser) tableDefinition(t *CreateTable) {
	d := &definition{table: t}
	p.Expect("(")
	if !p.Accept(")") {
		p.elements(d, p.columnOrLike)
	}
	if t.Likes == nil { // otherwise when the columns are known
		d.check()
	}
	if p.NextIs("inherits") {
		panic(p.refuse("INHERITS"))
	}
}

func (p tableParser) createTableAs(s *CreateTableAs) Statement {
	if p.NextIs("execute") {
		s.Execute = sessionParser(p).execute()
	} else {
		s.Query = p.query()
	}
	s.NoData = p.withNoData()
	return s
}

// withNoData reads [WITH [NO] DATA].
func (p tableParser) withNoData() (no bool) {
	if p.Accept("with") {
		no = p.Accept("no")
		p.Expect("data")
	}
	return no
}

// tableOptions reads what is said of storage, and returns what is to happen at the end of the transaction.
func (p tableParser) tableOptions() (s Storage, onCommit string) {
	p.accessMethod(&s)
	p.storageOptions(&s)
	if p.NextIs("on") {
		onCommit = p.onCommit()
	}
	p.tablespace(&s)
	return s, onCommit
}

// onCommit reads ON COMMIT and what is to happen then.
func (p tableParser) onCommit() string {
	p.Expect("on", "commit")
	switch {
	case p.Accept("drop"):
		return "drop"
	case p.Accept("delete"):
		p.Expect("rows")
		return "delete rows"
	}
	p.Expect("preserve", "rows")
	return ""
}

// createView reads a view; its text is kept.
func (p tableParser) createView(c creation) Statement {
	s := &CreateView{OrReplace: c.orReplace, Temporary: c.temporary, Pos: c.pos}
	s.Name = p.tableName()
	s.Columns = p.columnList()
	if p.NextIs("with") {
		panic(p.refuse("options of a view"))
	}
	p.viewQuery(s)
	p.refuseCheckOption()
	return s
}

// viewQuery reads AS query.
func (p tableParser) viewQuery(s *CreateView) {
	p.Expect("as")
	start := p.Peek().Pos
	s.Query = p.query()
	s.Text = p.Text(start, p.LastEnd())
}

// createMaterializedView reads what follows CREATE MATERIALIZED VIEW.
func (p tableParser) createMaterializedView(pos Pos) Statement {
	s := &CreateView{Materialized: true, IfNotExists: p.Accept("if", "not", "exists"), Pos: pos}
	s.Name = p.tableName()
	s.Columns = p.columnList()
	p.accessMethod(&s.Storage)
	p.storageOptions(&s.Storage)
	p.tablespace(&s.Storage)
	p.viewQuery(s)
	s.NoData = p.withNoData()
	return s
}

// refresh reads REFRESH MATERIALIZED VIEW.
func (p tableParser) refresh() Statement {
	s := &RefreshView{Pos: Pos(p.Next().Pos)}
	p.Expect("materialized", "view")
	s.Concurrently = p.Accept("concurrently")
	s.Name = p.tableName()
	s.NoData = p.withNoData()
	return s
}

func (p tableParser) refuseCheckOption() {
	if p.NextIs("with") {
		panic(p.refuse("CHECK OPTION of a view"))
	}
}

// createRecursiveView reads CREATE RECURSIVE VIEW, which is one of a common table expression of its
// name.
func (p tableParser) createRecursiveView(c creation) Statement {
	s := &CreateView{OrReplace: c.orReplace, Temporary: c.temporary, Pos: c.pos}
	s.Name = p.tableName()
	s.Columns = idents(p.Idents())
	p.Expect("as")
	start := p.Peek().Pos
	inner := p.query()
	name := s.Name[len(s.Name)-1]
	body := &Select{From: []TableExpr{&TableName{Name: Name{name}}}, Pos: inner.Pos}
	quoted := make([]string, len(s.Columns))
	for i, column := range s.Columns {
		quoted[i] = dialect.QuoteName(column.Name)
		body.Items = append(body.Items, SelectItem{Expr: &ColumnRef{Name: Name{column}}})
	}
	s.Query = &Query{With: &With{Recursive: true, CTEs: []CTE{{Name: name, Columns: s.Columns, Query: inner}}}, Body: body, Pos: inner.Pos}
	columns, called := strings.Join(quoted, ", "), dialect.QuoteName(name.Name)
	s.Text = "WITH RECURSIVE " + called + " (" + columns + ") AS (" + p.Text(start, p.LastEnd()) + "\n) SELECT " + columns + " FROM " + called
	p.refuseCheckOption()
	return s
}
