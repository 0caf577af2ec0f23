package cuda

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// The arguments of the first rows of partitions: see firsts.cuh.
const (
	ArgFirstOf    ArgKind = "first_of"    // by place: the partition that has it; null where its word is the place
	ArgFirstWords ArgKind = "first_words" // by place: the least words of the order
	ArgFirstMask  ArgKind = "first_mask"  // places less one
)

// mostFirst is how many rows of a partition may be the first.
const mostFirst = 64

// leaveOut prepares that where the window wants few rows of each partition, and a word tells
// partitions apart; else nil.
func (w *windowing) leaveOut() *firstRows {
	if w.s.First == 0 || w.s.First > mostFirst {
		return nil
	}
	f := &firstRows{windowing: w}
	partition, order := w.sortWords(w.s.Partition), w.sortWords(w.s.Order)
	if len(partition) > 1 || isTextKey(partition[0]) || len(order[0]) == 0 {
		return nil
	}
	f.partition, f.order = partition[0], order[0]
	for i := range f.order {
		f.order[i].at += len(w.s.Partition)
	}
	for _, field := range f.partition {
		f.bits += field.size
	}
	w.include("hash.cuh")
	w.include("firsts.cuh")
	w.Pass(Pass{Name: "first", Comment: "finds the last word of the order that is among the first of each partition", Rows: func(e *Entry) {
		f.eachRow(e, func(partition, order string) {
			e.Line("keep_first<%d>(firsts, %s, %s);", w.s.First, partition, order)
		})
	}})
	return f
}

// eachRow writes what is done with the words of each row.
func (f *firstRows) eachRow(e *Entry, do func(partition, order string)) {
	of := "nullptr"
	if !f.placed() {
		of = e.Arg(Arg{Kind: ArgFirstOf}, "u64*", "partitions by place")
	}
	e.Line("const Firsts firsts = {%s, %s, %s};", of, e.Arg(Arg{Kind: ArgFirstWords}, "u64*", "least words of the order by place"),
		e.Arg(Arg{Kind: ArgFirstMask}, "u64", "places less one"))
	e.Begin("ROWS if (bit(active, r))")
	if isTextKey(f.order) {
		e.Line("const u64 w = 0;")
	}
	e.Line("const u64 partition = %s, order = %s;", e.sortWord(f.partition), e.sortWord(f.order))
	do("partition", "order")
	e.End()
}

// keep writes that rows are left out.
func (f *firstRows) keep(e *Entry) {
	f.eachRow(e, func(partition, order string) {
		e.Line("if (!is_first<%d>(firsts, %s, %s)) active &= ~(1u << r);", f.s.First, partition, order)
	})
}

// placedBits is up to how many bits a partition's word is its place.
const placedBits = 22

func (f *firstRows) placed() bool { return f.bits <= placedBits }

// placesShare is the part of the memory that places may take, and most how many there are
// where they are not those of all words.
const (
	placesShare = 4
	mostPlaces  = 1 << 24
)

// note is what EXPLAIN ANALYZE says of the rows that are left.
func (f *firstRows) note() string {
	return fmt.Sprintf("rows kept that may be among the first %d of their partitions", f.s.First)
}

// first plans the pass that finds the first rows.
func (p *windowPlanner) first(f *firstRows) (buffers []int) {
	var keys []kernel.SortKey
	keys = append(append(keys, f.s.Partition...), f.s.Order...)
	p.sortBases(keys)
	bytes := launch.Int(8 * f.s.First)
	places := launch.Expr(launch.Int(int64(1) << f.bits))
	if !f.placed() {
		bytes += 8
		fitting := expr.FloorPow2(expr.Div(expr.Div(expr.Free, launch.Int(placesShare)), bytes))
		places = p.Let("places", expr.Min(expr.Min(expr.CeilPow2(expr.Max(expr.Rows, launch.Int(2))), fitting), launch.Int(mostPlaces)))
		of := p.alloc("partition_places", expr.Times(launch.Int(8), places), launch.Ones)
		p.Pointer(Arg{Kind: ArgFirstOf}, launch.InOut, launch.Ref{Buffer: of})
		buffers = append(buffers, of)
	}
	words := p.alloc("first_words", expr.Times(launch.Int(8*f.s.First), places), launch.Ones)
	p.Pointer(Arg{Kind: ArgFirstWords}, launch.InOut, launch.Ref{Buffer: words})
	p.Number(Arg{Kind: ArgFirstMask}, expr.Minus(places, launch.Int(1)))
	p.overRows("first")
	for _, kind := range []ArgKind{ArgFirstOf, ArgFirstWords} {
		if fill, ok := p.fills[Arg{Kind: kind}]; ok {
			p.Pointer(Arg{Kind: kind}, launch.In, fill.Ref)
		}
	}
	return append(buffers, words)
}
