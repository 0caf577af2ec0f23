// Package staged is what the forms share that have rows wait in shared memory, and deal
// their matches out to all threads of the block.
package staged

import (
	"cmp"
	_ "embed"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
)

//go:embed staged.cuh
var code string

// Rows are the rows of a tile whose matches are dealt out, while that is written.
type Rows struct {
	*cuda.Expansion
	Left     string // array: how many matches of each row are left
	space    string // where rows wait
	capacity int    // how many may
}

// Refusal says why the matches of an expansion cannot be dealt out; "" where they can.
func Refusal(x *cuda.Expansion) string {
	if x.Probe.Kind == kernel.ProbeLeft && x.Probe.Cond != kernel.NoValue {
		return "that a row of a left join has no match is known when one thread has seen all of its pairs"
	}
	return ""
}

// Count declares how many matches each row has.
func Count(x *cuda.Expansion) *Rows {
	x.Include(code)
	s := &Rows{Expansion: x, Left: x.Count(), space: x.Temp("staged")}
	bytes := 2 * 4
	for _, f := range s.Fields() {
		bytes += cmp.Or(f.Bytes(), unknown)
	}
	s.capacity = s.Capacity(bytes)
	return s
}

// Deal writes the loops that have the rows wait, and deal out their matches.
func (s *Rows) Deal() { s.Rounds(func() { s.DealOut("0", s.Total()) }) }

// Rounds writes the loop that has rows wait, as many at a time as there is room for.
func (s *Rows) Rounds(each func()) {
	pending := s.Temp("pending")
	s.DeclareSpace()
	s.Line("u32 %s = 0;", pending)
	s.Line("ROWS set(%s, r, %s[r] > 0);", pending, s.Left)
	s.Begin("while (__syncthreads_or(%s))", pending)
	s.stage(pending)
	each()
	s.End()
}

// Total is the number of matches of the rows that wait.
func (s *Rows) Total() string { return s.space + ".start[rows]" }

// Space is where rows wait, and Type its type.
func (s *Rows) Space() string { return s.space }
func (s *Rows) Type() string  { return "Staged_" + s.space }

// Bytes is at least what Space takes.
func (s *Rows) Bytes() int { return s.BytesOf(s.capacity) }

// BytesOf is at least what the same takes for so many rows.
func (s *Rows) BytesOf(rows int) int {
	bytes := (2*rows+1)*4 + alignment
	for _, f := range s.Fields() {
		bytes += rows*f.Bytes() + alignment
	}
	return (bytes + 2*alignment) / alignment * alignment
}

// The greatest alignment of what rows have, and what a value takes whose size is not known.
const (
	alignment = 16
	unknown   = 32
)

// Copy copies what rows have from one space to another, each with what leads to its parts.
func (s *Rows) Copy(to, from string) {
	s.Line("copy_rows(%sstart, %sstart, rows + 1);", to, from)
	s.Line("copy_rows(%sfrom, %sfrom, rows);", to, from)
	for _, f := range s.Fields() {
		s.Line("copy_rows(%s%s, %s%s, rows);", to, f.Name, from, f.Name)
	}
}

// DealOut writes the loop that deals out the matches from first to last.
func (s *Rows) DealOut(first, last string) {
	s.Line("u32 iterations;")
	s.Line("Dealing dealing = deal(%s.start, rows, %s, %s, iterations);", s.space, first, last)
	s.Begin("for (u32 i = 0; i < iterations; i++)")
	row, at := s.Temp("row"), s.Temp("at")
	s.Line("u32 %s[R], %s[R];", row, at)
	s.Line("u32 active = take(dealing, %s.start, %s.from, %s, %s);", s.space, s.space, row, at)
	s.Declare(func(field string) string { return s.space + "." + field + "[" + row + "[r]]" })
	s.Pairs(at, "~0u", "")
	s.End()
}

// DeclareSpace declares where rows wait.
func (s *Rows) DeclareSpace() {
	s.Line("struct Staged_%s {", s.space)
	s.Line("    u32 start[%d], from[%d];", s.capacity+1, s.capacity)
	for _, f := range s.Fields() {
		s.Line("    %s %s[%d];", f.Type, f.Name, s.capacity)
	}
	s.Line("};")
	s.Line("__shared__ Staged_%s %s;", s.space, s.space)
	s.Line("__shared__ u64 %s_scratch[WARPS];", s.space)
}

// stage has rows wait, and takes those of which no match is left out of pending.
func (s *Rows) stage(pending string) {
	s.Line("u32 place[R], rows;")
	s.Line("const u32 waiting = stage<%d>(%s.start, %s.from, %s_scratch, %s, %s, %s, place, rows);", s.capacity, s.space, s.space, s.space, pending, s.At, s.Left)
	s.Begin("ROWS if (bit(waiting, r))")
	for _, f := range s.Fields() {
		s.Line("%s.%s[place[r]] = %s;", s.space, f.Name, f.Get)
	}
	s.Line("if (%s[r] == 0) %s &= ~(1u << r);", s.Left, pending)
	s.End()
	s.Line("__syncthreads();")
}
