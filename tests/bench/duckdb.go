package main

import (
	"context"
	"errors"
	"fmt"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// A duckdb is an in-memory DuckDB database, driven through its C API.
type duckdb struct {
	lib      *duckdbLibrary
	db, conn unsafe.Pointer
}

// openDuckDB opens an empty database that runs queries on the given number of
// threads.
func openDuckDB(libraries string, threads int) (*duckdb, error) {
	d := &duckdb{lib: &duckdbLibrary{}}
	if err := openLibrary(libraries, "@duckdb/node-bindings-linux-x64/libduckdb.so", d.lib); err != nil {
		return nil, err
	}
	if d.lib.Open(nil, &d.db) != 0 || d.lib.Connect(d.db, &d.conn) != 0 {
		return nil, errors.New("DuckDB does not open a database in memory")
	}
	return d, d.exec(fmt.Sprintf("SET threads = %d", threads))
}

// Name implements Engine.
func (d *duckdb) Name() string { return "DuckDB " + d.lib.Version() }

// Close implements Engine.
func (d *duckdb) Close() error {
	d.lib.Disconnect(&d.conn)
	d.lib.CloseDB(&d.db)
	return nil
}

// exec runs a statement whose result does not matter.
func (d *duckdb) exec(sql string) error {
	a, err := d.Run(context.Background(), sql)
	if err == nil {
		a.Close()
	}
	return err
}

// Drop implements Engine.
func (d *duckdb) Drop(_ context.Context, table string) error { return d.exec("DROP TABLE " + table) }

// Run implements Engine: duckdb_query returns when the result is materialized.
func (d *duckdb) Run(ctx context.Context, sql string) (Answer, error) {
	stop := context.AfterFunc(ctx, func() { d.lib.Interrupt(d.conn) })
	defer stop()
	a := &duckdbAnswer{lib: d.lib}
	if d.lib.Query(d.conn, sql, &a.result) != 0 {
		err := fmt.Errorf("DuckDB: %s", d.lib.Error(&a.result))
		a.Close()
		return nil, err
	}
	return a, nil
}

// Load implements Engine, through appenders.
func (d *duckdb) Load(ctx context.Context, set workload.Set, opts workload.Options) error {
	appenders := map[string]*duckdbAppender{}
	defer func() {
		for _, a := range appenders {
			a.destroy()
		}
	}()
	for _, t := range set.Tables() {
		if err := d.exec(t.DDL); err != nil {
			return err
		}
		a, err := d.newAppender(t)
		if err != nil {
			return err
		}
		appenders[t.Name] = a
	}
	err := set.Generate(ctx, opts, func(table string, rec arrow.Record) error { return appenders[table].append(rec) })
	if err != nil {
		return err
	}
	for _, a := range appenders {
		if err := a.finish(); err != nil {
			return err
		}
	}
	return nil
}
