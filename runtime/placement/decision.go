package placement

import (
	"fmt"
	"maps"
	"slices"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// The strategies of placement.
const (
	onHost = "cpu"
	onCUDA = "cuda"
)

// Decision is where the steps of a co-location group run.
type Decision struct {
	Groups []int // of the fusion.Program
	strategy.Decision
}

// Decisions returns where the co-location groups were to run when the query was placed,
// with what either side would cost by the clock, transfers included.
func (p *Plan) Decisions() []Decision {
	costs := p.costs
	if costs == nil {
		costs = p.unchosen
	}
	if costs == nil {
		costs = p.hostCosts()
	}
	var out []Decision
	for _, first := range slices.Sorted(maps.Keys(costs)) {
		out = append(out, Decision{Groups: p.groupsOf(first), Decision: p.decision(first, costs[first])})
	}
	return out
}

// groupsOf are the groups whose steps are placed with a step.
func (p *Plan) groupsOf(first int) []int {
	var groups []int
	for i, f := range p.group {
		if f == first && !slices.Contains(groups, p.planned[i].Group) {
			groups = append(groups, p.planned[i].Group)
		}
	}
	return groups
}

// decision puts into words where the co-location group of a step was to run.
func (p *Plan) decision(first int, c *cost) strategy.Decision {
	there := strategy.Offer{Strategy: onCUDA}
	if c.asked && p.noDevice == nil {
		there.Cost, there.Detail = c.device, c.detail()
	}
	why, isOnHost := "the cheapest", true
	refused, isRefused := p.refused[first]
	switch {
	case p.query.Wish == Host:
		there.Refusal, why = "device is cpu", "device is cpu"
	case !c.asked:
		there.Cost, there.Detail = c.startCost(), "to start its kernels alone"
	case p.noDevice != nil:
		there.Refusal, why = "there is no CUDA device: "+p.noDevice.Error(), "nothing else applies"
	case isRefused:
		there.Refusal, why = fmt.Sprintf("group %d: %v", p.planned[refused.step].Group, refused.err), "nothing else applies"
	case p.query.insists():
		why, isOnHost = p.query.insistence(), false
	case c.behind != "":
		why = c.behind
	case c.chosen && c.device >= c.host:
		why, isOnHost = "what its tables would have saved there by now pays for copying them", false
	case c.chosen:
		isOnHost = false
	}
	d := strategy.Decision{Of: "placement", Offers: []strategy.Offer{{Strategy: onHost, Cost: c.host}, there}}
	if isOnHost {
		d.Take(0, why)
	} else {
		d.Take(1, why)
	}
	return d
}
