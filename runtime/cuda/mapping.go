package cuda

import (
	"encoding/binary"
	"errors"
	"math"
	"slices"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// evaluateMap computes a Map for all entries of a dictionary on the CPU.
func (r *run) evaluateMap(in *kernel.Map, f *kernel.Func, dict *runtime.Dictionary) (*mapTable, error) {
	n := 1
	if dict != nil {
		n += len(dict.Texts)
	}
	t := &mapTable{typ: r.f.Values[in.Dst].Type, state: make([]uint8, n), errs: make(map[int]error)}
	t.data = make([]byte, mapBytes(t.typ, n))
	if t.typ == kernel.Code {
		t.dict, t.codes = &runtime.Dictionary{}, make(map[string]uint32)
	}
	texts := &texts{entries: n}
	if dict != nil {
		texts.dict = dict.Texts
	}
	return t, r.mapRange(t, f, texts, 0, n)
}

// mapBytes is the memory of n results.
func mapBytes(t kernel.Type, n int) int {
	switch t {
	case kernel.Bool:
		return (n + 31) / 32 * 4
	case kernel.I32, kernel.Code:
		return 4 * n
	case kernel.I128:
		return 16 * n
	case kernel.Num:
		return 24 * n
	}
	return 8 * n
}

// mapRange evaluates the entries from lo up to hi. Where one of them raises an
// error, each half is evaluated on its own, until the entry stands alone. An error that
// the body cannot raise, such as a lack of memory, is that of the statement: the
// kernel looks for no other.
func (r *run) mapRange(t *mapTable, f *kernel.Func, in *texts, lo, hi int) error {
	part := *in
	part.lo, part.hi = lo, hi
	out, _, err := r.backend.cpu.Run(r.ctx, f, []any{&part}, &runtime.RunOptions{Threads: 1, Account: r.opts.Account})
	var raised *value.Error
	switch {
	case err == nil:
		defer out.Release()
		return t.take(out.(runtime.Relation), lo)
	case !errors.As(err, &raised) || r.ctx.Err() != nil || raised.Code == value.CodeInternal || !f.BlockCanRaise(f.Body):
		return err
	case hi-lo == 1:
		t.state[lo], t.errs[lo] = cudagen.MapError, err
		return nil
	}
	mid := (lo + hi) / 2
	if err := r.mapRange(t, f, in, lo, mid); err != nil {
		return err
	}
	return r.mapRange(t, f, in, mid, hi)
}

// mapKernel is a kernel that computes the body of a Map, which reads the constants
// params, for a column of texts.
func (r *run) mapKernel(in *kernel.Map, params []kernel.Param) *kernel.Func {
	return &kernel.Func{
		Name:   "map",
		Inputs: []kernel.Input{{Kind: kernel.RelationInput, Name: "dictionary"}},
		Params: params, Values: r.f.Values, Dicts: r.f.Dicts,
		Source: &kernel.Scan{Cols: []kernel.SourceCol{{Dst: in.Arg}}},
		Body:   in.Body,
		Sink:   &kernel.Materialize{Cols: []kernel.ValueID{in.Result}, Limit: -1, Ordered: true},
	}
}

// mapParams are the constants that the body of a Map reads.
func (r *run) mapParams(in *kernel.Map) []kernel.Param {
	read := map[kernel.ValueID]bool{in.Result: true}
	kernel.VisitBlock(in.Body, func(id *kernel.ValueID) { read[*id] = true })
	var params []kernel.Param
	for _, p := range r.f.Params {
		if read[p.Dst] {
			params = append(params, p)
		}
	}
	return params
}

// take notes the results of the entries from at on.
func (t *mapTable) take(rel runtime.Relation, at int) error {
	for i := range rel.Blocks() {
		block, err := rel.Load(i, []int{0})
		if err != nil {
			return err
		}
		c := block.Cols[0]
		for row := range block.Rows {
			t.state[at] = cudagen.MapNull
			if c.IsValid(row) {
				t.state[at] = cudagen.MapValue
				t.put(at, c, row)
			}
			at++
		}
	}
	return nil
}

// put notes the result of entry i, which is row row of a chunk.
func (t *mapTable) put(i int, c *runtime.Chunk, row int) {
	le := binary.LittleEndian
	switch t.typ {
	case kernel.Bool:
		if c.Bits[row>>3]>>(row&7)&1 != 0 {
			t.data[i>>3] |= 1 << (i & 7)
		}
	case kernel.I32:
		le.PutUint32(t.data[4*i:], uint32(c.Int(row)))
	case kernel.Code:
		le.PutUint32(t.data[4*i:], t.code(c.TextAt(row)))
	case kernel.I64:
		le.PutUint64(t.data[8*i:], uint64(c.Int(row)))
	case kernel.F64:
		le.PutUint64(t.data[8*i:], math.Float64bits(c.F64[row]))
	case kernel.Num:
		le.PutUint64(t.data[24*i:], c.Nums[row].Coef.Lo)
		le.PutUint64(t.data[24*i+8:], uint64(c.Nums[row].Coef.Hi))
		le.PutUint64(t.data[24*i+16:], uint64(c.Nums[row].Scale))
	case kernel.I128:
		x := value.Int128Of(0)
		if c.Enc == runtime.EncI128 {
			x = c.I128[row]
		} else {
			x = value.Int128Of(c.Int(row))
		}
		le.PutUint64(t.data[16*i:], x.Lo)
		le.PutUint64(t.data[16*i+8:], uint64(x.Hi))
	}
}

// code returns the code of a text in the new dictionary.
func (t *mapTable) code(text string) uint32 {
	code, ok := t.codes[text]
	if !ok {
		code = uint32(len(t.dict.Texts))
		t.dict.Texts = append(t.dict.Texts, text)
		t.codes[text] = code
	}
	return code
}

// mapError is the error of an entry of a Map.
func (r *run) mapError(in *kernel.Map, entry uint64) error {
	if i := slices.Index(r.module.Maps, in); i >= 0 && i < len(r.maps) {
		return r.maps[i].errs[int(entry)]
	}
	return errInternal("kernel %s reports an error of a map that it does not have", r.f.Name)
}

// Types implements runtime.Relation.
func (t *texts) Types() []kernel.Type { return []kernel.Type{kernel.Str} }

// Blocks implements runtime.Relation.
func (t *texts) Blocks() int { return 1 }

// Rows implements runtime.Relation.
func (t *texts) Rows() int64 { return int64(t.hi - t.lo) }

// Range implements runtime.Relation.
func (t *texts) Range(int, int) (lo, hi int64, all, ok bool) { return 0, 0, false, false }

// Load implements runtime.Relation.
func (t *texts) Load(int, []int) (runtime.Block, error) {
	n := t.hi - t.lo
	c := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: n, Offsets: make([]uint32, 1, n+1)}
	for i := t.lo; i < t.hi; i++ {
		if i > 0 {
			c.Bytes = append(c.Bytes, t.dict[i-1]...)
		}
		c.Offsets = append(c.Offsets, uint32(len(c.Bytes)))
	}
	if t.lo == 0 {
		c.Valid = make([]byte, (n+7)/8)
		for i := 1; i < n; i++ {
			c.Valid[i>>3] |= 1 << (i & 7)
		}
		c.Nulls = 1
	}
	return runtime.Block{Rows: n, Cols: []*runtime.Chunk{c}}, nil
}
