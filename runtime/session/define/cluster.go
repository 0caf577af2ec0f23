package define

import (
	"context"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Cluster runs CLUSTER: the rows of a table are written anew in the order of an index, so that conditions on
// what it is of skip more blocks.
func Cluster(ctx context.Context, s *session.Session, stmt *sql.Cluster) *result.Result {
	res := &result.Result{Tag: "CLUSTER"}
	if stmt.Name != nil {
		key := sqlstate.Must(s.TargetName(stmt.Name))
		s.Change(res.Tag, func(tx *store.Tx) { cluster(ctx, s, tx, key, stmt.Index.Name) })
		return res
	}
	mustRunAlone(s)
	s.Change(res.Tag, func(tx *store.Tx) {
		for _, o := range tx.State().Objects() {
			t, ok := o.(*store.Table)
			if ok && clustered(t) >= 0 && catalog.MustOwn(s, store.KeyOf(t)) == nil {
				cluster(ctx, s, tx, store.KeyOf(t), "")
			}
		}
	})
	return res
}

func mustRunAlone(s *session.Session) {
	if !s.RunsAlone() {
		panic(value.Errorf(value.CodeActiveTransaction, "CLUSTER cannot run inside a transaction block"))
	}
}

// clustered is the number of the key that a table is marked to be clustered by; -1 for none.
func clustered(t *store.Table) int {
	return slices.IndexFunc(t.Keys(), func(key store.Key) bool { return key.Clustered })
}

// cluster clusters a table by the index of a name, or, where that is "", by the one that it is marked with.
func cluster(ctx context.Context, s *session.Session, tx *store.Tx, key, index string) {
	o := tx.State().Lookup(key)
	table, ok := o.(*store.Table)
	switch {
	case o == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(key)))
	case !ok:
		panic(value.Errorf(value.CodeWrongObjectType, "%q is not a table or materialized view", o.Name()))
	}
	sqlstate.Check(catalog.MustOwn(s, key))
	if table.Of() != nil {
		panic(value.Errorf(value.CodeFeatureNotSupported, "clustering the partition %q without the whole table is not supported", table.Name()))
	}
	sqlstate.Check(tx.LockToDefine(ctx, key))
	table = sqlstate.Must(tx.Table(ctx, key))
	at := clustered(table)
	switch {
	case index != "":
		at = clusterKey(table, index)
	case at < 0:
		panic(value.Errorf(value.CodeUndefinedObject, "there is no previously clustered index for table %q", table.Name()))
	}
	if table.By() != nil {
		mustRunAlone(s)
	}
	next := inOrder(ctx, s, tx, table, &table.Keys()[at])
	if table.By() == nil { // indexes of partitioned tables are not marked
		next = withClustered(next, at)
	}
	tx.Update(next)
}

// clusterKey is the number of the key of a name that a table can be clustered by.
func clusterKey(t *store.Table, name string) int {
	for i := range t.Keys() {
		if catalog.KeyName(t, i) != name {
			continue
		}
		switch x := t.Keys()[i].Index; {
		case x == nil:
		case x.Method != "btree":
			panic(value.Errorf(value.CodeFeatureNotSupported, "cannot cluster on index %q because access method does not support clustering", name))
		case x.Where != "":
			panic(value.Errorf(value.CodeFeatureNotSupported, "cannot cluster on partial index %q", name))
		}
		return i
	}
	panic(value.Errorf(value.CodeUndefinedObject, "index %q for table %q does not exist", name, t.Name()))
}

// withClustered is a table that is marked to be clustered by one key, by number, or by none.
func withClustered(t *store.Table, at int) *store.Table {
	keys := slices.Clone(t.Keys())
	for i := range keys {
		keys[i].Clustered = i == at
	}
	return t.Rekeyed(t.Columns(), keys)
}

// inOrder is a table with its rows in the order of a key.
func inOrder(ctx context.Context, s *session.Session, tx *store.Tx, table *store.Table, key *store.Key) *store.Table {
	if table.Rows() == 0 {
		return table
	}
	stmt := sqlstate.Must(sql.Parse("SELECT * FROM " + schemaName(table) + " ORDER BY " + strings.Join(orderOf(table, key), ", ")))
	plan, err := planner.Build(stmt.(*sql.Query), catalog.Of(s), query.Options(s))
	sqlstate.Check(value.WithoutPos(err))
	a := &alteration{Session: s, tx: tx, key: store.KeyOf(table), name: table.Name()}
	return a.rewrite(ctx, table, table.Columns(), plan)
}

// orderOf are the keys of ORDER BY that sort as an index does.
func orderOf(table *store.Table, key *store.Key) []string {
	names := make([]string, len(key.Columns))
	for i, c := range key.Columns {
		names[i] = pgcatalog.Quote(table.Columns()[c].Name)
	}
	if key.Index == nil {
		return names
	}
	terms := slices.Clone(key.Index.Of(names))
	for i := range terms {
		terms[i] = "(" + terms[i] + ")"
		if i < len(key.Index.Terms) {
			terms[i] += " " + directionOf(key.Index.Terms[i])
		}
	}
	return terms
}

// directionOf is what an index says of the order of a part, without its collation and operator class.
func directionOf(term string) string {
	words := strings.Fields(term)
	from := slices.IndexFunc(words, func(w string) bool { return slices.Contains([]string{"ASC", "DESC", "NULLS"}, strings.ToUpper(w)) })
	if from < 0 {
		return ""
	}
	return strings.Join(words[from:], " ")
}

// clusterOn runs CLUSTER ON and SET WITHOUT CLUSTER.
func (a *alteration) clusterOn(table *store.Table, action *sql.ClusterOn) {
	at := -1
	if action.Index.Name != "" {
		at = clusterKey(table, action.Index.Name)
	}
	if table.By() != nil {
		panic(value.Errorf(value.CodeFeatureNotSupported, "cannot mark index clustered in partitioned table"))
	}
	a.tx.Update(withClustered(table, at))
}
