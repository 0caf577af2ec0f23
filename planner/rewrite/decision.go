package rewrite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// Decision is a choice that a rule made by costs.
type Decision struct {
	Of           string        `json:"of"` // the operator that it is about
	Alternatives []Alternative `json:"alternatives"`
	Reason       string        `json:"reason"` // why one was taken
}

// Alternative is one of the plans that a rule chose from.
type Alternative struct {
	Text  string  `json:"text"`
	Rows  float64 `json:"rows"` // that the last aggregation reads
	Cost  float64 `json:"cost"` // in terms of looking a row up in a small table
	Taken bool    `json:"taken"`
}

// alternative is one that a search has seen, with its places.
type alternative struct {
	places []place
	rows   float64
	cost   float64
}

// shownAlternatives is how many of them a decision names, the plan as it is aside.
const shownAlternatives = 6

// note keeps a way to the end of the plan whose last early aggregation is from.
func (p *earlyPlan) note(from *start, rows, cost float64) {
	a := alternative{rows: rows, cost: cost}
	for at := from; !at.plain; at = at.from {
		a.places = append([]place{at.place}, a.places...)
	}
	p.others = append(p.others, a)
}

// decision is that of the search, before it is known what is taken: the plan as it is
// comes first.
func (p *earlyPlan) decision(n *algebra.Aggregate) Decision {
	slices.SortStableFunc(p.others, func(a, b alternative) int {
		switch {
		case a.cost < b.cost:
			return -1
		case a.cost > b.cost:
			return 1
		}
		return 0
	})
	d := Decision{Of: describeAggregate(n), Alternatives: []Alternative{{Text: "after all joins only", Rows: p.lateRows, Cost: p.late}}}
	for _, a := range p.others[:min(len(p.others), shownAlternatives)] {
		texts := make([]string, len(a.places))
		for i := range a.places {
			texts[i] = p.describe(&a.places[i])
		}
		d.Alternatives = append(d.Alternatives, Alternative{Text: strings.Join(texts, ", then "), Rows: a.rows, Cost: a.cost})
	}
	return d
}

// conclude says what is taken and why.
func (d *Decision) conclude(p *earlyPlan, problem string) {
	taken := 0
	share := (p.cost - p.common) / max(p.late-p.common, 1)
	switch {
	case problem != "":
		d.Reason = "not taken early: " + problem
	case len(p.places) == 0:
		d.Reason = "nothing that is aggregated early makes it cheaper"
	case p.pays():
		taken = 1
		d.Reason = fmt.Sprintf("%.3g of the work from there on is left, of at most %.3g that pay", share, worthEarly)
	default:
		d.Reason = fmt.Sprintf("%.3g of the work would be left, more than the %.3g that pay", share, worthEarly)
	}
	d.Alternatives[taken].Taken = true
}

// describe is a place in print: what has been joined and the columns that it groups by.
func (p *earlyPlan) describe(at *place) string {
	relations := []string{relationName(p.base)}
	for i := range p.steps {
		if at.done.has(i) && p.steps[i].other != nil {
			relations = append(relations, relationName(p.steps[i].other))
		}
	}
	var keys []string
	for _, col := range p.keysAt(at) {
		keys = append(keys, col.Name)
	}
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
