package compile

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// Expander makes the batches that go on after an instruction that makes other
// rows than it takes.
type Expander struct {
	w    *exec.Worker
	live []kernel.ValueID
	out  vector.Batch
	own  map[kernel.ValueID]*vector.Vector // memory of the live values
	at   map[kernel.ValueID][]int32        // and of their places in stored columns
}

// NewExpander makes an expander for the values live after an instruction; see
// uses.after.
func NewExpander(w *exec.Worker, live []kernel.ValueID) *Expander {
	x := &Expander{w: w, live: live, own: make(map[kernel.ValueID]*vector.Vector), at: make(map[kernel.ValueID][]int32)}
	x.out.Vals = append([]*vector.Vector(nil), w.Vals...)
	return x
}

// Gather starts a batch whose row i is row rows[i] of b, with all rows active.
// There may be at most w.rows of them. Stored columns stay raw: only the places
// of their rows are gathered. The batch is valid until the next gather.
func (x *Expander) Gather(b *vector.Batch, rows []int32) *vector.Batch {
	x.out.Rows, x.out.Sel = len(rows), nil
	for _, id := range x.live {
		v := b.Vals[id]
		if v.Const {
			x.out.Vals[id] = v
			continue
		}
		own := x.own[id]
		if own == nil {
			own = vector.New(v.Type, 0)
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

// Single starts a batch of n rows that are all row r of b. The batch is valid until the
// next gather.
func (x *Expander) Single(b *vector.Batch, r int32, n int) *vector.Batch {
	out := x.Gather(b, []int32{r})
	out.Rows = n
	for _, id := range x.live {
		v := out.Vals[id]
		if v.Raw != nil {
			v.Decode(1, nil)
		}
		v.Const = true
	}
	return out
}

// gatherRaw gathers the places of a raw vector's rows.
func (x *Expander) gatherRaw(id kernel.ValueID, own, v *vector.Vector, rows []int32) {
	at := x.at[id]
	if at == nil {
		at = make([]int32, x.w.Rows)
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
	own.Raw, own.At, own.Dict, own.Seen, own.Const, own.Fleeting = v.Raw, at, v.Dict, v.Seen, false, false
}

// gatherValues gathers the rows of a decoded vector.
func (x *Expander) gatherValues(own, v *vector.Vector, rows []int32) {
	own.Reserve(x.w.Rows) // earlier rows may have been raw, and decoded where there was room for these alone
	own.Raw, own.Dict, own.Const, own.Null, own.Fleeting = nil, v.Dict, false, nil, v.Fleeting
	if v.Null != nil {
		own.Null = vector.GatherInto(own.NullBuffer(len(rows)), v.Null, rows)
	}
	own.Vals.Share(own.Buf.Vals, 0, len(rows))
	own.Vals.Gather(v.Vals, rows)
}

// repeat compiles a Repeat.
func (c *Compiler) repeat(in *kernel.Repeat, live []kernel.ValueID) Stage {
	w := c.Worker
	x := NewExpander(w, slices.DeleteFunc(slices.Clone(live), func(id kernel.ValueID) bool { return id == in.Index }))
	rows := make([]int32, 0, w.Rows)
	index := vector.New(kernel.I64, w.Rows)
	numbers := vector.Of[int64](index)
	return Stage{Expand: func(next exec.Consumer) exec.Consumer {
		flush := func(b *vector.Batch) {
			if len(rows) == 0 {
				return
			}
			w.Poll()
			out := x.Gather(b, rows)
			if in.Index != kernel.NoValue {
				vector.Set(index, numbers[:len(rows)])
				out.Vals[in.Index] = index
			}
			rows = rows[:0]
			next(out)
		}
		return func(b *vector.Batch) {
			count := b.Value(in.Count)
			for _, i := range b.ActiveRows() {
				k := i
				if count.Const {
					k = 0
				}
				if count.Null != nil && count.Null[k] != 0 {
					continue
				}
				for n := range vector.Of[int64](count)[k] {
					numbers[len(rows)] = n + 1
					rows = append(rows, i)
					if len(rows) == w.Rows {
						flush(b)
					}
				}
			}
			flush(b)
		}
	}}
}
