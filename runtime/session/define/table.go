// Package define runs the statements that define tables and views: CREATE, ALTER and DROP.
// A statement is one file, or one with what it shares: alteration.go is an ALTER TABLE while
// it runs, alter.go the statement, and alter_column.go, alter_key.go and alter_type.go its
// actions.
package define

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// CreateTable runs CREATE TABLE.
func CreateTable(ctx context.Context, s *session.Session, stmt *sql.CreateTable) *result.Result {
	key := sqlstate.Must(s.CreatedName(stmt.Name, stmt.Temporary))
	sqlstate.Check(session.CheckOnCommit(key, store.OnCommit(stmt.OnCommit)))
	name := store.NameOf(key)
	if err := catalog.MayCreate(s, key, stmt.OrReplace); err != nil {
		panic(session.At(err, stmt.Name[0].Pos))
	}
	if stmt.IfNotExists && s.State().Lookup(key) != nil {
		return &result.Result{Tag: "CREATE TABLE", Notices: []result.Notice{alreadyExists(name)}}
	}
	checkStorage(stmt.Storage, tableStorage)
	for _, key := range stmt.Keys() {
		checkStorage(key.Storage, indexStorage)
	}
	if stmt.Of != nil {
		return createPartition(ctx, s, key, stmt)
	}
	stmt, copied := withLikes(s, stmt)
	defs, sequences := numbered(s, key, stmt)
	columns := sqlstate.Must(planner.TableColumns(defs, catalog.Of(s)))
	def := store.Definition{
		Schema: store.SchemaOf(key), Name: name, Keys: tableKeys(stmt, ordinalIn(stmt.Columns)), OnCommit: store.OnCommit(stmt.OnCommit),
	}
	if len(def.Keys) > 0 && def.Keys[0].Primary {
		for _, i := range def.Keys[0].Columns {
			columns[i].NotNull = true
		}
	}
	for i, col := range columns {
		c := storedColumn(s, &defs[i], col)
		if q := sequences[i]; q != nil {
			c.Default = store.NextOf(store.KeyOf(q))
		}
		def.Columns = append(def.Columns, c)
	}
	table := sqlstate.Must(store.NewTable(def))
	table = table.WithBy(partitioning(s, table, stmt.By))
	for i := range def.Keys {
		checkPartitionedKey(table, &def.Keys[i])
	}
	if stmt.By != nil && slices.ContainsFunc(stmt.Checks, func(c sql.CheckDef) bool { return c.NoInherit }) {
		panic(value.Errorf(value.CodeInvalidTable, "cannot add NO INHERIT constraint to partitioned table %q", name))
	}
	if !stmt.OrReplace && s.State().Lookup(key) != nil {
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", name))
	}
	sqlstate.Check(checkGenerated(s, table, 0, defs...))
	table = withChecks(s, withIndexes(s, table, copied.indexes), valid(stmt.Checks))
	s.Change("CREATE TABLE", func(tx *store.Tx) {
		createRelation(ctx, s, tx, table, stmt.OrReplace)
		for _, i := range slices.Sorted(maps.Keys(sequences)) {
			sqlstate.Check(tx.Create(ctx, sequences[i], false))
		}
		a := &alteration{Session: s, tx: tx, key: key, name: name}
		for i := range stmt.ForeignKeys {
			a.createForeignKey(ctx, &stmt.ForeignKeys[i])
		}
		copied.commentColumns(ctx, tx, key)
	})
	return &result.Result{Tag: "CREATE TABLE"}
}

// CreateTableAs runs CREATE TABLE AS.
func CreateTableAs(ctx context.Context, s *session.Session, stmt *sql.CreateTableAs) *result.Result {
	key := sqlstate.Must(s.CreatedName(stmt.Name, stmt.Temporary))
	sqlstate.Check(session.CheckOnCommit(key, store.OnCommit(stmt.OnCommit)))
	if err := catalog.MayCreate(s, key, stmt.OrReplace); err != nil {
		refuse(s, stmt, err)
	}
	if stmt.IfNotExists && s.State().Lookup(key) != nil {
		return &result.Result{Tag: "CREATE TABLE AS", Notices: []result.Notice{alreadyExists(store.NameOf(key))}}
	}
	checkStorage(stmt.Storage, tableStorage)
	var rows int64
	s.Change("CREATE TABLE AS", func(tx *store.Tx) {
		res := createdRows(ctx, s, stmt)
		if !stmt.NoData {
			rows = res.Count()
		}
		storeResult(ctx, s, tx, key, stmt, res)
	})
	if stmt.NoData {
		return &result.Result{Tag: "CREATE TABLE AS"}
	}
	return &result.Result{Tag: fmt.Sprintf("SELECT %d", rows)}
}

// refuse fails for a CREATE TABLE AS that the session's role may not run: what is wrong with
// its query comes first, as in PostgreSQL.
func refuse(s *session.Session, stmt *sql.CreateTableAs, refusal error) {
	if stmt.Query != nil {
		sqlstate.Must(query.Compile(s, stmt.Query, catalog.Of(s), query.Explaining(s), true))
	}
	panic(refusal)
}

// createdRows runs the query of CREATE TABLE AS.
func createdRows(ctx context.Context, s *session.Session, stmt *sql.CreateTableAs) *result.Result {
	if stmt.Execute == nil {
		return sqlstate.Must(write.Query(ctx, s, stmt.Query, true))
	}
	var res *result.Result
	sqlstate.Check(query.WithPrepared(s, stmt.Execute, func(p *session.Prepared) (err error) {
		q, ok := p.Statement.Parsed.Statement.(*sql.Query)
		if !ok {
			return value.Errorf(value.CodeWrongObjectType, "prepared statement is not a SELECT")
		}
		res, err = write.Query(ctx, s, q, true)
		return err
	}))
	return res
}

// tooManyNames is the error of a name for a column that the query has not.
func tooManyNames() error {
	return value.Errorf(value.CodeSyntax, "too many column names were specified")
}

// storeResult creates a table of a query's result.
func storeResult(ctx context.Context, s *session.Session, tx *store.Tx, key string, stmt *sql.CreateTableAs, res *result.Result) {
	if len(stmt.Columns) > len(res.Columns) {
		panic(tooManyNames())
	}
	def := store.Definition{Schema: store.SchemaOf(key), Name: store.NameOf(key), OnCommit: store.OnCommit(stmt.OnCommit)}
	for i, col := range res.Columns {
		colName := col.Name
		if i < len(stmt.Columns) {
			colName = stmt.Columns[i].Name
		}
		sqlstate.Check(planner.CheckColumnName(colName))
		def.Columns = append(def.Columns, store.Column{Name: colName, Type: result.StoredType(col.Type.Type), Domain: algebra.DomainOID(col.Type.Domain)})
	}
	table := sqlstate.Must(store.NewTable(def))
	createRelation(ctx, s, tx, table, stmt.OrReplace)
	if !stmt.NoData {
		sqlstate.Check(write.AppendRelation(ctx, s, tx, key, res.Rows, lists.Upto[int](len(res.Columns))))
	}
}
