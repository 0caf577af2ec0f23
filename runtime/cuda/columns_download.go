package cuda

import (
	"context"
	"errors"
	"sync"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/long"
)

// newDownloads takes memory of the host for columns, but for the bytes of texts, and returns
// the copies to it; with bounds where they are wanted. The device is not needed for it.
func newDownloads(cols []*column, rows int, bounded bool) ([]download, []Copy) {
	downloads := make([]download, len(cols))
	copies := make([]Copy, 0, 2*len(cols))
	for i, col := range cols {
		downloads[i] = download{col: col, rows: rows, bounded: bounded}
		copies = downloads[i].ask(copies)
	}
	return downloads, copies
}

// downloadColumns copies columns to the host. It waits for the device once, and once
// more where there is text.
func downloadColumns(ctx context.Context, q *queue, downloads []download, copies []Copy) error {
	if err := downloadAll(ctx, q, copies); err != nil {
		return err
	}
	copies = copies[:0]
	held := q.mem.newBuffers()
	defer held.release(q)
	for i := range downloads {
		var err error
		if copies, err = downloads[i].askText(q, copies, held); err != nil {
			return err
		}
	}
	return downloadAll(ctx, q, copies)
}

// decode returns for each column its rows as one chunk or, of texts that lie elsewhere,
// a chunk for each block. The device is not needed for it.
func decode(ctx context.Context, downloads []download) ([][]*runtime.Chunk, error) {
	chunks := make([][]*runtime.Chunk, len(downloads))
	errs := make([]error, len(downloads))
	var group sync.WaitGroup
	for i := range downloads {
		if downloads[i].rows < minParallel {
			chunks[i], errs[i] = downloads[i].chunks(ctx)
			continue
		}
		group.Go(func() { chunks[i], errs[i] = downloads[i].chunks(ctx) })
	}
	group.Wait()
	return chunks, errors.Join(errs...)
}

// minParallel is from how many rows on columns are decoded at the same time.
const minParallel = 1 << 16

// downloadAll is DownloadAll where there is something to copy.
func downloadAll(ctx context.Context, q *queue, copies []Copy) error {
	if len(copies) == 0 {
		return nil
	}
	return q.download(ctx, copies...)
}

// ask adds the copies of the column, but for the bytes of text.
func (d *download) ask(copies []Copy) []Copy {
	if d.rows == 0 || d.col.shape.Encoding == cudagen.EncNull {
		return copies
	}
	if d.col.shape.Nullable {
		d.valid = long.Uncleared[byte]((d.rows + 7) / 8)
		copies = append(copies, Copy{Dst: d.valid, Src: d.col.valid})
	}
	d.raw = long.Uncleared[byte](d.rawBytes())
	return append(copies, Copy{Dst: d.raw, Src: d.col.data})
}

// rawBytes is the size of the data as it lies.
func (d *download) rawBytes() int {
	switch d.col.shape.Encoding {
	case cudagen.EncBits:
		return (d.rows + 7) / 8
	case cudagen.EncStr:
		return 4 * (d.rows + 1)
	}
	return d.rows * d.col.shape.Encoding.Width()
}

// cut leaves out all but the first rows.
func (d *download) cut(rows int) {
	d.rows = rows
	d.raw = d.raw[:min(d.rawBytes(), len(d.raw))] // what is always NULL has no data
	d.valid = d.valid[:min((rows+7)/8, len(d.valid))]
}

// askText adds the copy of the bytes of text, whose offsets are there, or of the words
// that refer to it: the device gathers it then in memory that held gets.
func (d *download) askText(q *queue, copies []Copy, held *buffers) ([]Copy, error) {
	if d.rows == 0 {
		return copies, nil
	}
	from := d.col.bytes
	switch d.col.shape.Encoding {
	case cudagen.EncStr:
		d.text = long.Uncleared[byte](int(words[uint32](d.raw)[d.rows]))
	case cudagen.EncTexts:
		d.endTexts()
		d.text = long.Uncleared[byte](int(d.ends[d.rows-1]))
		var err error
		from, err = d.copyTexts(q, held)
		if errors.Is(err, ErrOutOfMemory) {
			return d.askEach(copies), nil
		}
		if err != nil {
			return nil, err
		}
	}
	if len(d.text) == 0 {
		return copies, nil
	}
	return append(copies, Copy{Dst: d.text, Src: from}), nil
}

// chunks returns the column, which is on the host.
func (d *download) chunks(ctx context.Context) ([]*runtime.Chunk, error) {
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	if d.ends != nil {
		return d.texts(ctx)
	}
	c, err := d.chunk()
	return []*runtime.Chunk{c}, err
}

// chunk returns a column that is one chunk.
func (d *download) chunk() (*runtime.Chunk, error) {
	c := &runtime.Chunk{Type: d.col.shape.Type, Rows: d.rows, Dict: d.col.dict}
	if d.col.shape.Encoding == cudagen.EncNull {
		c.Enc, c.Valid, c.Nulls = runtime.EncConst, make([]byte, (d.rows+7)/8), d.rows
		return c, nil
	}
	d.validity(c)
	if c.Nulls == c.Rows && c.Rows > 0 {
		c.Enc = runtime.EncConst
		return c, nil
	}
	if err := d.data(c); err != nil {
		return nil, err
	}
	if d.bounded && integers(c.Type) && c.Enc != runtime.EncI128 && c.Nulls < c.Rows {
		c.Min, c.Max = cheapBounds(c)
		c.HasRange = true
	}
	return c, nil
}

// validity says which rows are NULL.
func (d *download) validity(c *runtime.Chunk) {
	if d.valid == nil {
		return
	}
	if c.Nulls = runtime.ClearBits(d.valid, 0, d.rows); c.Nulls > 0 {
		c.Valid = d.valid
	}
}

// data sets the values of the chunk.
func (d *download) data(c *runtime.Chunk) error {
	raw := d.raw
	c.Base = d.col.base
	switch d.col.shape.Encoding {
	case cudagen.EncU8:
		c.Enc, c.U8 = runtime.EncU8, raw
	case cudagen.EncU16:
		c.Enc, c.U16 = runtime.EncU16, words[uint16](raw)
	case cudagen.EncU32:
		c.Enc, c.U32 = runtime.EncU32, words[uint32](raw)
	case cudagen.EncI64:
		c.Enc, c.I64, c.Base = runtime.EncI64, words[int64](raw), 0
	case cudagen.EncI128:
		c.Enc, c.I128 = runtime.EncI128, words[value.Int128](raw)
	case cudagen.EncF64:
		c.Enc, c.F64 = runtime.EncF64, words[float64](raw)
	case cudagen.EncBits:
		c.Enc, c.Bits = runtime.EncBits, raw
	case cudagen.EncNum:
		c.Enc, c.Nums = runtime.EncNum, make([]value.Num, d.rows)
		for i, w := range triples(raw) {
			c.Nums[i] = value.Num{Coef: value.Int128{Lo: w[0], Hi: int64(w[1])}, Scale: uint8(w[2])}
		}
	case cudagen.EncIntervals:
		c.Enc, c.Intervals = runtime.EncIntervals, make([]value.Interval, d.rows)
		for i, w := range triples(raw) {
			c.Intervals[i] = value.Interval{Months: int32(w[0]), Days: int32(w[1]), Micros: int64(w[2])}
		}
	case cudagen.EncStr, cudagen.EncTexts: // the latter without rows: those of others are read apart
		if c.Enc, c.Offsets, c.Bytes = runtime.EncStr, words[uint32](raw), d.text; d.rows == 0 {
			c.Offsets = make([]uint32, 1)
		}
	default:
		return errInternal("there is no device encoding %d", d.col.shape.Encoding)
	}
	return nil
}

// triples is b as groups of three words.
func triples(b []byte) [][3]uint64 { return words[[3]uint64](b) }
