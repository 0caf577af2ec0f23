package cpu

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// expander makes the batches that go on after an instruction that makes other
// rows than it takes.
type expander struct {
	w    *worker
	live []kernel.ValueID
	out  Batch
	own  map[kernel.ValueID]*Vector // memory of the live values
	at   map[kernel.ValueID][]int32 // and of their places in stored columns
}

// newExpander makes an expander for the values live after an instruction; see
// uses.after.
func newExpander(w *worker, live []kernel.ValueID) *expander {
	x := &expander{w: w, live: live, own: make(map[kernel.ValueID]*Vector), at: make(map[kernel.ValueID][]int32)}
	x.out.Vals = append([]*Vector(nil), w.vals...)
	return x
}

// gather starts a batch whose row i is row rows[i] of b, with all rows active.
// There may be at most w.rows of them. Stored columns stay raw: only the places
// of their rows are gathered. The batch is valid until the next gather.
func (x *expander) gather(b *Batch, rows []int32) *Batch {
	x.out.Rows, x.out.Sel = len(rows), nil
	for _, id := range x.live {
		v := b.Vals[id]
		if v.Const {
			x.out.Vals[id] = v
			continue
		}
		own := x.own[id]
		if own == nil {
			own = newVector(v.Type, 0)
			x.own[id] = own
		}
		if v.Raw != nil {
			x.gatherRaw(id, own, v, rows)
		} else {
			x.gatherValues(own, v, rows)
		}
		x.out.Vals[id] = own
	}
	return &x.out
}

// single starts a batch of n rows that are all row r of b. The batch is valid until the
// next gather.
func (x *expander) single(b *Batch, r int32, n int) *Batch {
	out := x.gather(b, []int32{r})
	out.Rows = n
	for _, id := range x.live {
		v := out.Vals[id]
		if v.Raw != nil {
			v.decode(1, nil)
		}
		v.Const = true
	}
	return out
}

// gatherRaw gathers the places of a raw vector's rows.
func (x *expander) gatherRaw(id kernel.ValueID, own, v *Vector, rows []int32) {
	at := x.at[id]
	if at == nil {
		at = make([]int32, x.w.rows)
		x.at[id] = at
	}
	at = at[:len(rows)]
	if v.At == nil {
		for i, r := range rows {
			at[i] = int32(v.Start) + r
		}
	} else {
		for i, r := range rows {
			at[i] = v.At[r]
		}
	}
	own.Raw, own.At, own.Dict, own.seen, own.Const = v.Raw, at, v.Dict, v.seen, false
}

// gatherValues gathers the rows of a decoded vector.
func (x *expander) gatherValues(own, v *Vector, rows []int32) {
	own.reserve(x.w.rows) // earlier rows may have been raw, and decoded where there was room for these alone
	own.Raw, own.Dict, own.Const, own.Null = nil, v.Dict, false, nil
	if v.Null != nil {
		own.Null = gatherInto(own.nullBuffer(len(rows)), v.Null, rows)
	}
	own.vals.share(own.buf.vals, 0, len(rows))
	own.vals.gather(v.vals, rows)
}

// repeat compiles a Repeat.
func (c *compiler) repeat(in *kernel.Repeat, live []kernel.ValueID) (stage, error) {
	w := c.w
	x := newExpander(w, slices.DeleteFunc(slices.Clone(live), func(id kernel.ValueID) bool { return id == in.Index }))
	rows := make([]int32, 0, w.rows)
	index := newVector(kernel.I64, w.rows)
	numbers := of[int64](index)
	return stage{expand: func(next consumer) consumer {
		flush := func(b *Batch) error {
			if len(rows) == 0 {
				return nil
			}
			if err := w.poll(); err != nil {
				return err
			}
			out := x.gather(b, rows)
			if in.Index != kernel.NoValue {
				set(index, numbers[:len(rows)])
				out.Vals[in.Index] = index
			}
			rows = rows[:0]
			return next(out)
		}
		return func(b *Batch) error {
			count := b.value(in.Count)
			for _, i := range b.rows() {
				k := i
				if count.Const {
					k = 0
				}
				if count.Null != nil && count.Null[k] != 0 {
					continue
				}
				for n := range of[int64](count)[k] {
					numbers[len(rows)] = n + 1
					rows = append(rows, i)
					if len(rows) == w.rows {
						if err := flush(b); err != nil {
							return err
						}
					}
				}
			}
			return flush(b)
		}
	}}, nil
}
