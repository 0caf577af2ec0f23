package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unsafe"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// The part of chDB's C API that is used.
type clickhouseLibrary struct {
	Connect func(argc int32, argv unsafe.Pointer) *unsafe.Pointer        `c:"chdb_connect"`
	Close   func(conn *unsafe.Pointer)                                   `c:"chdb_close_conn"`
	Query   func(conn unsafe.Pointer, sql, format string) unsafe.Pointer `c:"chdb_query"`
	Buffer  func(result unsafe.Pointer) unsafe.Pointer                   `c:"chdb_result_buffer"`
	Length  func(result unsafe.Pointer) uint64                           `c:"chdb_result_length"`
	Error   func(result unsafe.Pointer) string                           `c:"chdb_result_error"`
	Destroy func(result unsafe.Pointer)                                  `c:"chdb_destroy_query_result"`
}

// A clickhouse is ClickHouse in this process, by the library of chDB. Its
// tables have the engine Memory: columns as they are, not compressed.
type clickhouse struct {
	lib     *clickhouseLibrary
	conn    *unsafe.Pointer
	version string
}

// openClickHouse opens an empty database that runs queries on the given number
// of threads.
func openClickHouse(libraries string, threads int) (*clickhouse, error) {
	c := &clickhouse{lib: &clickhouseLibrary{}}
	if err := openLibrary(libraries, "@chdb/lib-linux-x64-gnu/libchdb.so", c.lib); err != nil {
		return nil, err
	}
	if c.conn = c.lib.Connect(0, nil); c.conn == nil || *c.conn == nil {
		return nil, errors.New("ClickHouse does not open a database in memory")
	}
	// Sums over all values of a key have NULL for it, as in SQL, and not its type's zero.
	if err := c.exec(fmt.Sprintf("SET max_threads = %d, group_by_use_nulls = 1", threads)); err != nil {
		return nil, err
	}
	version, err := c.query("SELECT version()", "TabSeparated")
	if err != nil {
		return nil, err
	}
	c.version = strings.TrimSpace(string(version.bytes()))
	version.Close()
	return c, nil
}

// Name implements Engine.
func (c *clickhouse) Name() string { return "ClickHouse " + c.version }

// Close implements Engine.
func (c *clickhouse) Close() error {
	c.lib.Close(c.conn)
	return nil
}

// Drop implements Engine.
func (c *clickhouse) Drop(_ context.Context, table string) error {
	return c.exec("DROP TABLE " + table + " SYNC")
}

func (c *clickhouse) exec(sql string) error {
	a, err := c.query(sql, "Null")
	if err == nil {
		a.Close()
	}
	return err
}

// Run implements Engine. The answer is in ClickHouse's format Native, which is
// its blocks of columns one after the other. The query cannot be cancelled.
func (c *clickhouse) Run(_ context.Context, sql string) (Answer, error) {
	a, err := c.query(sql, "Native")
	if err != nil {
		return nil, err
	}
	a.sql = sql
	return a, nil
}

func (c *clickhouse) query(sql, format string) (*clickhouseAnswer, error) {
	a := &clickhouseAnswer{db: c, result: c.lib.Query(*c.conn, sql, format)}
	if message := c.lib.Error(a.result); message != "" {
		a.Close()
		return nil, fmt.Errorf("ClickHouse: %s", message)
	}
	return a, nil
}

// Load implements Engine, through an Arrow file per table.
func (c *clickhouse) Load(ctx context.Context, set workload.Set, opts workload.Options) error {
	dir, err := os.MkdirTemp("", "cubeloom-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := writeArrow(ctx, dir, set, opts); err != nil {
		return err
	}
	for _, t := range set.Tables() {
		if err := c.exec(t.DDL + " ENGINE = Memory"); err != nil {
			return err
		}
		file := filepath.Join(dir, t.Name+".arrow")
		if err := c.exec(fmt.Sprintf("INSERT INTO %s SELECT * FROM file('%s', 'Arrow')", t.Name, file)); err != nil {
			return err
		}
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return nil
}

// writeArrow writes each table of a set as an Arrow file.
func writeArrow(ctx context.Context, dir string, set workload.Set, opts workload.Options) error {
	writers := map[string]*ipc.FileWriter{}
	for _, t := range set.Tables() {
		file, err := os.Create(filepath.Join(dir, t.Name+".arrow"))
		if err != nil {
			return err
		}
		defer file.Close()
		if writers[t.Name], err = ipc.NewFileWriter(file, ipc.WithSchema(t.Schema)); err != nil {
			return err
		}
	}
	err := set.Generate(ctx, opts, func(table string, rec arrow.Record) error { return writers[table].Write(rec) })
	if err != nil {
		return err
	}
	for _, w := range writers {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// A clickhouseAnswer is a result as the bytes of a format.
type clickhouseAnswer struct {
	db     *clickhouse
	sql    string
	result unsafe.Pointer
}

// Close implements Answer.
func (a *clickhouseAnswer) Close() { a.db.lib.Destroy(a.result) }

// bytes views the result, valid until Close.
func (a *clickhouseAnswer) bytes() []byte {
	n := a.db.lib.Length(a.result)
	if n == 0 {
		return nil
	}
	return bytesAt(a.db.lib.Buffer(a.result), int(n))
}

// Each implements Answer. It runs the query again for its answer as text.
func (a *clickhouseAnswer) Each(visit func(row []Value) error) error {
	rows, err := a.db.query(a.sql, "TabSeparated")
	if err != nil {
		return err
	}
	defer rows.Close()
	text := unsafe.String(unsafe.SliceData(rows.bytes()), len(rows.bytes()))
	var row []Value
	for len(text) > 0 {
		line, rest, _ := strings.Cut(text, "\n")
		text, row = rest, row[:0]
		for more := true; more; {
			var cell string
			cell, line, more = strings.Cut(line, "\t")
			row = append(row, tabSeparated(cell))
		}
		if err := visit(row); err != nil {
			return err
		}
	}
	runtime.KeepAlive(rows)
	return nil
}

// tabSeparated reads a cell of ClickHouse's format TabSeparated.
func tabSeparated(cell string) Value {
	if cell == `\N` {
		return Value{Kind: Null}
	}
	if n, err := strconv.ParseInt(cell, 10, 64); err == nil {
		return Value{Kind: Integer, Int: n}
	}
	return Value{Kind: Text, Text: strings.Clone(cell)}
}
