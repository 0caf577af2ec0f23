// Package operators is the library of relational primitives: what each
// operator is, how it depends on its inputs, what resources it takes, and its
// algorithm skeleton (sections 3.1 and 4 of Kernel Weaver). Each operator has a
// folder of its own; all folders have the same shape, so that a reader of
// two can write a third.
package operators

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Operator is a relational operator in the form that is woven. It is
// immutable; fusion and code generation share it.
type Operator interface {
	// Traits says what the operator is.
	Traits() Traits
	// Dependence is how the operator depends on its input i: how much of the
	// input's result must be there before a part of its own can be made.
	Dependence(i int) Dependence
	// Columns are the columns that the operator makes; those of its input that
	// pass through are not among them.
	Columns() []algebra.Column
	// Uses is the set of columns that the operator reads of its inputs.
	Uses() algebra.ColSet
	// Skeleton returns the stages of the operator's algorithm.
	Skeleton() Skeleton
}

// Traits are the static properties of an operator.
type Traits struct {
	Name   string // the word for it in every plan: filter, probe, …
	Detail string // what it does here, on one line, as SQL where that is possible
	// Passes says that the columns of the inputs are columns of the result.
	Passes bool
	// Result is how a reader of the result depends on it: Thread where each row
	// can be used as soon as it is made, Kernel where the result exists only when
	// all of it has been made.
	Result Dependence
	// Why says, where Result is Kernel, what has to be complete.
	Why string
	// Source says that the operator only says where rows are: alone it does
	// nothing, so that it is always woven into what reads them.
	Source bool
	Needs  Needs
}

// Dependence is a class of producer-consumer dependence, section 4.1.
type Dependence uint8

// The classes, from the finest to the coarsest, and input dependence, which is
// that of two operators that read the same relation (section 4.4).
const (
	Thread Dependence = iota // a row depends on one row: passes in registers
	CTA                      // a block's result depends on a block: passes in shared memory, behind a barrier
	Kernel                   // depends on all rows: passes in global memory, behind the kernel's end
	Input
)

var dependenceNames = [...]string{Thread: "thread", CTA: "CTA", Kernel: "kernel", Input: "input"}

// String is the name of the class.
func (d Dependence) String() string { return dependenceNames[d] }

// Resources are what a kernel takes of a streaming multiprocessor: 32-bit
// registers of each thread, and bytes of shared memory of each block.
type Resources struct {
	Registers int
	Shared    int
}

// BlockThreads is the number of threads of a block that resources are counted
// for.
const BlockThreads = 256

// Registers is the number of registers that hold a value of an SQL type.
func Registers(t algebra.Type) int {
	switch t.Kind {
	case algebra.Bool, algebra.Int16, algebra.Int32, algebra.Date, algebra.Enum:
		return 1
	case algebra.Decimal:
		if t.Precision > 18 {
			return 4
		}
	case algebra.Numeric, algebra.Interval:
		return 4
	}
	return 2
}

// RowRegisters is the number of registers that hold a row of columns.
func RowRegisters(cols []algebra.Column) int {
	n := 0
	for i := range cols {
		n += Registers(cols[i].Type)
	}
	return n
}

// Skeleton is the algorithm of an operator in three stages. A group's kernel
// has the partition stage of its first operator, the compute stages of all of
// them in order, and the gather stage of its last: that is what weaving them
// means, and what it saves are the stages between.
type Skeleton struct {
	// Partition sets the source: how the input is divided among blocks.
	Partition Stage
	// Compute appends what is done with the rows at hand; nil for nothing.
	Compute Stage
	// Gather sets the sink: how the results of blocks become one.
	Gather Stage
}

// Stage is one stage of a skeleton: it adds its part to the kernel being woven. It panics with an
// error, as all of lowering does (sqlstate.Try).
type Stage func(w *Weave)
