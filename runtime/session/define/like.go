package define

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// likeIndex is an index that CREATE TABLE copies from a table, with the names of its columns.
type likeIndex struct {
	key     store.Key
	columns []string
}

// liked is what LIKE clauses copy beside columns and constraints.
type liked struct {
	indexes  []likeIndex
	comments map[string]string // of columns
}

// withLikes is a CREATE TABLE with what its LIKE clauses stand for in their place, and what else
// they copy.
func withLikes(s *session.Session, stmt *sql.CreateTable) (*sql.CreateTable, liked) {
	all := liked{comments: map[string]string{}}
	if len(stmt.Likes) == 0 {
		return stmt, all
	}
	full := *stmt
	full.Columns, full.Likes = nil, nil
	from := 0
	for _, like := range stmt.Likes {
		full.Columns = append(full.Columns, stmt.Columns[from:like.At]...)
		from = like.At
		l := &liking{session: s, like: &like, into: &full, liked: &all}
		if err := sqlstate.Run(l.copy); err != nil {
			panic(session.At(err, like.Name[0].Pos))
		}
	}
	full.Columns = append(full.Columns, stmt.Columns[from:]...)
	sqlstate.Check(full.CheckKeys())
	return &full, all
}

// liking is a LIKE clause while what it stands for is added to a CREATE TABLE.
type liking struct {
	session *session.Session
	like    *sql.LikeTable
	into    *sql.CreateTable
	*liked
}

// copy adds the columns, and what INCLUDING names.
func (l *liking) copy() {
	key := sqlstate.Must(l.session.TargetName(l.like.Name))
	switch o := l.session.State().Lookup(key).(type) {
	case nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", nameOf(l.like.Name)))
	case *store.Table:
		sqlstate.Check(catalog.MayRead(l.session, key))
		l.copyTable(o)
	case *store.View:
		sqlstate.Check(catalog.MayRead(l.session, key))
		for _, c := range catalog.ViewColumns(l.session, l.session.State(), o) {
			l.column(plainColumn(c), "")
		}
	default:
		panic(value.Errorf(value.CodeWrongObjectType, "relation %q is invalid in LIKE clause", nameOf(l.like.Name)))
	}
}

func (l *liking) copyTable(t *store.Table) {
	if l.like.Includes("comments") {
		maps.Copy(l.comments, l.session.Access().Grants(session.RelationObject(store.KeyOf(t))).ColumnComments)
	}
	for _, c := range t.Columns() {
		l.column(c, l.defaultOf(&c))
	}
	if l.like.Includes("constraints") {
		for _, check := range t.Checks() {
			e := sqlstate.Must(sql.ParseExpr(check.Text))
			l.into.Checks = append(l.into.Checks, sql.CheckDef{Name: sql.Ident{Name: check.Name}, Expr: e, Text: check.Text, Comment: l.comment(check.Comment)})
		}
	}
	if l.like.Includes("indexes") {
		l.keys(t)
	}
}

// comment is what becomes of a comment on something that is copied.
func (l *liking) comment(text string) string {
	if !l.like.Includes("comments") {
		return ""
	}
	return text
}

// column adds a column with its default as SQL has it.
func (l *liking) column(c store.Column, byDefault string) {
	text := fmt.Sprintf("CREATE TABLE t (%s %s %s)", pgcatalog.QuoteName(c.Name), catalog.ColumnTypeName(l.session.State(), &c), byDefault)
	if c.NotNull {
		text = text[:len(text)-1] + " NOT NULL)"
	}
	stmt := sqlstate.Must(sql.Parse(text))
	l.into.Columns = append(l.into.Columns, stmt.(*sql.CreateTable).Columns...)
}

// defaultOf is the default of a column that is copied, or what makes it an identity column; ""
// for neither. An identity column gets a sequence of its own.
func (l *liking) defaultOf(c *store.Column) string {
	q, ok := l.session.State().Lookup(c.SequenceOf()).(*store.Sequence)
	switch {
	case c.Generated() != "":
		if !l.like.Includes("generated") {
			return ""
		}
		return "GENERATED ALWAYS AS (" + c.Generated() + "\n) STORED"
	case ok && q.Identity != "" && q.OwnerColumn == c.Name:
		if !l.like.Includes("identity") {
			return ""
		}
		when := "BY DEFAULT"
		if q.Identity == store.Always {
			when = "ALWAYS"
		}
		return fmt.Sprintf("GENERATED %s AS IDENTITY (%s)", when, catalog.SequenceOptions(q))
	case !l.like.Includes("defaults"):
		return ""
	case ok:
		return "DEFAULT nextval(" + pgcatalog.QuoteText(pgcatalog.QuoteName(q.Schema())+"."+pgcatalog.QuoteName(q.Name())) + ")"
	case c.Default != "":
		return "DEFAULT " + c.Default
	}
	return ""
}

// keys adds the keys and indexes of a table, which get names of their own.
func (l *liking) keys(t *store.Table) {
	for _, key := range t.Keys() {
		columns := make([]string, len(key.Columns))
		key.Comment, key.IndexComment, key.Clustered = "", l.comment(key.IndexComment), false
		unique := sql.UniqueKey{Pos: l.like.Name[0].Pos, Comment: key.IndexComment}
		for i, c := range key.Columns {
			columns[i] = t.Columns()[c].Name
			unique.Columns = append(unique.Columns, sql.Ident{Name: columns[i]})
		}
		switch {
		case key.Index != nil:
			l.indexes = append(l.indexes, likeIndex{key, columns})
		case !key.Primary:
			l.into.Unique = append(l.into.Unique, unique)
		case l.into.Primary != nil:
			panic(value.Errorf(value.CodeInvalidTable, "multiple primary keys for table %q are not allowed", nameOf(l.into.Name)))
		default:
			l.into.Primary = &unique
		}
	}
}

// withIndexes is a table with indexes that were copied.
func withIndexes(s *session.Session, table *store.Table, indexes []likeIndex) *store.Table {
	for _, index := range indexes {
		key := index.key
		key.Columns = nil
		for _, name := range index.columns {
			key.Columns = append(key.Columns, table.Ordinal(name))
		}
		key.Name = catalog.NameOfColumns(table, catalog.WordsOf(table, &key), "_idx", func(name string) bool {
			return catalog.IsTaken(s.State(), store.KeyIn(table.Schema(), name)) ||
				slices.ContainsFunc(table.Keys(), func(k store.Key) bool { return k.Name == name })
		})
		table = table.Rekeyed(table.Columns(), append(slices.Clip(table.Keys()), key))
	}
	return table
}

// commentColumns adds the comments of columns that were copied to a table.
func (l *liked) commentColumns(ctx context.Context, tx *store.Tx, key string) {
	if len(l.comments) == 0 || store.IsTemporary(key) {
		return
	}
	sqlstate.Check(tx.ChangeGrants(ctx, session.RelationObject(key), func(_ *access.State, g *access.Grants) (*access.Grants, error) {
		next := *g
		next.ColumnComments = l.comments
		return &next, nil
	}))
}

// nameOf is a name without its schema.
func nameOf(name sql.Name) string { return name[len(name)-1].Name }
