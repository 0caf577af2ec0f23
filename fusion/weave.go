package fusion

import (
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Weave turns a plan into a program.
func Weave(plan algebra.Node, opts Options) (_ *Program, err error) {
	defer sqlstate.Catch(&err)
	if opts.Budget == (operators.Resources{}) {
		opts.Budget = DefaultBudget
	}
	if opts.Machine == nil {
		opts.Machine = machine.Current()
	}
	return weave(plan, opts, operators.Final), nil
}

// weave weaves a plan whose result is to have a form.
func weave(plan algebra.Node, opts Options, form operators.Form) *Program {
	g := newGraph(plan, opts, addOperators)
	root := g.node(plan)
	p := &Program{
		Budget: opts.Budget, Output: plan.Columns(), Preferences: opts.Preferences, Device: opts.Device, Machine: opts.Machine, Meter: g.est.Meter(),
		compiler: opts.Compiler, tune: opts.Tune, tries: opts.Tries,
	}
	if p.compiler != nil {
		learned := *p.Machine
		learned.Device.Registers = p.compiler.Figures()
		p.Machine = &learned
	}
	for _, c := range p.Output {
		p.Columns = append(p.Columns, g.column(c))
	}
	p.Root = g.shareBuilds(g.reduce(g.finish(root, p.Columns, form)))
	p.Ops, p.Decisions, p.Loops = g.ops, g.decisions, g.loops
	p.keep()
	if p.compiler != nil {
		for _, op := range p.Ops {
			op.name()
		}
	}
	p.group(opts)
	p.shareInputs(opts)
	return p
}
