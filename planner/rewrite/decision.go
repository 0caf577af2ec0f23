package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// shownAlternatives is how many of them a decision names, the plan as it is aside.
const shownAlternatives = 6

// decision is that of the search, in which the plan as it is comes first; problem says
// why the best plan could not be made.
func (p *earlyPlan) decision(n *algebra.Aggregate, problem string) strategy.Decision {
	slices.SortStableFunc(p.others, func(a, b alternative) int {
		switch {
		case a.cost < b.cost:
			return -1
		case a.cost > b.cost:
			return 1
		}
		return 0
	})
	d := strategy.Decision{Of: describeAggregate(n), Offers: []strategy.Offer{p.offer("late", "after all joins only", p.lateRows, p.late)}}
	for _, a := range p.others[:min(len(p.others), shownAlternatives)] {
		texts := make([]string, len(a.places))
		for i := range a.places {
			texts[i] = p.describe(&a.places[i])
		}
		d.Offers = append(d.Offers, p.offer("early", strings.Join(texts, ", then "), a.rows, a.cost))
	}
	p.conclude(&d, problem)
	return d
}

// offer offers a plan whose last aggregation reads some rows.
func (p *earlyPlan) offer(name, detail string, rows, cost float64) strategy.Offer {
	return strategy.Offer{Strategy: name, Detail: detail, Rows: rows, Cost: cost * p.est.Machine().Host.Join.Probed}
}

// conclude takes an offer and says why.
func (p *earlyPlan) conclude(d *strategy.Decision, problem string) {
	share := (p.cost - p.common) / max(p.late-p.common, 1)
	switch {
	case problem != "":
		d.Take(0, "not taken early: "+problem)
	case len(p.places) == 0:
		d.Take(0, "nothing that is aggregated early makes it cheaper")
	case p.pays():
		d.Take(1, fmt.Sprintf("%.3g of the work from there on is left, of at most %.3g that pay", share, worthEarly))
	default:
		d.Take(0, fmt.Sprintf("%.3g of the work would be left, more than the %.3g that pay", share, worthEarly))
	}
}

// describe is a place in print: what has been joined and the columns that it groups by.
func (p *earlyPlan) describe(at *place) string {
	relations := []string{relationName(p.base)}
	for i := range p.steps {
		if at.done.has(i) && p.steps[i].other != nil {
			relations = append(relations, relationName(p.steps[i].other))
		}
	}
	keys := lists.Map(p.keysAt(at), func(col algebra.Column) string { return col.Name })
	return fmt.Sprintf("%s by %s: %.4g rows", strings.Join(relations, " ⋈ "), strings.Join(keys, ", "), at.rows)
}

// relationName is what a relation is made of in print: its tables.
func relationName(n algebra.Node) string {
	var names []string
	algebra.Walk(n, func(n algebra.Node) bool {
		if scan, ok := n.(*algebra.Scan); ok {
			name := scan.Table.Name
			if scan.Alias != "" {
				name = scan.Alias
			}
			names = append(names, name)
		}
		return true
	})
	if len(names) == 0 {
		return "values"
	}
	return strings.Join(names, "·")
}

// describeAggregate is an aggregation in print.
func describeAggregate(n *algebra.Aggregate) string {
	var aggs, keys []string
	for i := range n.Aggs {
		aggs = append(aggs, algebra.AggText(&n.Aggs[i], false))
	}
	for _, key := range n.Keys {
		keys = append(keys, key.Expr.String())
	}
	text := strings.Join(aggs, ", ")
	if len(keys) > 0 {
		text += " by " + strings.Join(keys, ", ")
	}
	return text
}
