package fusion

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/scan"
)

// shareInputs finds input dependence (section 4.4): groups that read the same table. One scan
// serves those whose kernels can have several sinks, as far as their resources allow.
func (p *Program) shareInputs(opts Options) {
	first := map[tableInput]*Op{}
	total := map[tableInput]operators.Resources{}
	for _, op := range p.Ops {
		table, ok := inputOf(op)
		if !ok {
			continue
		}
		other, ok := first[table]
		if !ok {
			first[table], total[table] = op, p.Groups[op.Group].Cost
			continue
		}
		cost := p.beside(total[table], op.Group)
		refusal := p.refuseSharing(other, op, cost, opts)
		if refusal == "" {
			total[table] = cost
			p.writeGroups(other)
			p.writeGroups(op)
		}
		p.Edges = append(p.Edges, sharedInput(other.ID, op.ID, op.Bytes(), p.Machine.Host.Row*op.Rows, refusal))
	}
}

// writeGroups has the group of a scan write the groups that it was to leave in cells: a kernel of
// several sinks has no cells that another one can read.
func (p *Program) writeGroups(of *Op) {
	last := p.Groups[of.Group].Last()
	for i := range p.Edges {
		if e := &p.Edges[i]; e.From == last && e.Takes(groups.InCells) {
			e.write("one scan serves several sinks")
		}
	}
}

// beside is what a kernel takes that does the work of a group, too: registers are used by one
// sink after the other.
func (p *Program) beside(total operators.Resources, group int) operators.Resources {
	cost := p.Groups[group].Cost
	return operators.Resources{Registers: max(total.Registers, cost.Registers), Shared: total.Shared + cost.Shared}
}

// refuseSharing says why the groups of two scans do not share one, "" where they do.
func (p *Program) refuseSharing(a, b *Op, cost operators.Resources, opts Options) string {
	if !opts.Fusion {
		return "fusion is off"
	}
	for _, op := range []*Op{a, b} {
		if why := p.ownScan(op); why != "" {
			return fmt.Sprintf("%s in group %d", why, op.Group)
		}
	}
	if cost.Shared > opts.Budget.Shared {
		return fmt.Sprintf("together they need %d bytes of shared memory of %d", cost.Shared, opts.Budget.Shared)
	}
	return ""
}

// ownScan says why the group of a scan has it for itself, "" where it need not.
func (p *Program) ownScan(op *Op) string {
	if op.Ordered {
		return "the order of the rows is kept"
	}
	ops := p.Groups[op.Group].Ops
	if ops[0] != op.ID {
		return "another table is read first"
	}
	for _, id := range ops[1:] {
		switch o := p.Ops[id].Operator.(type) {
		case *filter.Operator, *project.Operator, *groups.Operator:
		case *aggregate.Operator:
			if why := refuseAggregate(o); why != "" {
				return why
			}
		default:
			return fmt.Sprintf("there is a %s", p.Ops[id].Traits().Name)
		}
	}
	return ""
}

// refuseAggregate says why an aggregation cannot be one sink of several, "" where it can.
func refuseAggregate(o *aggregate.Operator) string {
	for i := range o.Accs {
		if row, _ := o.Accs[i].Op.Row(); row.AllRows {
			return fmt.Sprintf("%s needs all rows of a group", o.Accs[i].Op)
		}
	}
	return ""
}

// tableInput is what a scan reads: a table in one of its versions.
type tableInput struct {
	name   string
	handle any
}

// inputOf is the base table that an operator reads; ok is false where it reads none.
func inputOf(op *Op) (in tableInput, ok bool) {
	s, ok := op.Operator.(*scan.Operator)
	if !ok {
		return in, false
	}
	return tableInput{s.Node.Table.Name, s.Node.Table.Handle}, true
}
