// Package codegen turns woven groups into kernels: each group of a
// fusion.Program becomes one kernel.Func.
package codegen

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Program is what the runtime executes: steps in an order in which every step
// comes after those that it reads.
type Program struct {
	Steps  []Step
	Result Binding // the rows of the query
	// Output are the columns of Result, in order. Exact numbers stand as I32,
	// I64 or I128 of the scale of their type, unconstrained numeric as Num, text
	// as Str or Code.
	Output []algebra.Column
	// Shared are sets of steps that may be done by one kernel, since they scan the same relation:
	// see WithSharedScans.
	Shared [][]int
}

// Step is one kernel with what its inputs are.
type Step struct {
	Func   *kernel.Func
	Inputs []Binding // for each of Func.Inputs
	Group  int       // index of the group in the fusion.Program that it came from
	Groups []int     // where the step shares a scan: of each of its results
	// Decisions are those that were made for the kernel's sink.
	Decisions []strategy.Decision
}

// Binding says where an input comes from: a base table, constant rows, the rows
// of all iterations of a recursion, those of the iteration before, or the results of
// earlier steps one after the other. Exactly one field is set.
type Binding struct {
	Table   *algebra.TableRef
	Rows    *Rows
	Loop    *Loop
	Working *Loop
	Parts   []Part
}

// Loop is a recursion: the rows of Base and, iteration by iteration, those that Term
// gives for the rows that the iteration before added, until an iteration adds none. The
// columns of both have Types, those that follow from the SQL types alone.
type Loop struct {
	Base, Term *Program
	Types      []kernel.Type
	Distinct   bool  // drop rows that there have been before
	Limit      int64 // so many rows are wanted; below 0: all
	// Counted gives, for the rows that an iteration has added, those that Limit counts; nil:
	// they count themselves.
	Counted *Program
}

// Part is what an earlier step made: a hash table, or a relation seen through
// Cols. The parts of one Binding have the same types; that is how UNION ALL,
// the two halves of an outer join and the cuboids of a cube come together
// without being copied. A Code column has one dictionary in all parts, but for
// parts in which it is NULL in every row: there it has none.
type Part struct {
	Step   int
	Result int       // of a step with several results: which
	Cols   []PartCol // nil: the step's columns as they are
}

// PartCol is a column of a Part: column Ordinal of the step's relation, or,
// where Ordinal is negative, the constant Const (often NULL) in every row.
type PartCol struct {
	Ordinal int
	Type    kernel.Type
	Const   value.Value // in the form of kernel.Param.Val
}

// Rows is a relation of constants, each in the form of kernel.Param.Val.
type Rows struct {
	Types []kernel.Type
	Rows  [][]value.Value
}
