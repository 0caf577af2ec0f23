package arrowfile

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/ipc"

	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// File is an Arrow IPC file as a relation, one block for each record batch. It
// implements store.Source. A batch is read whole, since the format's reader
// knows no other way, but only the columns that are asked for are converted.
type File struct {
	store.Header
	path string
	rows []int // of each batch
	size int64 // of the file, in bytes

	mu sync.Mutex // the reader is for one goroutine at a time
	r  *ipc.FileReader
	f  *os.File
}

// Open opens an Arrow IPC file, which it owns from then on; path is for errors. It
// reads the file once, until ctx ends, since its footer does not say how many rows
// there are.
func Open(ctx context.Context, f *os.File, path string) (*File, error) {
	file := &File{path: path, f: f}
	if err := file.guard(func() error { return file.readFooter(ctx) }); err != nil {
		f.Close()
		return nil, err
	}
	return file, nil
}

// guard turns whatever goes wrong in the format's reader, which panics on some
// damaged files, into an error that names the file.
func (f *File) guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = corrupted(f.path, fmt.Errorf("%v", p))
		}
	}()
	err = read()
	if _, ok := err.(*value.Error); err == nil || ok || err == context.Canceled || err == context.DeadlineExceeded {
		return err
	}
	return corrupted(f.path, err)
}

func corrupted(path string, err error) error {
	return value.Errorf(value.CodeDataCorrupted, "could not read Arrow file %q: %v", path, err)
}

func (f *File) readFooter(ctx context.Context) (err error) {
	defer sqlstate.Catch(&err)
	info := sqlstate.Must(f.f.Stat())
	f.size = info.Size()
	checkFooter(f.f, info.Size())
	r := sqlstate.Must(ipc.NewFileReader(f.f, ipc.WithAllocator(NewBounded(info.Size()))))
	f.r = r
	f.Describe(Columns(r.Schema().Fields()))
	for i := range r.NumRecords() {
		sqlstate.Check(ctx.Err())
		rec := sqlstate.Must(r.RecordAt(i))
		f.rows = append(f.rows, int(rec.NumRows()))
		f.Total += rec.NumRows()
		rec.Release()
	}
	return nil
}

// Blocks implements runtime.Relation.
func (f *File) Blocks() int { return len(f.rows) }

// LoadBytes implements runtime.Decoded: the batch as it stands in the file, and the
// values made of it.
func (f *File) LoadBytes(i int, ordinals []int) int64 {
	const perValue = 24
	return 2*f.size/int64(len(f.rows)) + perValue*int64(f.rows[i])*int64(len(ordinals))
}

// Load implements runtime.Relation.
func (f *File) Load(i int, ordinals []int) (b runtime.Block, err error) {
	if len(ordinals) == 0 {
		return runtime.Block{Rows: f.rows[i], Cols: make([]*runtime.Chunk, len(f.Columns()))}, nil
	}
	err = f.guard(func() error {
		rec, err := f.record(i)
		if err != nil {
			return err
		}
		b, err = Block(rec, f.Columns(), ordinals)
		return err
	})
	return b, err
}

// record reads a batch. It is never released: its memory is the garbage
// collector's, and chunks share it.
func (f *File) record(i int) (arrow.Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.r.RecordAt(i)
}

// Close implements io.Closer. Chunks stay valid.
func (f *File) Close() error { return f.f.Close() }

// Write writes a relation as an Arrow IPC file.
func Write(ctx context.Context, w io.Writer, rel runtime.Relation, columns []store.Column) (err error) {
	defer sqlstate.Catch(&err)
	e := sqlstate.Must(NewExporter(rel, columns))
	out, err := ipc.NewFileWriter(&seeker{w: w}, ipc.WithSchema(e.Schema()))
	if err != nil {
		return value.Errorf(value.CodeIO, "could not write: %v", err)
	}
	for i := range e.Records() {
		sqlstate.Check(ctx.Err())
		rec := sqlstate.Must(e.Record(i))
		err := out.Write(rec)
		rec.Release()
		if err != nil {
			return value.Errorf(value.CodeIO, "could not write: %v", err)
		}
	}
	if err := out.Close(); err != nil {
		return value.Errorf(value.CodeIO, "could not write: %v", err)
	}
	return nil
}

// seeker implements the seeks that the file writer makes, which only ask where it
// is.
type seeker struct {
	w   io.Writer
	pos int64
}

// Write implements io.Writer.
func (s *seeker) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	s.pos += int64(n)
	return n, err
}

// Seek implements io.Seeker for the current place alone.
func (s *seeker) Seek(offset int64, whence int) (int64, error) {
	if offset != 0 || whence != io.SeekCurrent {
		return 0, fmt.Errorf("arrowfile: seek to %d from %d in a stream", offset, whence)
	}
	return s.pos, nil
}
