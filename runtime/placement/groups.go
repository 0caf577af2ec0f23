package placement

import (
	"fmt"

	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime"
)

// writeGroups has groups written as columns that were to be read from their cells, where the
// device refuses one of the steps that would share them: then each goes where it can run. It
// reports whether there are any.
func (p *Plan) writeGroups() bool {
	program := p.query.Program
	written := make(map[int]string) // by the step that has the groups: why
	for i := range program.Steps {
		r, refused := p.refused[p.group[i]]
		if from := program.GroupsRead(i); from >= 0 && refused {
			written[from] = fmt.Sprintf("group %d: %v", p.planned[r.step].Group, r.err)
		}
	}
	if len(written) == 0 {
		return false
	}
	p.query.Program = program.WithColumns(func(step int) bool { return written[step] != "" })
	for step, why := range written {
		p.query.Program.Steps[step].Decisions = append(p.query.Program.Steps[step].Decisions, columns(why))
	}
	before, costs := p.group, p.costs
	p.group = runtime.Colocated(p.query.Program)
	p.costs = p.hostCosts()
	p.deviceCosts()
	for first, c := range p.costs {
		was := costs[before[first]]
		c.asked, c.chosen = was.asked, was.chosen
	}
	return true
}

// columns is the decision to write groups as columns.
func columns(why string) strategy.Decision {
	d := strategy.Decision{Of: "groups", Offers: []strategy.Offer{
		{Strategy: groups.InCells, Refusal: why}, {Strategy: groups.Written, Detail: groups.WrittenBy},
	}}
	d.Take(1, "a device refuses one of the steps that would share their cells")
	return d
}
