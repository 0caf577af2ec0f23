package main

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/workload"
)

// A stored set is a set whose rows lie in a folder, a file of Arrow records for
// each table, so that they need not be generated again in every process.
type stored struct {
	workload.Set
	dir string
}

func (s stored) file(table string) string { return filepath.Join(s.dir, table+".arrows") }

// write generates the rows and puts them into the folder.
func (s stored) write(ctx context.Context, opts workload.Options) (err error) {
	writers := map[string]*ipc.Writer{}
	for _, t := range s.Tables() {
		file, e := os.Create(s.file(t.Name))
		if e != nil {
			return e
		}
		w := ipc.NewWriter(file, ipc.WithSchema(t.Schema))
		defer func() { err = errors.Join(err, w.Close(), file.Close()) }()
		writers[t.Name] = w
	}
	return s.Set.Generate(ctx, opts, func(table string, rec arrow.Record) error { return writers[table].Write(rec) })
}

// Generate implements workload.Set by reading the files.
func (s stored) Generate(ctx context.Context, _ workload.Options, emit workload.Emit) error {
	for _, t := range s.Tables() {
		if err := s.read(ctx, t.Name, emit); err != nil {
			return err
		}
	}
	return nil
}

func (s stored) read(ctx context.Context, table string, emit workload.Emit) error {
	file, err := os.Open(s.file(table))
	if err != nil {
		return err
	}
	defer file.Close()
	r, err := ipc.NewReader(bufio.NewReaderSize(file, 1<<20))
	if err != nil {
		return err
	}
	defer r.Release()
	for r.Next() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := emit(table, r.Record()); err != nil {
			return err
		}
	}
	return r.Err()
}
