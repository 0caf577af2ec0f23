package codegen

import (
	"math"
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/cuboid"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Generate weaves the stages of each group's operators into a kernel (Kernel
// Weaver, section 4.3). A group that only unites results needs none: its
// readers read the parts.
func Generate(p *fusion.Program) (*Program, error) {
	return sqlstate.Try(func() *Program { return generate(p, nil) })
}

// generate generates a program that stands in recursions, whose working tables
// it may read.
func generate(p *fusion.Program, enclosing map[algebra.ColumnID]*Loop) *Program {
	g := &generator{
		program:   p,
		enclosing: enclosing,
		results:   make([]result, len(p.Ops)),
		out:       &Program{Output: p.Output},
	}
	for i := range p.Groups {
		g.group(i)
	}
	g.out.Result = g.results[p.Root].rows(p.Columns)
	g.out.Shared = g.sharedScans()
	return g.out.splitChosen()
}

// group generates the kernel of group i.
func (g *generator) group(i int) {
	group := &g.program.Groups[i]
	first, last, gathers := g.program.Ops[group.First()], g.program.Ops[group.Last()], g.program.Gathers(group)
	if u, ok := last.Operator.(*union.Operator); ok && len(group.Ops) == 1 && g.showable(u, last) {
		g.results[last.ID] = g.unite(last, u)
		return
	}
	k := &kernelBuilder{generator: g, step: Step{Group: i}}
	k.weave = &operators.Weave{
		Builder: lower.NewBuilder(kernelName(g.program, i), g.program.Meter),
		Out:     last.Keep, Form: last.Form, MaxRows: math.Inf(1),
		Lookups: lookups(g.program, last.ID), Machine: g.program.Machine, Preferences: g.program.Preferences, Device: g.program.Device,
		InCells: g.program.InCells(last.ID),
	}
	k.source(first)
	for _, id := range group.Ops {
		k.compute(g.program.Ops[id], id == first.ID)
		if id == gathers.ID {
			break
		}
	}
	k.weave.Groups = groups(gathers)
	gathers.Skeleton().Gather(k.weave)
	k.finish(last)
}

// showable reports whether the parts of a union can be read as they are: they
// have the form that the reader of the result asks for.
func (g *generator) showable(u *union.Operator, op *fusion.Op) bool {
	if op.Form == operators.Natural {
		return true
	}
	for _, c := range u.Cols {
		if c.Type.Kind == algebra.Numeric {
			return false
		}
	}
	return op.Form == operators.Final
}

// groups is the estimated number of groups of an aggregation.
func groups(op *fusion.Op) float64 {
	switch op.Operator.(type) {
	case *aggregate.Operator, *cuboid.Operator:
		return op.Rows
	}
	return 0
}

// lookups is the estimated number of rows that are looked up in the hash table
// that operator id builds.
func lookups(p *fusion.Program, id int) float64 {
	n := 0.0
	for _, op := range p.Ops {
		if len(op.Inputs) > 1 && op.Inputs[1] == id && !op.Traits().Source {
			n += p.Ops[op.Inputs[0]].Rows
		}
	}
	return n
}

// kernelName names a kernel after its group's last operator and the table that
// it reads.
func kernelName(p *fusion.Program, i int) string {
	group := &p.Groups[i]
	name := "g" + strconv.Itoa(i) + "_" + p.Gathers(group).Traits().Name
	if s, ok := p.Ops[group.First()].Operator.(*scan.Operator); ok {
		name += "_" + s.Node.Table.Name
	}
	return name
}

// kernelBuilder generates one kernel.
type kernelBuilder struct {
	*generator
	weave *operators.Weave
	step  Step
}

// source opens what the first operator reads and runs its partition stage.
func (k *kernelBuilder) source(op *fusion.Op) {
	w := k.weave
	w.In = k.input(op)
	w.Ordered = op.Ordered
	if len(op.Inputs) > 0 {
		w.Ordered = k.program.Ops[op.Inputs[0]].Ordered
	}
	w.Rows = op.Rows
	if !op.Traits().Source {
		w.Rows = k.program.Ops[op.Inputs[0]].Rows
	}
	w.SourceRows = w.Rows
	op.Skeleton().Partition(w)
}

// input returns what the first operator of a group reads: a table, constant
// rows, a union, or the result of another group.
func (k *kernelBuilder) input(op *fusion.Op) []*operators.Result {
	res, ok := k.leaf(op)
	if ok {
		k.weave.MaxRows = res.maxRows
		return []*operators.Result{k.open(kernel.RelationInput, res)}
	}
	from := k.program.Ops[op.Inputs[0]]
	kind := kernel.RelationInput
	switch {
	case op.Traits().Source: // of the unmatched rows of a hash table
		kind = kernel.HashTableInput
	case k.program.InCells(from.ID):
		kind = kernel.GroupsInput
	}
	k.weave.MaxRows = k.results[from.ID].maxRows
	return []*operators.Result{k.open(kind, k.results[from.ID])}
}

// compute runs the compute stage of an operator. What it reads of other groups
// beside the rows that come through the kernel is opened for it.
func (k *kernelBuilder) compute(op *fusion.Op, first bool) {
	w := k.weave
	var streamed *operators.Result
	if first {
		streamed = w.In[0]
	}
	if m, ok := op.Operator.(*merge.Operator); ok {
		w.In = []*operators.Result{streamed, k.open(kernel.RelationInput, scanned(m.Scan))}
	} else if len(op.Inputs) > 1 && !op.Traits().Source {
		table := k.results[op.Inputs[1]]
		if p, ok := op.Operator.(*probe.Operator); ok && p.Reads != nil {
			table = table.readAs(p.Reads)
		}
		w.In = []*operators.Result{streamed, k.open(kernel.HashTableInput, table)}
	}
	before := len(w.Func.Body)
	if c := op.Skeleton().Compute; c != nil {
		c(w)
	}
	if op.Traits().Result == operators.Thread {
		noteRows(w, before, op.Rows)
		if len(op.Inputs) > 1 {
			noteTable(w.Func.Body[min(before, len(w.Func.Body)):], k.program.Ops[op.Inputs[1]].Rows)
		}
		w.Rows = op.Rows
	}
}

// noteTable notes how many rows the table of a probe has.
func noteTable(b kernel.Block, rows float64) {
	for _, in := range b {
		if p, ok := in.(*kernel.Probe); ok {
			p.Rows.Table = whole(rows)
		}
	}
}

// whole is an estimated number of rows without its fraction.
func whole(rows float64) float64 { return math.Round(max(rows, 1)) }

// noteRows notes how many rows come to a probe and in which order, and how many matches one has of a
// probe that may find several, among the instructions from one on, which give so many rows.
func noteRows(w *operators.Weave, from int, rows float64) {
	for _, in := range w.Func.Body[min(from, len(w.Func.Body)):] {
		p, ok := in.(*kernel.Probe)
		if ok {
			p.Rows.In, p.Rows.Out = whole(w.Rows), whole(rows)
			p.InOrder = p.Sorted == nil && len(p.Keys) > 0 && w.Ascends(p.Keys[0].Val)
		}
		if ok && rows > w.Rows && w.Rows > 0 && !w.In[1].Unique && (p.Kind == kernel.ProbeInner || p.Kind == kernel.ProbeLeft) {
			p.Matches = rows / w.Rows
		}
	}
}

// open makes a result an input of the kernel.
func (k *kernelBuilder) open(kind kernel.InputKind, res result) *operators.Result {
	k.step.Inputs = append(k.step.Inputs, res.binding)
	return &operators.Result{
		Input: k.weave.Input(kind, res.name), Fields: res.fields, Ordinals: res.ordinals,
		MaxRows: res.maxRows, Unique: res.unique,
	}
}

// finish adds the step and notes its result.
func (k *kernelBuilder) finish(last *fusion.Op) {
	f := k.weave.Func
	clean(f)
	if err := kernel.Verify(f); err != nil {
		panic(err)
	}
	k.step.Func, k.step.Decisions = f, k.weave.Decisions
	k.out.Steps = append(k.out.Steps, k.step)
	k.results[last.ID] = result{
		binding:  Binding{Parts: []Part{{Step: len(k.out.Steps) - 1}}},
		fields:   k.weave.Fields,
		ordinals: k.weave.Ordinals,
		maxRows:  max(k.weave.MaxRows, 1), // an aggregate without keys gives a row for none
		unique:   k.weave.UniqueKeys,
		name:     f.Name,
	}
}
