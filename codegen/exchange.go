package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Exchange is how a kernel is done by several devices each of which has a part of the rows of a
// table: those whose key has certain hashes. Rows are sent to where their matches are.
type Exchange struct {
	// Local runs on each share. Its results are the rows that come to the probe, one for each device.
	Local *kernel.Func
	// Rest runs on each device over the rows that all have for it, in the place of the source's,
	// and looks them up in the device's part of the table.
	Rest *kernel.Func
	// LocalInputs and RestInputs are which inputs of the kernel theirs are.
	LocalInputs, RestInputs []int
	Key                     int // the column by which rows are divided
}

// Types are those of the columns that are exchanged.
func (x *Exchange) Types() []kernel.Type {
	return Row(x.Local.Sink.(*kernel.Several).Alone(x.Local, 0))
}

// ExchangeKey is the key of a table by which rows are exchanged: the integer of the widest range;
// below 0: it has none.
func ExchangeKey(f *kernel.Func, keys []kernel.Key) int { return widest(f, keyValues(keys)) }

// ExchangeAt has n devices exchange the rows that come to the probe at a place of the kernel's body, by
// one of its keys. Nil: the kernel needs rows in an order, or the whole table.
func ExchangeAt(f *kernel.Func, at, key, n int) *Exchange {
	scan, ok := f.Source.(*kernel.Scan)
	probe := f.Body[at].(*kernel.Probe)
	if !ok || probe.Mark || key >= len(probe.Keys) || reads(f, probe.Input) > 1 || reads(f, scan.Input) > 1 {
		return nil
	}
	id := probe.Keys[key].Val
	if t := f.Values[id].Type; t != kernel.I32 && t != kernel.I64 {
		return nil
	}
	before := cloned(f)
	rest := cloned(f)
	rest.Body = rest.Body[at:]
	cols := needed(rest)
	before.Body = before.Body[:at]
	before.Sink = &kernel.Materialize{Cols: cols, Limit: -1}
	before.Name = f.Name + "_exchange"
	readColumns(rest, cols)
	clean(rest)
	x := &Exchange{Local: divided(before, id, n), Rest: rest, Key: slices.Index(cols, id)}
	x.LocalInputs, x.RestInputs = onlyRead(x.Local), onlyRead(x.Rest)
	return x
}

// readColumns has a kernel read columns of values in the place of its source.
func readColumns(f *kernel.Func, cols []kernel.ValueID) {
	input := f.Source.(*kernel.Scan).Input
	f.Inputs[input].Kind = kernel.RelationInput
	from := &kernel.Scan{Input: input}
	for i, col := range cols {
		from.Cols = append(from.Cols, kernel.SourceCol{Ordinal: i, Dst: col})
	}
	f.Source = from
}

// onlyRead leaves a kernel the inputs that it reads, and returns which these were.
func onlyRead(f *kernel.Func) (from []int) {
	inputs := f.Inputs
	f.Inputs = nil
	place := func(input *int) {
		at := slices.Index(from, *input)
		if at < 0 {
			at, from = len(from), append(from, *input)
			f.Inputs = append(f.Inputs, inputs[*input])
		}
		*input = at
	}
	place(&f.Source.(*kernel.Scan).Input)
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok {
			place(&p.Input)
		}
	}
	return from
}

// DivideRows has n devices exchange rows that merge, of a Shares, reads, by one of their values: the results of the
// kernel are the rows for each device, with the columns that merge reads.
func DivideRows(merge *kernel.Func, by kernel.ValueID, n int) *kernel.Func {
	f := cloned(merge)
	scan := f.Source.(*kernel.Scan)
	m := &kernel.Materialize{Limit: -1}
	for _, c := range scan.Cols {
		m.Cols = append(m.Cols, c.Dst)
	}
	f.Sink, f.Body, f.Name = m, nil, merge.Name+"_exchange"
	return divided(f, by, n)
}

// reads is how many times a kernel reads an input.
func reads(f *kernel.Func, input int) (n int) {
	if s, ok := f.Source.(*kernel.Scan); ok && s.Input == input {
		n++
	}
	for _, in := range f.Body {
		if p, ok := in.(*kernel.Probe); ok && p.Input == input {
			n++
		}
	}
	return n
}

// needed are the values that a body and a sink read and do not define, but for constants.
func needed(f *kernel.Func) (ids []kernel.ValueID) {
	known := map[kernel.ValueID]bool{kernel.NoValue: true}
	for _, p := range f.Params {
		known[p.Dst] = true
	}
	for _, in := range f.Body {
		kernel.Operands(in, nil, func(id kernel.ValueID) { known[id] = true })
	}
	read := func(id kernel.ValueID) {
		if !known[id] {
			known[id] = true
			ids = append(ids, id)
		}
	}
	for _, in := range f.Body {
		kernel.Operands(in, read, nil)
	}
	kernel.SinkOperands(f.Sink, read)
	return ids
}

// divided returns a kernel that writes rows, changed to write them as n results by equal ranges of the hash of a
// value. Rows where it is NULL are in the first one.
func divided(f *kernel.Func, by kernel.ValueID, n int) *kernel.Func {
	d := &divider{f}
	key := f.Values[by]
	if key.Type == kernel.I32 {
		by = d.compute(kernel.OpConvert, kernel.I64, key.Nullable, &f.Body, by)
	}
	hash := d.compute(kernel.OpDraw, kernel.I64, key.Nullable, &f.Body, by, d.integer(0))
	var absent kernel.ValueID
	if key.Nullable {
		absent = d.compute(kernel.OpIsNull, kernel.Bool, false, &f.Body, hash)
	}
	rows := f.Sink.(*kernel.Materialize)
	sink := &kernel.Several{}
	for i := range n {
		b := kernel.Branch{Sink: &kernel.Materialize{Cols: slices.Clone(rows.Cols), Limit: -1}}
		if i > 0 {
			b.Body = append(b.Body, &kernel.Filter{Cond: d.compute(kernel.OpGe, kernel.Bool, key.Nullable, &b.Body, hash, d.integer(hashes(i, n)))})
		}
		if i < n-1 {
			below := d.compute(kernel.OpLt, kernel.Bool, key.Nullable, &b.Body, hash, d.integer(hashes(i+1, n)))
			if i == 0 && key.Nullable {
				below = d.compute(kernel.OpOr, kernel.Bool, true, &b.Body, absent, below)
			}
			b.Body = append(b.Body, &kernel.Filter{Cond: below})
		}
		sink.Branches = append(sink.Branches, b)
	}
	f.Sink = sink
	clean(f)
	return f
}

// hashes is where range i of n of the numbers that OpDraw draws begins.
func hashes(i, n int) int64 { return kernel.DrawLimit / int64(n) * int64(i) }

// divider adds values to a kernel.
type divider struct{ f *kernel.Func }

func (d *divider) value(v kernel.Value) kernel.ValueID {
	d.f.Values = append(d.f.Values, v)
	return kernel.ValueID(len(d.f.Values) - 1)
}

// integer is a constant of the kernel.
func (d *divider) integer(x int64) kernel.ValueID {
	id := d.value(kernel.Value{Type: kernel.I64, Range: kernel.Range{Known: true, Lo: 0, Hi: kernel.DrawLimit}})
	d.f.Params = append(d.f.Params, kernel.Param{Dst: id, Val: value.Value{Kind: value.Int, I: x}})
	return id
}

// compute adds a computation to a block.
func (d *divider) compute(op kernel.Op, t kernel.Type, nullable bool, to *kernel.Block, args ...kernel.ValueID) kernel.ValueID {
	id := d.value(kernel.Value{Type: t, Nullable: nullable})
	*to = append(*to, &kernel.Compute{Op: op, Dst: id, Args: args, Pos: value.NoPos})
	return id
}
