// Package fusion turns relational algebra into a program of woven groups
// (Kernel Weaver, section 4): it builds the graph of operators, classifies how
// each depends on those it reads, finds which can share a kernel, and chooses
// among them under a budget of registers and shared memory. Each choice is a
// strategy.Decision, with its reason and its rivals.
package fusion

import (
	"slices"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/estimate"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options are what weaving obeys.
type Options struct {
	// Fusion weaves operators together. Without it each operator is a group of
	// its own whose result is materialized; the answers are the same.
	Fusion bool
	// Budget is what one kernel may take, any number of registers where it has none; the zero Budget is
	// DefaultBudget.
	Budget operators.Resources
	// Joins is what is wanted of the strategies of joins.
	Joins strategy.Preference
	operators.Preferences
	// Device says that the program is likely to run on a device: its costs count.
	Device bool
	// Machine is what operations cost; nil is machine.Default.
	Machine *machine.Machine
	// Compiler is what is known of the device's compiler; nil: nothing beside the figures of Machine.
	Compiler *machine.Compiler
	// Tune has ways to cut groups count that were quicker on the device than what estimates say. With Tries the
	// program may go a way that did not run there yet.
	Tune, Tries bool
	// KeepOrder has the rows come in the order of the tables that they are read from,
	// as far as nothing between gives them another.
	KeepOrder bool
	// Estimates are those that the plan was made by; nil makes them anew.
	Estimates *estimate.Estimator
}

// DefaultBudget is what every NVIDIA GPU since 2012 gives a kernel without
// further ado: 48 KiB of shared memory for a block. Of registers a kernel may take any number: what
// they cost, on a device, decides.
var DefaultBudget = operators.Resources{Shared: 48 << 10}

// Program is a plan as groups of operators. It is immutable.
type Program struct {
	Ops       []*Op // in topological order: an Op comes after those that it reads
	Groups    []Group
	Edges     []Edge
	Decisions []Decision // on operators, as far as they are made before kernels are
	Budget    operators.Resources
	Root      int // the Op whose result is that of the query
	// Output are the columns of the query, in order; Columns[i] is the column of
	// the root's result that Output[i] is.
	Output  []algebra.Column
	Columns []algebra.Column
	// Loops are the programs of recursive expressions, by the Op that gives the
	// rows of all iterations.
	Loops map[int]*Loop
	operators.Preferences
	// Device says that the program is likely to run on a device.
	Device bool
	// Machine is what operations cost.
	Machine *machine.Machine
	// Meter bounds what generating kernels of the program costs; nil bounds nothing.
	Meter *value.Meter

	compiler    *machine.Compiler
	tune, tries bool
	candidates  []candidate
	learning    learning
}

// Loop is a recursive expression: the program of its first rows, and the one
// that every round runs.
type Loop struct {
	Base, Term *Program
	Counted    *Program // of the rows that a limit counts; nil: all rows count
}

// Op is an operator in the graph.
type Op struct {
	operators.Operator
	ID     int
	Inputs []int
	// Keep are the columns of the result that are read, in order, in Form.
	Keep []algebra.Column
	Form operators.Form
	// Ordered says that the order of the result's rows means something.
	Ordered bool
	// Rows is the estimated number of rows of the result.
	Rows float64
	// Group is the index of the group that the operator is woven into.
	Group int

	cols      []algebra.Column // all columns of the result
	consumers []int
	traits    operators.Traits // of Operator, which puts them into words each time
	structure []byte           // its part of the structure of kernels, where somebody asks what they are compiled to
}

// Traits says what the operator is.
func (o *Op) Traits() operators.Traits { return o.traits }

// readsGroups reports whether the operator reads the groups of an aggregation.
func readsGroups(o *Op) bool {
	_, ok := o.Operator.(*groups.Operator)
	return ok
}

// Bytes is the estimated size of the result.
func (o *Op) Bytes() float64 { return o.Rows * float64(4*operators.RowRegisters(o.Keep)) }

// Group is a chain of operators that share a kernel, in the order of the data.
// Groups come after those that they read.
type Group struct {
	Ops  []int
	Cost operators.Resources // what its kernel is estimated to take
	// Compiled is what a device's compiler gave its kernel; nil: that is not known.
	Compiled *machine.Compiled

	structure string // of its kernel, where somebody asks what it is compiled to
	parts     machine.Parts
}

// A candidate is a chain of operators that may share a kernel, and where the kernels end that it became.
type candidate struct {
	ops, ends []int
	// ways are where kernels may end, as estimates have it first: the quickest is sought by what they take in runs.
	// Nil: it is not.
	ways [][]int
	name string // of its structure and rows, where the quickest way is sought
}

// isPlanned reports whether its kernels end as estimates have it.
func (c *candidate) isPlanned() bool { return c.ways == nil || slices.Equal(c.ends, c.ways[0]) }

// readersOf are the operators that read what a candidate makes.
func (p *Program) readersOf(c *candidate) []int { return p.Ops[c.ops[len(c.ops)-1]].consumers }

// learning says whether what a device's compiler gave the kernels of a program was noted, whether
// another program may be better for what is known of its kernels, and how many runs have not told what these took.
type learning struct {
	done, outdated atomic.Bool
	missed         atomic.Int32
}

// First is the operator that reads the group's input.
func (g *Group) First() int { return g.Ops[0] }

// Last is the operator whose result is the group's.
func (g *Group) Last() int { return g.Ops[len(g.Ops)-1] }

// Gathers is the operator that ends the group's kernel: the last one, or the aggregation that
// writes its groups itself, whose reader is the last one.
func (p *Program) Gathers(g *Group) *Op {
	last := p.Ops[g.Last()]
	if readsGroups(last) && len(last.Inputs) == 1 && len(g.Ops) > 1 && g.Ops[len(g.Ops)-2] == last.Inputs[0] {
		return p.Ops[last.Inputs[0]]
	}
	return last
}

// InCells reports whether the groups that an operator makes stay in their cells.
func (p *Program) InCells(id int) bool {
	return slices.ContainsFunc(p.Edges, func(e Edge) bool { return e.From == id && e.Takes(groups.InCells) })
}

// Decision is how operator Op is done.
type Decision struct {
	Op int
	strategy.Decision
}
