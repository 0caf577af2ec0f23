package define

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// operatorClasses are those that an index may name, with what they are of.
var operatorClasses = map[string]string{
	"varchar_pattern_ops": "btree", "text_pattern_ops": "btree", "bpchar_pattern_ops": "btree", "jsonb_ops": "gin", "jsonb_path_ops": "gin", "array_ops": "gin",
}

// defaultClasses are those of them that need not be named.
var defaultClasses = map[string]bool{"jsonb_ops": true, "array_ops": true}

// indexParts are the columns and expressions of an index that is made.
type indexParts struct {
	*alteration
	table    *store.Table
	index    *algebra.Index
	columns  []int    // of the parts that are columns
	computed bool     // some part is an expression
	reads    []int    // columns that expressions read
	texts    []string // of all parts
}

// indexOf is an index as a statement says it, without its name.
func (a *alteration) indexOf(table *store.Table, stmt *sql.CreateIndex) store.Key {
	index := &algebra.Index{Unique: stmt.Unique, Method: stmt.Method.Name}
	switch method := index.Method; {
	case method == "":
		index.Method = "btree"
	case method == "gist" || method == "spgist":
		panic(value.Errorf(value.CodeFeatureNotSupported, "the access method %s is not supported", method))
	case !slices.Contains([]string{"btree", "hash", "brin", "gin"}, method):
		panic(value.Errorf(value.CodeUndefinedObject, "access method %q does not exist", method))
	case method != "btree" && stmt.Unique:
		panic(value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support unique indexes", method))
	case method != "btree" && stmt.Include != nil:
		panic(value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support included columns", method))
	case method == "hash" && len(stmt.Columns) > 1:
		panic(value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support multicolumn indexes", method))
	}
	parts := &indexParts{alteration: a, table: table, index: index}
	for _, c := range stmt.Columns {
		parts.add(&c)
	}
	return parts.key(stmt)
}

// add adds a column or an expression.
func (p *indexParts) add(c *sql.IndexColumn) {
	expr := c.Expr
	if expr != nil {
		text := withoutParens(expr.Text)
		expr = &sql.DefaultExpr{Expr: sqlstate.Must(sql.ParseExpr(text)), Text: stored(p.Session, text)}
		if ref, ok := expr.Expr.(*sql.ColumnRef); ok {
			c.Name, expr = ref.Name[len(ref.Name)-1], nil
			p.ordinal(c.Name, int(c.Expr.Expr.Position()))
		}
	}
	if expr == nil {
		i := p.ordinal(c.Name, value.NoPos)
		p.index.Terms = append(p.index.Terms, indexTerm(p.index.Method, p.table.Columns()[i].Type, c))
		p.columns, p.texts = append(p.columns, i), append(p.texts, pgcatalog.QuoteName(c.Name.Name))
		return
	}
	p.index.Terms = append(p.index.Terms, indexTerm(p.index.Method, p.read(c.Expr.Expr, false), c))
	p.computed = true
	if _, call := expr.Expr.(*sql.FuncCall); !call {
		expr.Text = "(" + expr.Text + ")"
	}
	p.texts = append(p.texts, expr.Text)
}

// ordinal is the position of a column.
func (p *indexParts) ordinal(name sql.Ident, pos int) int {
	i := p.table.Ordinal(name.Name)
	if i < 0 {
		panic(value.ErrorAt(pos, value.CodeUndefinedColumn, "column %q does not exist", name.Name))
	}
	return i
}

// read notes the columns that an expression or a condition reads, and returns its type.
func (p *indexParts) read(e sql.Expr, isCondition bool) algebra.Type {
	rel := catalog.DescribeSource(p.table.Name(), p.table)
	rel.Schema = p.table.Schema()
	columns, typ, err := planner.IndexedColumns(rel, e, isCondition, catalog.Of(p.Session), query.Options(p.Session))
	sqlstate.Check(err)
	checkPseudo("row", typ)
	p.reads = append(p.reads, columns...)
	return typ
}

// key is the index of the parts with what a statement has behind them.
func (p *indexParts) key(stmt *sql.CreateIndex) store.Key {
	for _, name := range stmt.Include {
		p.reads = append(p.reads, p.ordinal(name, value.NoPos))
		p.index.Include = append(p.index.Include, pgcatalog.QuoteName(name.Name))
	}
	if stmt.Where != nil {
		p.read(stmt.Where.Expr, true)
		p.index.Where = stored(p.Session, withoutParens(stmt.Where.Text))
	}
	if !p.computed && stmt.Where == nil && stmt.Include == nil {
		return store.Key{Columns: p.columns, Index: p.index}
	}
	p.index.Exprs = p.texts
	columns := append(p.columns, p.reads...)
	slices.Sort(columns)
	return store.Key{Columns: slices.Compact(columns), Index: p.index}
}

// indexTerm is what the definition of an index has behind a column's name.
func indexTerm(method string, typ algebra.Type, c *sql.IndexColumn) string {
	class := c.Class.Name
	sorted, composed := typ.Kind != algebra.JSONText && typ.Kind != algebra.JSONPath && (method == "btree" || typ.Kind != algebra.JSONBinary || method == "hash"), typ.Kind == algebra.JSONBinary || typ.Kind == algebra.Array
	switch {
	case class != "" && operatorClasses[class] != method:
		panic(value.Errorf(value.CodeUndefinedObject, "operator class %q does not exist for access method %q", class, method))
	case method == "gin" && !composed || method != "gin" && !sorted:
		e := value.Errorf(value.CodeUndefinedObject, "data type %s has no default operator class for access method %q", typ.Plain(), method)
		e.Hint = "You must specify an operator class for the index or define a default operator class for the data type."
		panic(e)
	case method != "btree" && c.Order != "":
		option := "ASC/DESC"
		if !strings.HasPrefix(c.Order, "DESC") {
			option = "NULLS FIRST/LAST"
		}
		panic(value.Errorf(value.CodeFeatureNotSupported, "access method %q does not support %s options", method, option))
	case defaultClasses[class]:
		class = ""
	}
	return strings.TrimSpace(class + " " + c.Order)
}

// reindex binds the expressions of indexes of a table that read a column once more, of which the type
// has changed.
func (a *alteration) reindex(table *store.Table, column int) {
	for _, key := range table.Keys() {
		if !key.Index.Computed() || !slices.Contains(key.Columns, column) {
			continue
		}
		parts := &indexParts{alteration: a, table: table}
		for _, text := range key.Index.Exprs {
			parts.readText(text, false)
		}
		if key.Index.Where != "" {
			parts.readText(key.Index.Where, true)
		}
	}
}

// readText reads an expression that was stored, which has no place in the statement.
func (p *indexParts) readText(text string, isCondition bool) {
	_, err := sqlstate.Try(func() algebra.Type { return p.read(sqlstate.Must(sql.ParseExpr(text)), isCondition) })
	sqlstate.Check(value.WithoutPos(err))
}

// renameInIndexes are the keys of a table with another name for column i.
func renameInIndexes(table *store.Table, i int, to string) []store.Key {
	keys := slices.Clone(table.Keys())
	for n, key := range keys {
		if !key.Index.Computed() || !slices.Contains(key.Columns, i) {
			continue
		}
		rename := func(text string) string {
			return sqlstate.Must(sql.RenameColumnIn(text, table.Columns()[i].Name, to))
		}
		index := *key.Index
		index.Exprs, index.Include = lists.Map(index.Exprs, rename), lists.Map(index.Include, rename)
		if index.Where != "" {
			index.Where = rename(index.Where)
		}
		keys[n].Index = &index
	}
	return keys
}
