package csvfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// File is a CSV file as a relation. Opening it finds where its blocks of rows
// begin and guesses names and types from samples of all blocks; the values are
// read when a block is loaded, and only those of the columns that are asked
// for. A value that does not have the guessed type then fails with its place.
// It implements store.Source and is safe for concurrent use.
type File struct {
	store.Header
	path   string
	opt    Options
	chunks []chunk // without data
	sizes  []int
	f      *os.File
}

const (
	sampleRows   = 4096 // of the first block
	sampleEach   = 128  // of every other block
	sampleBlocks = 64
)

// Open opens a CSV file, which it owns from then on; path is for errors. It reads the
// file once, until ctx ends. Options are those of COPY, with the delimiter and whether
// there is a header found out where they are not given, and all_varchar, which makes
// every column text.
func Open(ctx context.Context, in *os.File, path string, options []Option) (*File, error) {
	f := &File{path: path, f: in}
	if err := f.open(ctx, options); err != nil {
		in.Close()
		return nil, readError(path, err)
	}
	return f, nil
}

func (f *File) open(ctx context.Context, options []Option) error {
	var rest []Option
	var header *bool
	allText, delimiter := false, false
	for _, o := range options {
		switch o.Name {
		case "all_varchar":
			allText = !strings.EqualFold(o.Value, "false")
			continue
		case "header":
			header = new(bool)
		case "delimiter", "delim", "sep":
			delimiter = true
		}
		rest = append(rest, o)
	}
	var err error
	if f.opt, err = ParseOptions(false, rest, Query); err != nil {
		return err
	}
	if header != nil {
		*header = f.opt.Header
	}
	if !delimiter {
		sample := make([]byte, 64<<10)
		n, err := f.f.ReadAt(sample, 0)
		if err != nil && err != io.EOF {
			return err
		}
		f.opt.Delimiter = sniffDelimiter(string(sample[:n]), f.opt.Quote)
	}
	if err := f.index(ctx, header); err != nil {
		return err
	}
	if allText {
		f.SetTypes(slices.Repeat([]algebra.Type{algebra.TText}, len(f.Columns())))
	}
	return nil
}

// index finds the blocks and guesses the columns.
func (f *File) index(ctx context.Context, header *bool) error {
	s := newSplitter(&endingReader{ctx: ctx, r: f.f}, &f.opt, runtime.AccountOf(ctx))
	first, sample, err := f.scan(s)
	if err != nil {
		return err
	}
	if first == nil {
		return value.Errorf(value.CodeBadCopyFormat, "file %q is empty", f.path)
	}
	columns, hasHeader := inferColumns(first, sample, header)
	f.Describe(columns)
	if hasHeader {
		return nil
	}
	return f.keepFirst()
}

// endingReader reads until a context ends.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (e *endingReader) Read(b []byte) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	return e.r.Read(b)
}

// keepFirst puts the first row back in front of the first block, since it is
// not a header.
func (f *File) keepFirst() error {
	if len(f.chunks) == 0 {
		info, err := f.f.Stat()
		if err != nil {
			return err
		}
		f.chunks, f.sizes = []chunk{{}}, []int{int(info.Size())}
	}
	f.sizes[0] += int(f.chunks[0].offset)
	f.chunks[0].offset, f.chunks[0].line = 0, 1
	f.chunks[0].rows++
	f.Total++
	return nil
}

// scan reads the file to its end: it returns the first row and sampled others,
// and notes the blocks of all rows but the first.
func (f *File) scan(s *splitter) (first []string, sample [][]string, err error) {
	at := Place{File: f.path}
	if first, err = readHeader(s, &f.opt, at); err != nil || first == nil {
		return nil, nil, err
	}
	for {
		p, err := s.next()
		if err != nil || p == nil {
			return first, sample, err
		}
		n := sampleEach
		if len(f.chunks) == 0 {
			n = sampleRows
		}
		if len(f.chunks) < sampleBlocks {
			rows, err := f.sample(p, n, at)
			if err != nil {
				return nil, nil, err
			}
			sample = append(sample, rows...)
		}
		f.chunks = append(f.chunks, chunk{offset: p.offset, line: p.line, rows: p.rows})
		f.sizes = append(f.sizes, len(p.data))
		f.Total += int64(p.rows)
		s.recycle(p)
	}
}

// sample reads the first n rows of a chunk.
func (f *File) sample(p *chunk, n int, at Place) ([][]string, error) {
	s := newSplitter(bytes.NewReader(p.data), &f.opt, runtime.NewAccount(0))
	s.rows, s.line = n, p.line
	head, err := s.next()
	if err != nil || head == nil {
		return nil, err
	}
	return rowFields(head, &f.opt, at)
}

// SetTypes replaces the guessed types. It is called before the file is read.
func (f *File) SetTypes(types []algebra.Type) {
	columns := f.Columns()
	for i, t := range types {
		columns[i].Type = t
	}
	f.Describe(columns)
}

// Blocks implements runtime.Relation.
func (f *File) Blocks() int { return len(f.chunks) }

// LoadBytes implements runtime.Decoded: the text, and the values of each column, those
// of all texts together at most twice as long as the text while they are gathered.
func (f *File) LoadBytes(i int, ordinals []int) int64 {
	return 3*int64(f.sizes[i]) + perValue*int64(f.chunks[i].rows)*int64(len(ordinals))
}

// Load implements runtime.Relation: it parses the columns that are asked for.
func (f *File) Load(i int, ordinals []int) (runtime.Block, error) {
	out := runtime.Block{Rows: f.chunks[i].rows, Cols: make([]*runtime.Chunk, len(f.Columns()))}
	if len(ordinals) == 0 {
		return out, nil
	}
	p := f.chunks[i]
	p.data = make([]byte, f.sizes[i])
	if _, err := f.f.ReadAt(p.data, p.offset); err != nil {
		return out, readError(f.path, err)
	}
	batch := store.NewBatch(f.Columns())
	reader := newParser(&f.opt, Place{File: f.path}, batch)
	reader.fields = make([]target, len(f.Columns()))
	for c := range f.Columns() {
		reader.fields[c].column = f.Columns()[c]
	}
	for _, o := range ordinals {
		reader.fields[o].buffer = batch.Col(o)
	}
	if err := reader.parse(&p, func() error { return nil }); err != nil {
		return out, err
	}
	for _, o := range ordinals {
		c, err := batch.Col(o).Chunk()
		if err != nil {
			return out, err
		}
		if c.Rows != out.Rows {
			return out, value.Errorf(value.CodeIO, "file %q has changed while it was read", f.path)
		}
		out.Cols[o] = c
	}
	return out, nil
}

// readError is an I/O error that names the file.
func readError(file string, err error) error {
	if _, ok := err.(*value.Error); ok || err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if file == "" {
		return value.Errorf(value.CodeIO, "could not read the input: %v", err)
	}
	return value.Errorf(value.CodeIO, "could not read from file %q: %v", file, err)
}

// perValue is what a value of a column takes while it is gathered and encoded, in
// bytes, that of its text aside.
const perValue = 24
