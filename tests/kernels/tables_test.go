//go:build device

package kernels

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// memoryTable is a relation of blocks in memory.
type memoryTable struct {
	types  []kernel.Type
	blocks []runtime.Block
	rows   int64
	sorted bool // by a column, to be merged
}

func (m *memoryTable) Types() []kernel.Type { return m.types }
func (m *memoryTable) Blocks() int          { return len(m.blocks) }
func (m *memoryTable) Rows() int64          { return m.rows }

func (m *memoryTable) Load(i int, _ []int) (runtime.Block, error) { return m.blocks[i], nil }

func (m *memoryTable) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	c := m.blocks[i].Cols[ordinal]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// randomTable makes the table that a kernel scans.
func randomTable(f *kernel.Func, s *kernel.Scan, rows int, rnd *rand.Rand) *memoryTable {
	m := &memoryTable{rows: int64(rows)}
	dicts := make([]*runtime.Dictionary, f.Dicts)
	for _, c := range s.Cols {
		for len(m.types) <= c.Ordinal {
			m.types = append(m.types, kernel.I32)
		}
		m.types[c.Ordinal] = f.Values[c.Dst].Type
		if v := &f.Values[c.Dst]; v.Type == kernel.Code {
			dicts[v.Dict] = randomDictionary(v, rnd)
		}
	}
	for left := rows; left > 0; {
		n := min(left, 1+rnd.IntN(3000))
		block := runtime.Block{Rows: n, Cols: make([]*runtime.Chunk, len(m.types))}
		for _, c := range s.Cols {
			v := &f.Values[c.Dst]
			block.Cols[c.Ordinal] = randomChunk(v, n, rnd)
			if v.Type == kernel.Code {
				block.Cols[c.Ordinal].Dict = dicts[v.Dict]
			}
		}
		m.blocks = append(m.blocks, block)
		left -= n
	}
	if agg, ok := f.Sink.(*kernel.Aggregate); ok && agg.Strategy == kernel.Ordered {
		m.ascend(f, s, agg.Keys[agg.By], randomRuns(rnd))
	}
	return m
}

// heads are the first rows of tables that are scanned, whose columns lie on a device as
// those of the whole tables do, as far as not all are NULL: the same kernels read them.
func heads(tables map[string]*memoryTable, rows int) map[string]*memoryTable {
	out := make(map[string]*memoryTable, len(tables))
	for name, m := range tables {
		out[name] = m
		if !m.sorted {
			out[name] = m.head(rows)
		}
	}
	return out
}

// head is the first rows of the table, in chunks that say of themselves what is true of
// the whole column.
func (m *memoryTable) head(rows int) *memoryTable {
	out := &memoryTable{types: m.types}
	for _, whole := range m.blocks {
		n := min(whole.Rows, rows-int(out.rows))
		if n == 0 {
			break
		}
		block := runtime.Block{Rows: n, Cols: make([]*runtime.Chunk, len(whole.Cols))}
		for o, c := range whole.Cols {
			if c != nil {
				block.Cols[o] = m.cut(o, c, n)
			}
		}
		out.blocks = append(out.blocks, block)
		out.rows += int64(n)
	}
	return out
}

// cut is the first n rows of a chunk of column o.
func (m *memoryTable) cut(o int, c *runtime.Chunk, n int) *runtime.Chunk {
	cut := *c.Slice(0, n)
	for _, b := range m.blocks {
		of := b.Cols[o]
		if of.Valid != nil && cut.Valid == nil {
			cut.Valid = bytes.Repeat([]byte{0xff}, (n+7)/8)
		}
		if of.HasRange {
			cut.Min, cut.Max = min(cut.Min, of.Min), max(cut.Max, of.Max)
		}
	}
	return &cut
}

// randomDictionary has the texts of all codes in a value's range.
func randomDictionary(v *kernel.Value, rnd *rand.Rand) *runtime.Dictionary {
	n := 10
	if v.Range.Known {
		n = int(v.Range.Hi) + 1
	}
	d := &runtime.Dictionary{Texts: make([]string, n)}
	for i, p := range rnd.Perm(n) {
		d.Texts[i] = fmt.Sprint(p * 7)
		if p%5 == 0 {
			d.Texts[i] += "x"
		}
	}
	return d
}

// randomChunk makes n rows of a value.
func randomChunk(v *kernel.Value, n int, rnd *rand.Rand) *runtime.Chunk {
	c := &runtime.Chunk{Type: v.Type, Rows: n}
	if v.Nullable && rnd.IntN(4) > 0 {
		c.Valid = make([]byte, (n+7)/8)
		for i := range n {
			if rnd.IntN(5) > 0 {
				c.Valid[i>>3] |= 1 << (i & 7)
			} else {
				c.Nulls++
			}
		}
	}
	switch v.Type {
	case kernel.Bool:
		c.Enc, c.Bits = runtime.EncBits, make([]byte, (n+7)/8)
		for i := range c.Bits {
			c.Bits[i] = byte(rnd.Uint32())
		}
	case kernel.F64:
		c.Enc, c.F64 = runtime.EncF64, make([]float64, n)
		finite := rnd.IntN(8) != 0
		for i := range c.F64 {
			if c.F64[i] = randomFloat(rnd); finite && !isFinite(c.F64[i]) {
				c.F64[i] = 1
			}
		}
	case kernel.I128:
		c.Enc, c.I128 = runtime.EncI128, make([]value.Int128, n)
		for i := range c.I128 {
			c.I128[i] = value.Int128{Lo: rnd.Uint64(), Hi: int64(rnd.Uint64()) >> (1 + rnd.IntN(62))}
			if v.Range.Known {
				c.I128[i] = value.Int128Of(randomInt(v, rnd))
			}
		}
	case kernel.Str:
		randomTexts(c, v, rnd)
	default:
		randomIntegers(c, v, rnd)
	}
	return c
}

// randomTexts makes texts of up to eight characters, of more than one word of a sort
// key, one of which has two bytes; of values whose names say so they are ASCII's, those
// beside the letters among them, or have up to sixty characters.
func randomTexts(c *runtime.Chunk, v *kernel.Value, rnd *rand.Rand) {
	characters := []string{"a", "b", "ä"}
	if strings.HasPrefix(v.Name, "ascii") {
		characters = []string{"a", "B", "b", "z", "Z", "@", "[", "`", "{", "1"}
	}
	most := 8
	if strings.HasPrefix(v.Name, "long") {
		most = 60
	}
	c.Enc, c.Offsets = runtime.EncStr, make([]uint32, c.Rows+1)
	for i := range c.Rows {
		for range rnd.IntN(most + 1) {
			c.Bytes = append(c.Bytes, characters[rnd.IntN(len(characters))]...)
		}
		c.Offsets[i+1] = uint32(len(c.Bytes))
	}
}

func isFinite(x float64) bool { return x-x == 0 }

func randomFloat(rnd *rand.Rand) float64 {
	switch rnd.IntN(20) {
	case 0:
		return math.NaN()
	case 1:
		return math.Inf(1)
	case 2:
		return 0
	}
	return math.Round(rnd.NormFloat64()*1e4) / 16
}

// randomInt is in the range of a value; the ends are as frequent as all others.
func randomInt(v *kernel.Value, rnd *rand.Rand) int64 {
	lo, hi := int64(math.MinInt32), int64(math.MaxInt32)
	switch {
	case v.Range.Known:
		lo, hi = v.Range.Lo, v.Range.Hi
	case v.Type == kernel.I64:
		lo, hi = -1<<40, 1<<40
	case v.Type == kernel.Code:
		lo, hi = 0, 9
	}
	switch rnd.IntN(10) {
	case 0:
		return lo
	case 1:
		return hi
	}
	return lo + int64(rnd.Uint64N(uint64(hi-lo)+1))
}

// randomIntegers fills a chunk of integers or codes, in a narrow encoding where
// the values allow.
func randomIntegers(c *runtime.Chunk, v *kernel.Value, rnd *rand.Rand) {
	c.I64 = make([]int64, c.Rows)
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for i := range c.I64 {
		c.I64[i] = randomInt(v, rnd)
		lo, hi = min(lo, c.I64[i]), max(hi, c.I64[i])
	}
	c.Enc = runtime.EncI64
	c.HasRange, c.Min, c.Max = c.Nulls < c.Rows, lo, hi
	if uint64(hi-lo) > math.MaxUint32 || rnd.IntN(3) == 0 && v.Type != kernel.Code {
		return
	}
	c.Base, c.Enc = lo, runtime.EncU32
	switch width := uint64(hi - lo); {
	case width == 0:
		c.Enc = runtime.EncConst
	case width < 1<<8:
		c.Enc = runtime.EncU8
	case width < 1<<16:
		c.Enc = runtime.EncU16
	}
	for _, x := range c.I64 {
		switch off := uint64(x - lo); c.Enc {
		case runtime.EncU8:
			c.U8 = append(c.U8, uint8(off))
		case runtime.EncU16:
			c.U16 = append(c.U16, uint16(off))
		case runtime.EncU32:
			c.U32 = append(c.U32, uint32(off))
		}
	}
	c.I64 = nil
}

// rowTexts are the rows of a relation as text.
func rowTexts(rel runtime.Relation) ([]string, error) {
	all := make([]int, len(rel.Types()))
	for i := range all {
		all[i] = i
	}
	var rows []string
	for i := range rel.Blocks() {
		block, err := rel.Load(i, all)
		if err != nil {
			return nil, err
		}
		for row := range block.Rows {
			cells := make([]string, len(all))
			for k, c := range block.Cols {
				cells[k] = cell(c, row)
			}
			rows = append(rows, strings.Join(cells, " "))
		}
	}
	return rows, nil
}

// cell is a value as text: sums of double precision depend on the order of
// addition in their last digits, which are left out.
func cell(c *runtime.Chunk, row int) string {
	if !c.IsValid(row) {
		return "NULL"
	}
	if c.Type == kernel.F64 {
		return fmt.Sprintf("%s%.9g", about, c.F64[row])
	}
	if c.Type == kernel.Str {
		return strconv.Quote(c.TextAt(row))
	}
	t := algebra.TInt64
	if c.Type == kernel.I128 {
		t = algebra.TDecimal(38, 0)
	}
	return (&algebra.Const{Val: c.Value(row, t), Typ: t}).String()
}
