package fusion

import (
	"cmp"
	"fmt"
	"math"

	"github.com/cubeloom/cubeloom/planner/strategy"
)

// choose is Algorithm 2: it makes groups of a candidate. All of it is one where it stays within the
// budget and, on a device, its registers leave a multiprocessor enough threads. Else it is cut where
// that is cheapest.
func (p *Program) choose(chain []int) {
	one := p.takes(chain)
	ends := []int{len(chain)}
	if one.exceeds(p.Budget) || p.Device && p.isScarce(&one) {
		ends = cheapestCut(len(chain), func(from, to int) float64 { return p.partCost(chain, from, to) })
	}
	c := candidate{ops: chain, ends: ends}
	p.seek(&c)
	for i, end := range c.ends {
		from := 0
		if i > 0 {
			from = c.ends[i-1]
			p.refuse(chain[from-1], chain[from], p.refusal(&one, &c))
		}
		group := Group{Ops: chain[from:end:end]}
		group.took(&one)
		if len(c.ends) > 1 {
			part := p.takes(group.Ops)
			group.took(&part)
		}
		p.Groups = append(p.Groups, group)
	}
	p.candidates = append(p.candidates, c)
}

// refuse has an edge materialized that was to be woven.
func (p *Program) refuse(from, to int, refusal string) {
	for i := range p.Edges {
		if e := &p.Edges[i]; e.From == from && e.To == to {
			e.refuse(refusal)
		}
	}
}

// refusal says why a candidate is cut.
func (p *Program) refusal(one *takes, c *candidate) string {
	switch why := p.excess(one); {
	case why != "":
		return why
	case !c.isPlanned():
		return "runs say that several kernels are quicker, or this one is to tell"
	}
	return "together they would have " + one.text()
}

// weigh puts into words what a candidate would cost in one kernel, packed, and cut where that is
// cheapest.
func (p *Program) weigh(c *candidate) Decision {
	one := p.kernelCost(c.ops, 0, len(c.ops))
	whole := strategy.Offer{Strategy: Whole, Cost: one.whole, Detail: one.text(), Refusal: p.excess(&one.takes)}
	packed := strategy.Offer{Strategy: Packed, Cost: one.packed, Refusal: whole.Refusal}
	switch {
	case packed.Refusal != "":
	case !p.mayPack(c.ops):
		packed.Refusal = "where rows are not aggregated the kernel alone decides"
	case math.IsInf(one.packed, 1):
		packed.Refusal = "no probe leaves so few rows that packing them saves anything"
	default:
		packed.Detail = "behind " + p.Ops[one.behind].Traits().Detail
	}
	cut, estimated, reason := p.cutOffer(c, &one), whole.Cost, ""
	if c.ways != nil {
		reason = p.tell(c, &whole, &cut)
	}
	d := Decision{Op: c.ops[len(c.ops)-1], Decision: strategy.Decision{Of: "kernels", Offers: []strategy.Offer{whole, packed, cut}}}
	switch {
	case len(c.ends) > 1:
		d.Take(2, cmp.Or(reason, "the cheapest"))
	case packed.Refusal == "" && packed.Cost < estimated:
		d.Take(1, cmp.Or(reason, "the cheapest; the kernel decides where"))
	default:
		d.Take(0, cmp.Or(reason, "the cheapest"))
	}
	for i := range d.Offers {
		if o := &d.Offers[i]; o.Refusal != "" {
			o.Cost = 0
		}
	}
	return d
}

// cutOffer is what it costs to cut a candidate: where it was cut, else at the best edge.
func (p *Program) cutOffer(c *candidate, one *kernelCost) strategy.Offer {
	cut := strategy.Offer{Strategy: Cut, Cost: math.Inf(1)}
	if len(c.ends) > 1 {
		cut.Cost, cut.Detail = p.partsCost(c.ops, c.ends)
		return cut
	}
	for at := 1; at < len(c.ops); at++ {
		if cost, detail := p.partsCost(c.ops, []int{at, len(c.ops)}); cost < cut.Cost {
			cut.Cost, cut.Detail = cost, detail
		}
	}
	switch {
	case math.IsInf(cut.Cost, 1):
		cut.Refusal = "its parts do not fit either"
	case !p.isScarce(&one.takes):
		cut.Refusal = fmt.Sprintf("registers leave enough threads; it would take %.3g ms: %s", cut.Cost/1e6, cut.Detail)
		cut.Detail = ""
	}
	return cut
}
