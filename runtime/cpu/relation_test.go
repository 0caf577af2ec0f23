package cpu

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// column is a column of a test relation: a NULL is nil, else each value has the
// Go type that goes with the kernel type.
type column struct {
	typ  kernel.Type
	vals []any
}

// col makes a column.
func col(t kernel.Type, vals ...any) column { return column{t, vals} }

// dec is a numeric.
func dec(coef int64, scale uint8) value.Num { return value.Num{Coef: i128(coef), Scale: scale} }

// i128 is a small 128-bit integer.
func i128(x int64) value.Int128 { return value.Int128{Lo: uint64(x), Hi: x >> 63} }

// memoryTable is a relation in memory.
type memoryTable struct {
	types  []kernel.Type
	blocks []runtime.Block
	rows   int64
}

// Types implements runtime.Relation.
func (m *memoryTable) Types() []kernel.Type { return m.types }

// Blocks implements runtime.Relation.
func (m *memoryTable) Blocks() int { return len(m.blocks) }

// Load implements runtime.Relation.
func (m *memoryTable) Load(i int, _ []int) (runtime.Block, error) { return m.blocks[i], nil }

// Range implements runtime.Relation.
func (m *memoryTable) Range(i, ordinal int) (lo, hi int64, all, ok bool) {
	c := m.blocks[i].Cols[ordinal]
	return c.Min, c.Max, c.Nulls == 0, c.HasRange
}

// Rows implements runtime.Relation.
func (m *memoryTable) Rows() int64 { return m.rows }

// table makes a relation with blockRows rows in each block but the last.
func table(blockRows int, cols ...column) *memoryTable {
	rel := &memoryTable{}
	for _, c := range cols {
		rel.types = append(rel.types, c.typ)
	}
	dicts := make([]*runtime.Dictionary, len(cols))
	for i, c := range cols {
		if c.typ == kernel.Code {
			dicts[i] = dictionaryOf(c.vals)
		}
	}
	n := len(cols[0].vals)
	for at := 0; at < n; at += blockRows {
		end := min(at+blockRows, n)
		block := runtime.Block{Rows: end - at}
		for i, c := range cols {
			block.Cols = append(block.Cols, vector.Encode(vectorOf(c.typ, c.vals[at:end], dicts[i]), end-at))
		}
		rel.blocks = append(rel.blocks, block)
		rel.rows += int64(end - at)
	}
	return rel
}

func dictionaryOf(vals []any) *runtime.Dictionary {
	d := &runtime.Dictionary{}
	seen := map[string]bool{}
	for _, v := range vals {
		if s, ok := v.(string); ok && !seen[s] {
			seen[s] = true
			d.Texts = append(d.Texts, s)
		}
	}
	return d
}

// vectorOf makes a decoded vector.
func vectorOf(t kernel.Type, vals []any, dict *runtime.Dictionary) *vector.Vector {
	v := vector.New(t, len(vals))
	v.Dict = dict
	for i, x := range vals {
		if x == nil {
			if v.Null == nil {
				v.Null = make([]uint8, len(vals))
			}
			v.Null[i] = 1
			continue
		}
		switch t {
		case kernel.Bool:
			vector.Of[uint8](v)[i] = vector.B2u(x.(bool))
		case kernel.I32:
			vector.Of[int32](v)[i] = int32(x.(int))
		case kernel.I64:
			vector.Of[int64](v)[i] = int64(x.(int))
		case kernel.I128:
			vector.Of[value.Int128](v)[i] = x.(value.Int128)
		case kernel.F64:
			vector.Of[float64](v)[i] = x.(float64)
		case kernel.Num:
			vector.Of[value.Num](v)[i] = x.(value.Num)
		case kernel.Interval:
			vector.Of[value.Interval](v)[i] = x.(value.Interval)
		case kernel.Str:
			vector.Of[string](v)[i] = x.(string)
		case kernel.Code:
			for code, text := range dict.Texts {
				if text == x.(string) {
					vector.Of[uint32](v)[i] = uint32(code)
				}
			}
		}
	}
	return v
}

// cell is row i of a decoded vector, as vectorOf takes it.
func cell(v *vector.Vector, i int) any {
	if v.IsNull(i) {
		return nil
	}
	if v.Const {
		i = 0
	}
	switch v.Type {
	case kernel.Bool:
		return vector.Of[uint8](v)[i] != 0
	case kernel.I32:
		return int(vector.Of[int32](v)[i])
	case kernel.I64:
		return int(vector.Of[int64](v)[i])
	case kernel.I128:
		return vector.Of[value.Int128](v)[i]
	case kernel.F64:
		return vector.Of[float64](v)[i]
	case kernel.Num:
		return vector.Of[value.Num](v)[i]
	case kernel.Interval:
		return vector.Of[value.Interval](v)[i]
	case kernel.Str:
		return vector.Of[string](v)[i]
	}
	return v.Dict.Texts[vector.Of[uint32](v)[i]]
}

// show writes the rows of a relation, one a line.
func show(t testing.TB, out runtime.Output) string {
	t.Helper()
	rel, ok := out.(runtime.Relation)
	if !ok {
		t.Fatalf("the output is a %T, not a relation", out)
	}
	var sb strings.Builder
	for i := range rel.Blocks() {
		block, err := rel.Load(i, nil)
		if err != nil {
			t.Fatal(err)
		}
		for row := range block.Rows {
			for c, chunk := range block.Cols {
				if c > 0 {
					sb.WriteByte(' ')
				}
				v := &vector.Vector{Type: chunk.Type, Raw: chunk, Start: row}
				v.Decode(1, nil)
				fmt.Fprint(&sb, cell(v, 0))
			}
			sb.WriteByte('\n')
		}
	}
	return sb.String()
}

// configs are the settings that every kernel is tested under.
var configs = []runtime.RunOptions{
	{Threads: 1, VectorRows: 1},
	{Threads: 1, VectorRows: 3},
	{Threads: 1},
	{Threads: 2, VectorRows: 1},
	{Threads: 2, VectorRows: 3},
	{Threads: 2},
}

// shared is a backend whose runs use each other's memory again.
var shared = New()

// execute runs a kernel with an account and checks that all memory is given
// back once the output is released.
func runKernel(t testing.TB, f *kernel.Func, opts runtime.RunOptions, inputs ...any) (string, error) {
	t.Helper()
	opts.Account = runtime.NewAccount(0)
	out, _, err := shared.Run(context.Background(), f, inputs, &opts)
	var text string
	if err == nil {
		text = show(t, out)
		out.Release()
	}
	if used := opts.Account.Used(); used != 0 {
		t.Errorf("%d bytes are still charged after the run", used)
	}
	return text, err
}

// scanOf makes a scan of columns 0, 1, … into values 0, 1, …
func scanOf(n int) *kernel.Scan {
	s := &kernel.Scan{}
	for i := range n {
		s.Cols = append(s.Cols, kernel.SourceCol{Ordinal: i, Dst: kernel.ValueID(i)})
	}
	return s
}

// funcOf makes a kernel over one relation whose first values are its columns.
func funcOf(types []kernel.Type, cols int, body kernel.Block, sink kernel.Sink) *kernel.Func {
	f := &kernel.Func{Name: "test", Inputs: []kernel.Input{{}}, Source: scanOf(cols), Body: body, Sink: sink, Dicts: len(types)}
	for i, t := range types {
		f.Values = append(f.Values, kernel.Value{Type: t, Nullable: true, Dict: kernel.DictID(i)})
	}
	return f
}

// Release implements runtime.Output.
func (m *memoryTable) Release() {}
