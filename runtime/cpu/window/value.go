package window

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/spare"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// computed is a column whose values are there for all rows.
type computed struct {
	*windowTask
	v *vector.Vector
}

func (c computed) Chunks(lo, hi int) []*runtime.Chunk {
	v := &vector.Vector{Type: c.v.Type, Null: vector.SliceOf(c.v.Null, lo, hi)}
	v.Column().Share(c.v.Vals, lo, hi)
	return []*runtime.Chunk{c.encode(v, hi-lo)}
}

// encode makes a chunk of the result of a decoded vector, which it does not keep.
func (t *windowTask) encode(v *vector.Vector, rows int) *runtime.Chunk {
	if v.Type == kernel.Str {
		return exec.Encode(&t.mem, v, rows)
	}
	var all vector.Rows
	all.Set(vector.Identity(rows))
	b := vector.NewChunkBuilder(v.Type, t.Run.Mem.Arrays)
	b.Grow(rows)
	b.Append(v, &all)
	return b.Finish(t.Run.Life())
}

// newComputed makes a column for all rows of a task.
func (t *windowTask) newComputed(typ kernel.Type) computed {
	t.grow(vector.ValueBytes(typ) * int64(t.rows()))
	v := &vector.Vector{Type: typ}
	v.Column().Grow(t.rows(), t.mem.Arrays)
	v.Column().Extend(t.rows())
	return computed{t, v}
}

// numbers computes row_number, rank and dense_rank.
func (t *windowTask) numbers(f kernel.WindowFunc) windowColumn {
	col := t.newComputed(kernel.I64)
	dst := vector.Of[int64](col.v)
	if f == kernel.WindowRowNumber {
		for _, p := range t.parts {
			for i := range dst[p.lo:p.hi] {
				dst[int(p.lo)+i] = int64(i) + 1
			}
		}
		return col
	}
	for i := range dst {
		if p := t.partition(i); f == kernel.WindowRank {
			dst[i] = int64(t.peers(i).lo-p.lo) + 1
		} else {
			dst[i] = int64(t.group[i]-t.group[p.lo]) + 1
		}
	}
	return col
}

// shares computes percent_rank and cume_dist.
func (t *windowTask) shares(f kernel.WindowFunc) windowColumn {
	col := t.newComputed(kernel.F64)
	dst := vector.Of[float64](col.v)
	for i := range dst {
		p, peers := t.partition(i), t.peers(i)
		switch n := float64(p.hi - p.lo); {
		case f == kernel.WindowCumeDist:
			dst[i] = float64(peers.hi-p.lo) / n
		case n > 1:
			dst[i] = float64(peers.lo-p.lo) / (n - 1)
		}
	}
	return col
}

// ntile divides each partition into as many parts as its first row says, the
// first ones larger by one where they cannot be equal.
func (t *windowTask) ntile(c *kernel.WindowCall) windowColumn {
	col := t.newComputed(kernel.I32)
	arg, dst := t.column(c.Args[0]), vector.Of[int32](col.v)
	col.v.Null = make([]uint8, t.rows())
	for _, p := range t.parts {
		if arg.IsNull(int(p.lo)) {
			vector.Fill(col.v.Null[p.lo:p.hi], 1)
			continue
		}
		parts := vector.Of[int32](arg)[int(p.lo)&arg.Mask()]
		if parts <= 0 {
			panic(value.Errorf(value.CodeInvalidNtile, "argument of ntile must be greater than zero"))
		}
		size, larger := (p.hi-p.lo)/parts, (p.hi-p.lo)%parts
		for i := p.lo; i < p.hi; i++ {
			at, border := i-p.lo, larger*(size+1)
			if at < border {
				dst[i] = at/(size+1) + 1
			} else {
				dst[i] = larger + (at-border)/size + 1
			}
		}
	}
	return col
}

// picked is a column that takes for each row the value of some row, or NULL.
type picked struct {
	*windowTask
	src *vector.Vector
	at  []int32 // −1: NULL
}

func (c *picked) Chunks(lo, hi int) []*runtime.Chunk {
	from := spare.New[vector.Entry](c.mem.Arrays, hi-lo)
	defer spare.Release(c.mem.Arrays, from)
	for i, at := range c.at[lo:hi] {
		from[i] = vector.Entry{Row: uint32(int(max(at, 0)) & c.src.Mask())}
	}
	v := &vector.Vector{Type: c.src.Type}
	v.Column().Grow(hi-lo, c.mem.Arrays)
	defer v.Column().Free(c.mem.Arrays)
	v.TakeRows([]*vector.Vector{c.src}, from)
	if v.Null == nil {
		v.Null = make([]uint8, hi-lo)
	}
	for i, at := range c.at[lo:hi] {
		v.Null[i] |= vector.B2u(at < 0)
	}
	return []*runtime.Chunk{c.encode(v, hi-lo)}
}

// newPicked makes a column that picks from an operand.
func (t *windowTask) newPicked(id kernel.ValueID) *picked {
	t.grow(4 * int64(t.rows()))
	return &picked{windowTask: t, src: t.column(id), at: spare.New[int32](t.mem.Arrays, t.rows())}
}

// neighbor computes lag and lead.
func (t *windowTask) neighbor(c *kernel.WindowCall) windowColumn {
	col := t.newPicked(c.Args[0])
	by := t.column(c.Args[1])
	offsets, mask := vector.Of[int32](by), by.Mask()
	for i := range col.at {
		col.at[i] = -1
		if by.IsNull(i) {
			continue
		}
		offset := int64(offsets[i&mask])
		if c.Func == kernel.WindowLag {
			offset = -offset
		}
		at := int64(i) + offset
		if p := t.partition(i); at >= int64(p.lo) && at < int64(p.hi) {
			col.at[i] = int32(at)
		}
	}
	return col
}

// nth computes first_value, last_value and nth_value.
func (t *windowTask) nth(c *kernel.WindowCall) windowColumn {
	col := t.newPicked(c.Args[0])
	frames := t.framesOf(c)
	for i := range col.at {
		skip := int32(0)
		if c.Func == kernel.WindowNthValue {
			n := t.column(c.Args[1])
			if n.IsNull(i) {
				col.at[i] = -1
				continue
			}
			if skip = vector.Of[int32](n)[i&n.Mask()] - 1; skip < 0 {
				panic(value.Errorf(value.CodeInvalidNthValue, "argument of nth_value must be greater than zero"))
			}
		}
		at := int32(-1)
		frames.each(i, func(s span) {
			switch {
			case c.Func == kernel.WindowLastValue:
				at = s.hi - 1
			case skip < 0 || at >= 0:
			case skip < s.hi-s.lo:
				at = s.lo + skip
			default:
				skip -= s.hi - s.lo
			}
		})
		col.at[i] = at
	}
	return col
}
