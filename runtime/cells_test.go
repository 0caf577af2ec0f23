package runtime

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// cellColumn is a type with its physical form and a source of values.
type cellColumn struct {
	typ  algebra.Type
	phys kernel.Type
	next func(*rand.Rand) value.Value
}

// integers spreads over all magnitudes.
func integers(bits int) func(*rand.Rand) value.Value {
	return func(r *rand.Rand) value.Value {
		x := int64(r.Uint64()) >> (64 - bits) >> r.IntN(bits)
		return value.Value{Kind: value.Int, I: x}
	}
}

// decimals are numerics of up to so many bits.
func decimals(bits uint, scale func(*rand.Rand) int) func(*rand.Rand) value.Value {
	return func(r *rand.Rand) value.Value {
		wide := value.Int128{Lo: r.Uint64(), Hi: int64(r.Uint64() >> 6)}.Big()
		wide.Rsh(wide, 122-bits+uint(r.IntN(int(bits))))
		if r.IntN(2) == 0 {
			wide.Neg(wide)
		}
		coef, _ := value.Int128FromBig(wide)
		return value.Value{Kind: value.Decimal, Num: value.Num{Coef: coef, Scale: uint8(scale(r))}}
	}
}

func fixed(scale int) func(*rand.Rand) int { return func(*rand.Rand) int { return scale } }

var cellColumns = []cellColumn{
	{algebra.TBool, kernel.Bool, func(r *rand.Rand) value.Value { return value.Value{Kind: value.Bool, B: r.IntN(2) == 0} }},
	{algebra.TInt16, kernel.I32, integers(16)},
	{algebra.TInt32, kernel.I32, integers(32)},
	{algebra.TInt64, kernel.I64, integers(64)},
	{algebra.TDate, kernel.I32, integers(22)},
	{algebra.TTimestamp, kernel.I64, integers(57)},
	{algebra.TFloat64, kernel.F64, func(r *rand.Rand) value.Value {
		return value.Value{Kind: value.Float, F: math.Ldexp(r.NormFloat64(), r.IntN(200)-100)}
	}},
	{algebra.TInterval, kernel.Interval, func(r *rand.Rand) value.Value {
		return value.Value{Kind: value.Intervals, Interval: value.Interval{Months: int32(r.Uint32()), Days: int32(r.Uint32()), Micros: int64(r.Uint64()) >> r.IntN(64)}}
	}},
	{algebra.TText, kernel.Str, func(r *rand.Rand) value.Value {
		return value.Value{Kind: value.Text, S: fmt.Sprint(r.Uint64() >> r.IntN(64))}
	}},
	{algebra.Type{Kind: algebra.Decimal, Precision: 38, Scale: 5}, kernel.I128, decimals(122, fixed(5))},
	{algebra.Type{Kind: algebra.Decimal, Precision: 38, Scale: 18}, kernel.I128, decimals(80, fixed(18))},
	{algebra.TNumeric, kernel.Num, decimals(62, func(r *rand.Rand) int { return r.IntN(22) })},
	{algebra.TNumeric, kernel.Num, decimals(122, func(r *rand.Rand) int { return r.IntN(256) })},
}

// TestCells checks both formats of every type against the formats of single
// values.
func TestCells(t *testing.T) {
	const rows = 700
	r := rand.New(rand.NewPCG(1, 2))
	for _, col := range cellColumns {
		values := make([]value.Value, rows)
		for i := range values {
			if r.IntN(10) > 0 {
				values[i] = col.next(r)
			}
		}
		checkCells(t, chunkOf(col.phys, values), col.typ, values)
		dense := make([]value.Value, rows)
		for i := range dense {
			dense[i] = col.next(r)
		}
		checkCells(t, chunkOf(col.phys, dense), col.typ, dense)
		checkCells(t, chunkOf(col.phys, make([]value.Value, rows)), col.typ, make([]value.Value, rows))
	}
}

// TestStoredCells checks the encodings of integers, dictionaries among them.
func TestStoredCells(t *testing.T) {
	texts := &Dictionary{Texts: []string{"", "one", "two", "three"}}
	money := algebra.Type{Kind: algebra.Decimal, Precision: 10, Scale: 2}
	for _, c := range []struct {
		chunk *Chunk
		typ   algebra.Type
	}{
		{&Chunk{Type: kernel.Code, Enc: EncU8, U8: []uint8{0, 1, 3, 2}, Dict: texts}, algebra.TText},
		{&Chunk{Type: kernel.Code, Enc: EncI64, I64: []int64{0, 1, 3, 2}, Dict: texts}, algebra.TText},
		{&Chunk{Type: kernel.Code, Enc: EncConst, Base: 2, Dict: texts}, algebra.TText},
		{&Chunk{Type: kernel.I32, Enc: EncU16, U16: []uint16{0, 99, 100, 65535}, Base: -100}, algebra.TInt32},
		{&Chunk{Type: kernel.I64, Enc: EncU32, U32: []uint32{0, 99, 100, 1 << 31}, Base: -1 << 40}, money},
		{&Chunk{Type: kernel.I128, Enc: EncU8, U8: []uint8{0, 99, 100, 255}, Base: -200}, money},
		{&Chunk{Type: kernel.I64, Enc: EncConst, Base: math.MinInt64}, algebra.TInt64},
		{&Chunk{Type: kernel.I32, Enc: EncU32, U32: []uint32{0, math.MaxUint32, 1 << 31, 1<<31 + 9}, Base: math.MinInt32}, algebra.TDate},
		{&Chunk{Type: kernel.I64, Enc: EncI64, I64: []int64{value.Infinity, value.MinusInfinity, 0, value.MinTimestamp}}, algebra.TTimestamp},
	} {
		c.chunk.Rows = 4
		values := make([]value.Value, c.chunk.Rows)
		for i := range values {
			values[i] = c.chunk.Value(i, c.typ)
		}
		checkCells(t, c.chunk, c.typ, values)
	}
}

// checkCells formats all of a chunk, a part at a time, with cells that have been
// used.
func checkCells(t *testing.T, chunk *Chunk, typ algebra.Type, values []value.Value) {
	t.Helper()
	var text, binary Cells
	for from := 0; from < len(values); from += 300 {
		to := min(from+300, len(values))
		text.Text(chunk, typ, from, to)
		binary.Binary(chunk, typ, from, to)
		for i, v := range values[from:to] {
			if null := v.Kind == value.Null; text.IsNull(i) != null || binary.IsNull(i) != null {
				t.Fatalf("%v: row %d: NULL is %t", typ, from+i, null)
			} else if null {
				continue
			}
			want := string(AppendText(nil, v, typ, value.Style{}, nil))
			if got := string(text.Bytes(i)); got != want {
				t.Fatalf("%v: row %d: %q, want %q", typ, from+i, got, want)
			}
			back, err := ParseBinary(binary.Bytes(i), typ)
			if err != nil {
				t.Fatalf("%v: row %d, %s: %v", typ, from+i, want, err)
			}
			if got := string(AppendText(nil, back, typ, value.Style{}, nil)); got != want {
				t.Fatalf("%v: row %d: binary reads as %q, want %q", typ, from+i, got, want)
			}
		}
		text.Release()
		binary.Release()
	}
}

// TestDecimalText checks the text of numerics against that of big integers.
func TestDecimalText(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		v := decimals(uint(1+r.IntN(121)), func(r *rand.Rand) int { return r.IntN(40) })(r)
		rat := new(big.Rat).SetFrac(v.Num.Coef.Big(), new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(v.Num.Scale)), nil))
		if got, want := v.Num.String(), rat.FloatString(int(v.Num.Scale)); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	}
}
