package cubeloom

import (
	"errors"
	goruntime "runtime"
	"sync/atomic"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
)

// Records reads the rows as Arrow records, one for each block. The caller
// releases the reader. Some records are made ahead, on all cores; the memory of one is
// garbage when it and the reader's next one are released. Numerics with a scale each
// become decimal128(38, s) with the column's largest scale s. Of a statement without rows
// it is a reader without columns and records.
func (r *Result) Records() (array.RecordReader, error) {
	if r.rows == nil {
		return array.NewRecordReader(arrow.NewSchema(nil, nil), nil)
	}
	exporter, err := arrowfile.NewExporter(r.rows, result.StoreColumns(r.Columns))
	if err != nil {
		return nil, err
	}
	reader := &recordReader{exporter: exporter}
	reader.references.Store(1)
	return reader, nil
}

// recordReader makes records of a relation, some of them ahead. It implements
// array.RecordReader.
type recordReader struct {
	exporter   *arrowfile.Exporter
	references atomic.Int64
	begun      int                   // records that are made or being made
	ahead      []<-chan exportedPart // of these, those that are to be read
	record     arrow.Record          // nil: none
	err        error
}

// exportedPart is a record, or why there is none.
type exportedPart struct {
	record arrow.Record
	err    error
}

// Retain implements array.RecordReader.
func (r *recordReader) Retain() { r.references.Add(1) }

// Release implements array.RecordReader. It waits for the records that are being made.
func (r *recordReader) Release() {
	if r.references.Add(-1) > 0 {
		return
	}
	for len(r.ahead) > 0 {
		r.take()
	}
	r.drop()
}

// Schema implements array.RecordReader.
func (r *recordReader) Schema() *arrow.Schema { return r.exporter.Schema() }

// Record implements array.RecordReader.
func (r *recordReader) Record() arrow.Record { return r.record }

// Err implements array.RecordReader.
func (r *recordReader) Err() error { return r.err }

// Next implements array.RecordReader.
func (r *recordReader) Next() bool {
	r.drop()
	if r.err != nil {
		return false
	}
	for r.begun < r.exporter.Records() && len(r.ahead) < goruntime.GOMAXPROCS(0) {
		r.ahead = append(r.ahead, r.begin(r.begun))
		r.begun++
	}
	if len(r.ahead) == 0 {
		return false
	}
	r.take()
	return r.err == nil
}

// begin makes record i.
func (r *recordReader) begin(i int) <-chan exportedPart {
	out := make(chan exportedPart, 1)
	go func() {
		var part exportedPart
		cut := fault.Call(func() { part.record, part.err = r.exporter.Record(i) })
		part.err = errors.Join(cut, part.err)
		out <- part
	}()
	return out
}

// take waits for the next record and has it be the reader's, or notes its error.
func (r *recordReader) take() {
	part := <-r.ahead[0]
	r.ahead = r.ahead[1:]
	r.drop()
	r.record, r.err = part.record, errors.Join(r.err, part.err)
}

// drop releases the reader's record.
func (r *recordReader) drop() {
	if r.record != nil {
		r.record.Release()
		r.record = nil
	}
}
