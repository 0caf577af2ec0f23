package main

import (
	"context"
	"strconv"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload/fill"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// A loom is a session of Cubeloom, woven or not. Several share a database: the
// first one, which opened it, loads and drops the tables.
type loom struct {
	name    string
	owner   bool
	db      *cubeloom.DB
	session *cubeloom.Session
}

// openCubeloom opens a database in memory with a session that weaves.
func openCubeloom(threads, vectorRows int) (*loom, error) {
	db, err := cubeloom.Open(cubeloom.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	l := &loom{name: cubeloomName, owner: true, db: db, session: db.Session()}
	return l, l.set("vector_rows", strconv.Itoa(vectorRows))
}

// variants are the configurations of Cubeloom that are engines of their own, each with the
// setting that makes it: one materializes the result of every operator, one aggregates
// behind all joins only.
var variants = map[string][2]string{"unwoven": {"fusion", "off"}, "late": {"disabled_rules", "push_aggregates"}}

// variant returns another engine on the same database.
func (l *loom) variant(name string, vectorRows int) (*loom, error) {
	v := &loom{name: cubeloomName + " " + name, db: l.db, session: l.db.Session()}
	if err := v.set("vector_rows", strconv.Itoa(vectorRows)); err != nil {
		return nil, err
	}
	return v, v.set(variants[name][0], variants[name][1])
}

// set changes a setting of the session.
func (l *loom) set(name, to string) error {
	_, err := l.session.Query(context.Background(), "SET "+name+" = "+to)
	return err
}

// Name implements Engine.
func (l *loom) Name() string { return l.name }

// Close implements Engine.
func (l *loom) Close() error {
	if !l.owner {
		return nil
	}
	return l.db.Close()
}

// Load implements Engine.
func (l *loom) Load(ctx context.Context, set workload.Set, opts workload.Options) error {
	if !l.owner {
		return nil
	}
	return fill.Tables(ctx, l.db, set, opts)
}

// Drop implements Engine.
func (l *loom) Drop(ctx context.Context, table string) error {
	if !l.owner {
		return nil
	}
	_, err := l.session.Query(ctx, "DROP TABLE "+table)
	return err
}

// Run implements Engine.
func (l *loom) Run(ctx context.Context, sql string) (Answer, error) {
	result, err := l.session.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return loomAnswer{result}, nil
}

type loomAnswer struct{ result *cubeloom.Result }

// Close implements Answer.
func (a loomAnswer) Close() { a.result.Close() }

// Each implements Answer.
func (a loomAnswer) Each(visit func(row []Value) error) error {
	row := make([]Value, len(a.result.Columns))
	cursor := a.result.Cursor()
	for cursor.Next() {
		for i, c := range a.result.Columns {
			switch {
			case cursor.IsNull(i):
				row[i] = Value{Kind: Null}
			case c.Type.IsInteger():
				row[i] = Value{Kind: Integer, Int: cursor.Value(i).I}
			case c.Type.Kind == algebra.Float64:
				row[i] = Value{Kind: Float, Float: cursor.Value(i).F}
			default:
				row[i] = textValue(cursor.Text(i), c.Type.IsNumber())
			}
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	return cursor.Err()
}

// textValue is an Integer where a number has no fraction, else a Text.
func textValue(text string, number bool) Value {
	if number {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return Value{Kind: Integer, Int: n}
		}
	}
	return Value{Kind: Text, Text: text}
}
