package write

import (
	"context"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// LockRows takes the locks of FOR UPDATE and its kin in a statement, until the transaction
// ends. Writers lock tables, and so do these: FOR UPDATE keeps others from changing the
// tables that it reads, FOR SHARE does so together with others. It reports whether SKIP
// LOCKED of the query that the statement is has to skip all rows, because another
// transaction has locked them; queries within a statement wait instead.
func LockRows(ctx context.Context, s *session.Session, stmt sql.Statement) (skip bool, err error) {
	defer sqlstate.Catch(&err)
	for _, q := range sql.SourcesOf(stmt).Locked {
		for _, lock := range q.Locks {
			l := &rowLock{ctx: ctx, s: s, RowLock: lock, mayskip: stmt == sql.Statement(q)}
			l.query(q)
			skip = skip || l.skip
		}
	}
	return skip, nil
}

// rowLock is a locking clause while its locks are taken.
type rowLock struct {
	sql.RowLock
	ctx           context.Context
	s             *session.Session
	mayskip, skip bool
	named         map[string]bool // of OF, those that were found
}

// query locks what a query reads.
func (l *rowLock) query(q *sql.Query) {
	body, ok := q.Body.(*sql.Select)
	if refusal := refusedLock(q, body, ok); refusal != "" {
		panic(value.Errorf(value.CodeFeatureNotSupported, "FOR %s %s", strings.ToUpper(l.Strength), refusal))
	}
	l.named = map[string]bool{}
	for _, t := range body.From {
		l.table(t)
	}
	for _, of := range l.Of {
		if !l.named[of.Name] {
			panic(value.ErrorAt(int(of.Pos), value.CodeUndefinedTable, "relation %q in FOR %s clause not found in FROM clause", of.Name, strings.ToUpper(l.Strength)))
		}
	}
}

// refusedLock says why rows of a query cannot be locked; "" where they can.
func refusedLock(q *sql.Query, body *sql.Select, ok bool) string {
	if !ok {
		if _, values := q.Body.(*sql.Values); values {
			return "cannot be applied to VALUES"
		}
		return "is not allowed with UNION/INTERSECT/EXCEPT"
	}
	switch {
	case body.Distinct || len(body.DistinctOn) > 0:
		return "is not allowed with DISTINCT clause"
	case body.GroupBy != nil:
		return "is not allowed with GROUP BY clause"
	case body.Having != nil:
		return "is not allowed with HAVING clause"
	}
	return ""
}

// takes reports whether the clause is about what FROM calls so.
func (l *rowLock) takes(name string) bool {
	l.named[name] = true
	for _, of := range l.Of {
		if of.Name == name {
			return true
		}
	}
	return len(l.Of) == 0
}

// table locks the tables of an element of FROM.
func (l *rowLock) table(t sql.TableExpr) {
	switch t := t.(type) {
	case *sql.JoinExpr:
		l.table(t.Left)
		l.table(t.Right)
		return
	case *sql.TableSample:
		l.table(t.Table)
		return
	case *sql.DerivedTable:
		if body, ok := t.Query.Body.(*sql.Select); ok && l.takes(t.Alias.Name) {
			inner := *l
			inner.Of, inner.named = nil, map[string]bool{}
			for _, from := range body.From {
				inner.table(from)
			}
			l.skip = inner.skip
		}
	case *sql.TableName:
		name := t.Alias.Name
		if name == "" {
			name = t.Name[len(t.Name)-1].Name
		}
		if !l.takes(name) {
			return
		}
		if key, err := l.s.TargetName(t.Name); err == nil {
			l.relation(key)
			return
		}
	}
}

// relation locks a table, or the tables of a view. What there is not, the query says.
func (l *rowLock) relation(key string) {
	switch o := l.s.State().Lookup(key).(type) {
	case *store.View:
		for _, d := range o.Depends {
			l.relation(d)
		}
	case *store.Table:
		if store.QueryOf(o) != nil {
			panic(value.Errorf(value.CodeWrongObjectType, "cannot lock rows in materialized view %q", o.Name()))
		}
		sqlstate.Check(catalog.MayChange(l.s, key, access.Update))
		l.lock(key)
		return
	}
}

// lock locks one table.
func (l *rowLock) lock(key string) {
	sqlstate.Check(l.s.Writable(key, "SELECT FOR "+strings.ToUpper(l.Strength)))
	tx := l.s.Tx()
	tx.LockTimeout = l.s.LockTimeout()
	skips := l.Wait == "skip locked" && l.mayskip
	if l.Wait == "nowait" || skips {
		tx.LockTimeout = store.NoWait
	}
	err := tx.LockAs(l.ctx, l.s.State().RootKey(key), strings.HasSuffix(l.Strength, "share"))
	switch blocked := session.IsLockNotAvailable(err); {
	case blocked && skips:
		l.skip = true
		return
	case blocked && l.Wait == "nowait":
		panic(value.Errorf(value.CodeLockNotAvailable, "could not obtain lock on row in relation %q", store.NameOf(key)))
	}
	sqlstate.Check(err)
}
