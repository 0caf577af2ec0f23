package vector

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
)

// storedTexts is a chunk of random texts.
func storedTexts(rnd *rand.Rand, rows int) *runtime.Chunk {
	c := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: rows, Offsets: []uint32{0}}
	for range rows {
		text := strings.Repeat(string(rune('a'+rnd.IntN(26))), rnd.IntN(3)*rnd.IntN(20))
		c.Bytes = append(c.Bytes, text...)
		c.Offsets = append(c.Offsets, uint32(len(c.Bytes)))
	}
	return c
}

// storedNumbers is a chunk of random integers, codes or double precision numbers, whose
// magnitude is random too.
func storedNumbers(rnd *rand.Rand, typ kernel.Type, rows int) *runtime.Chunk {
	if typ == kernel.F64 {
		v := New(typ, rows)
		for i := range rows {
			Of[float64](v)[i] = rnd.NormFloat64()
		}
		return Encode(v, rows)
	}
	base, width := int64(0), uint64(1)<<rnd.IntN(20)
	switch typ {
	case kernel.I32:
		base, width = rnd.Int64N(1<<31)-1<<30, uint64(1)<<rnd.IntN(30)
	case kernel.I64:
		base, width = int64(rnd.Uint64())>>rnd.IntN(62), uint64(1)<<rnd.IntN(64)
	}
	v := New(typ, rows)
	for i := range rows {
		switch x := base + int64(rnd.Uint64N(width)); typ {
		case kernel.I32:
			Of[int32](v)[i] = int32(x)
		case kernel.I64:
			Of[int64](v)[i] = x
		default:
			Of[uint32](v)[i] = uint32(x)
		}
	}
	return Encode(v, rows)
}

// addNulls makes random rows of a chunk NULL.
func addNulls(rnd *rand.Rand, c *runtime.Chunk) {
	null := make([]uint8, c.Rows)
	for i := range null {
		null[i] = B2u(rnd.IntN(4) == 0)
	}
	EncodeNulls(c, null, c.Rows)
}

// randomVector is a vector of a batch of 100 rows of a chunk, raw or decoded.
func randomVector(rnd *rand.Rand, c *runtime.Chunk) *Vector {
	v := &Vector{Type: c.Type, Raw: c, Dict: c.Dict}
	if c.Rows == 0 {
		v.At = slices.Repeat([]int32{-1}, 100)
		return v
	}
	v.Start = rnd.IntN(c.Rows - 100)
	if rnd.IntN(2) == 0 {
		missing := rnd.IntN(2) == 0
		for range 100 {
			at := int32(rnd.IntN(c.Rows))
			if missing && rnd.IntN(5) == 0 {
				at = -1
			}
			v.At = append(v.At, at)
		}
	}
	if rnd.IntN(3) == 0 {
		v.Decode(100, nil)
	}
	return v
}

// show is row i of a decoded vector as text.
func show(v *Vector, i int32) string {
	k := int(i) & v.Mask()
	switch {
	case v.IsNull(int(i)):
		return "NULL"
	case v.Type == kernel.Str:
		return Of[string](v)[k]
	case v.Type == kernel.F64:
		return fmt.Sprint(math.Float64bits(Of[float64](v)[k]))
	}
	return fmt.Sprint(integerAt(v, k))
}

// TestChunkBuilder appends rows of stored and of decoded vectors, some of which are NULL,
// of chunks whose bounds differ, and compares what a chunk has of them; then it joins
// chunks.
func TestChunkBuilder(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	var pool spare.Pool
	for range 3000 {
		typ := []kernel.Type{kernel.I32, kernel.I64, kernel.Code, kernel.F64, kernel.Str}[rnd.IntN(5)]
		arrays := spare.NewArrays(&pool)
		builder := NewChunkBuilder(typ, arrays)
		var parts []*runtime.Chunk
		var all []string
		for range 1 + rnd.IntN(3) {
			var want []string
			for range 1 + rnd.IntN(4) {
				want = append(want, appendRandom(t, rnd, builder)...)
			}
			c := builder.Finish(Lifetime(rnd.IntN(3)))
			compareChunk(t, c, want)
			parts, all = append(parts, c), append(all, want...)
		}
		compareChunk(t, Join(typ, parts, nil, arrays), all)
		var order []int32
		var arranged []string
		for _, i := range rnd.Perm(len(all)) {
			order, arranged = append(order, int32(i)), append(arranged, all[i])
		}
		compareChunk(t, Join(typ, parts, order, arrays), arranged)
		arrays.End()
	}
}

// appendRandom appends some rows to a builder, and returns them.
func appendRandom(t *testing.T, rnd *rand.Rand, to *ChunkBuilder) (want []string) {
	const rows = 200
	var c *runtime.Chunk
	if rnd.IntN(10) == 0 {
		c = NewChunkBuilder(to.typ, nil).Finish(Lasting) // of which no row can be a match
	} else if to.typ == kernel.Str {
		c = storedTexts(rnd, rows)
	} else {
		c = storedNumbers(rnd, to.typ, rows)
	}
	if c.Rows > 0 && rnd.IntN(3) == 0 {
		addNulls(rnd, c)
	}
	v := randomVector(rnd, c)
	decoded := *v
	if v.Raw != nil {
		decoded.Decode(100, nil)
	}
	list := Identity(100)[rnd.IntN(50):]
	if rnd.IntN(2) == 0 {
		list = slices.DeleteFunc(slices.Clone(list[1:]), func(int32) bool { return rnd.IntN(3) == 0 })
	}
	if len(list) == 0 {
		return nil
	}
	for _, i := range list {
		want = append(want, show(&decoded, i))
	}
	var taken Rows
	taken.Set(list)
	size := to.Size(&Batch{Rows: 100}, v, &taken)
	texts := to.Texts()
	if texts == nil {
		to.Grow(to.rows + rnd.IntN(200))
		to.Append(v, &taken)
		return want
	}
	texts.Grow(to.rows+len(list), texts.Size()+int(size))
	before := texts.Size()
	to.Append(v, &taken)
	if int64(texts.Size()-before) != size || texts.Size() > texts.Room() {
		t.Fatalf("%d bytes appended, of which Size says %d", texts.Size()-before, size)
	}
	return want
}

// compareChunk compares the rows of a chunk, and sees that its integers are as narrow as
// they can be and have exact bounds.
func compareChunk(t *testing.T, c *runtime.Chunk, want []string) {
	t.Helper()
	if c.Rows != len(want) {
		t.Fatalf("%d rows, want %d", c.Rows, len(want))
	}
	if c.Rows == 0 {
		return
	}
	v := &Vector{Type: c.Type, Raw: c, Dict: c.Dict}
	v.Decode(c.Rows, nil)
	for i, text := range want {
		if got := show(v, int32(i)); got != text {
			t.Fatalf("type %d, encoding %d: row %d of %d is %q, want %q", c.Type, c.Enc, i, len(want), got, text)
		}
	}
	if e := Encode(v, c.Rows); e.Enc != c.Enc || e.HasRange != c.HasRange || e.Min != c.Min || e.Max != c.Max || e.Nulls != c.Nulls {
		t.Fatalf("type %d: encoding %d of %d to %d with %d NULLs, want %d of %d to %d with %d", c.Type, c.Enc, c.Min, c.Max, c.Nulls, e.Enc, e.Min, e.Max, e.Nulls)
	}
	if small := c.Enc == runtime.EncU8 || c.Enc == runtime.EncU16; small && c.Type != kernel.Code && c.Base != c.Min {
		t.Fatalf("type %d: offsets from %d of integers from %d", c.Type, c.Base, c.Min)
	}
}

// TestFewMoves widens the bounds of integers batch by batch on both sides, and sees that
// what has come is moved a few times only.
func TestFewMoves(t *testing.T) {
	v := New(kernel.I64, 2)
	builder := NewChunkBuilder(kernel.I64, nil)
	var both Rows
	both.Set(Identity(2))
	ints, moves := builder.vals.(*integers), 0
	for i := range int64(20_000) {
		Of[int64](v)[0], Of[int64](v)[1] = -i*i, i*i+i
		base := ints.base
		builder.Append(v, &both)
		if i > 0 && ints.base != base {
			moves++
		}
	}
	if moves > 12 {
		t.Errorf("%d moves of the base", moves)
	}
	c := builder.Finish(Lasting)
	if c.Min != -19_999*19_999 || c.Max != 19_999*20_000 {
		t.Errorf("bounds %d to %d", c.Min, c.Max)
	}
}
