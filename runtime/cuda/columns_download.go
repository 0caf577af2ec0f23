package cuda

import (
	"math/bits"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/runtime"
)

// download brings one column to the host.
type download struct {
	mem  *memory
	col  *column
	rows int
}

// run gives the column as a chunk.
func (d *download) run() (*runtime.Chunk, error) {
	c := &runtime.Chunk{Type: d.col.shape.Type, Rows: d.rows, Dict: d.col.dict}
	if d.col.shape.Encoding == cudagen.EncNull {
		c.Enc, c.Valid, c.Nulls = runtime.EncConst, make([]byte, (d.rows+7)/8), d.rows
		return c, nil
	}
	if err := d.validity(c); err != nil {
		return nil, err
	}
	if c.Nulls == c.Rows && c.Rows > 0 {
		c.Enc = runtime.EncConst
		return c, nil
	}
	if err := d.data(c); err != nil {
		return nil, err
	}
	if integers(c.Type) && c.Enc != runtime.EncI128 && c.Nulls < c.Rows {
		c.Min, c.Max = bounds(c)
		c.HasRange = true
	}
	return c, nil
}

// validity brings which rows are NULL.
func (d *download) validity(c *runtime.Chunk) (err error) {
	if !d.col.shape.Nullable {
		return nil
	}
	c.Valid, err = d.bytes(d.col.valid, (d.rows+7)/8)
	if c.Nulls = nulls(c.Valid, d.rows); c.Nulls == 0 {
		c.Valid = nil
	}
	return err
}

// data brings the values.
func (d *download) data(c *runtime.Chunk) (err error) {
	raw, err := d.raw()
	if err != nil {
		return err
	}
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
	case cudagen.EncSpans:
		c.Enc, c.Spans = runtime.EncSpans, make([]value.Interval, d.rows)
		for i, w := range triples(raw) {
			c.Spans[i] = value.Interval{Months: int32(w[0]), Days: int32(w[1]), Micros: int64(w[2])}
		}
	case cudagen.EncStr:
		c.Enc, c.Offsets = runtime.EncStr, words[uint32](raw)
		c.Bytes, err = d.bytes(d.col.bytes, int(c.Offsets[d.rows]))
	default:
		return errInternal("there is no device encoding %d", d.col.shape.Encoding)
	}
	return err
}

// raw brings the data as it lies.
func (d *download) raw() ([]byte, error) {
	switch d.col.shape.Encoding {
	case cudagen.EncBits:
		return d.bytes(d.col.data, (d.rows+7)/8)
	case cudagen.EncStr:
		return d.bytes(d.col.data, 4*(d.rows+1))
	}
	return d.bytes(d.col.data, d.rows*d.col.shape.Encoding.Width())
}

// bytes brings n bytes.
func (d *download) bytes(p Ptr, n int) ([]byte, error) {
	b := make([]byte, n)
	if n == 0 {
		return b, nil
	}
	return b, d.mem.device.Download(b, p)
}

// triples is b as groups of three words.
func triples(b []byte) [][3]uint64 { return words[[3]uint64](b) }

// nulls counts the zeros among the first n bits of valid.
func nulls(valid []byte, n int) int {
	ones := 0
	for _, b := range valid[:n>>3] {
		ones += bits.OnesCount8(b)
	}
	if n&7 != 0 {
		ones += bits.OnesCount8(valid[n>>3] & (1<<(n&7) - 1))
	}
	return n - ones
}
