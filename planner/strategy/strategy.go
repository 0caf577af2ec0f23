// Package strategy is the vocabulary of choices. Wherever the engine can do one thing in
// several ways (order joins, weave an edge, look rows up, place a group) each way is an
// Offer, with its cost or the reason why it does not apply, and the Decision between them
// keeps all offers and says why one was taken.
package strategy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Offer is one way to do a thing: what it is likely to cost, or why it does not apply.
type Offer struct {
	Strategy string  `json:"strategy"`
	Detail   string  `json:"detail,omitempty"`                // what it would do, such as which side it reads
	Cost     float64 `json:"estimated_nanoseconds,omitempty"` // of one core, or of the device on which it would be done
	Rows     float64 `json:"estimated_rows,omitempty"`        // that remain to be worked on; 0 where it does not matter
	Refusal  string  `json:"refusal,omitempty"`               // why the strategy does not apply; "" where it does
	Taken    bool    `json:"taken,omitempty"`
}

// Text is the offer in print.
func (o *Offer) Text() string {
	name := o.Strategy
	if o.Detail != "" {
		name += " (" + o.Detail + ")"
	}
	if o.Refusal != "" {
		return name + " does not apply: " + o.Refusal
	}
	if o.Rows > 0 {
		name += fmt.Sprintf(", %.4g rows,", o.Rows)
	}
	return fmt.Sprintf("%s %.3g ms", name, o.Cost/1e6)
}

// Table lists the strategies for one thing, of which C is a case.
type Table[C any] []Strategy[C]

// Strategy is a row of a Table. Offer returns what it would cost in a case, or why it does
// not apply.
type Strategy[C any] struct {
	Name  string
	Offer func(c C) Offer
}

// Names are the names of the strategies.
func (t Table[C]) Names() []string {
	names := make([]string, len(t))
	for i := range t {
		names[i] = t[i].Name
	}
	return names
}

// Offers asks all strategies.
func (t Table[C]) Offers(c C) []Offer {
	offers := make([]Offer, len(t))
	for i := range t {
		offers[i] = t[i].Offer(c)
		offers[i].Strategy = t[i].Name
	}
	return offers
}

// Refused are the offers of all strategies where none applies for a reason.
func (t Table[C]) Refused(why string) []Offer {
	offers := make([]Offer, len(t))
	for i := range t {
		offers[i] = Offer{Strategy: t[i].Name, Refusal: why}
	}
	return offers
}

// Names are the names of strategies.
func Names[S interface{ Name() string }](strategies []S) []string {
	return lists.Map(strategies, func(s S) string { return s.Name() })
}

// Decision is a choice between offers, of which one is taken.
type Decision struct {
	Of     string  `json:"of"`               // what is chosen: join, aggregate, edge
	Reason string  `json:"reason"`           // why one was taken
	Offers []Offer `json:"offers"`           // in the order of the table of strategies
	Sought bool    `json:"sought,omitempty"` // later runs try others
}

// Taken returns the offer that was taken, nil before one is.
func (d *Decision) Taken() *Offer {
	for i := range d.Offers {
		if d.Offers[i].Taken {
			return &d.Offers[i]
		}
	}
	return nil
}

// CostOf returns the cost of an offer that applies, 0 of others.
func (d *Decision) CostOf(strategy string) float64 {
	for i := range d.Offers {
		if d.Offers[i].Strategy == strategy {
			return d.Offers[i].Cost
		}
	}
	return 0
}

// Takes reports whether the offer of a strategy was taken.
func (d *Decision) Takes(strategy string) bool {
	taken := d.Taken()
	return taken != nil && taken.Strategy == strategy
}

// Take takes offer i in the place of the one taken before.
func (d *Decision) Take(i int, reason string) {
	if before := d.Taken(); before != nil {
		before.Taken = false
	}
	d.Offers[i].Taken, d.Reason = true, reason
}

// Lines are the offers in print, a line each; the one that was taken is marked.
func (d *Decision) Lines() []string {
	lines := make([]string, len(d.Offers))
	for i := range d.Offers {
		mark := "     "
		if d.Offers[i].Taken {
			mark = "taken"
		}
		lines[i] = mark + "  " + d.Offers[i].Text()
	}
	return lines
}

// Costs are the offers that apply in print, on one line.
func (d *Decision) Costs() string {
	var costs []string
	for i := range d.Offers {
		if o := &d.Offers[i]; o.Refusal == "" {
			costs = append(costs, fmt.Sprintf("%s %.3g ms", o.Strategy, o.Cost/1e6))
		}
	}
	return strings.Join(costs, ", ")
}

// Preference is what a user wants of the strategies of one kind of operator. The zero
// Preference takes the cheapest.
type Preference struct {
	Setting string   // the name of the setting that forces
	Force   string   // the only strategy that may be taken; "" for any
	Avoid   []string // strategies that are taken only where no other applies
}

// Prefers reports whether a strategy is forced, or all of its rivals are avoided and it
// is not.
func (p *Preference) Prefers(strategy string, rivals ...string) bool {
	if p.Force != "" {
		return p.Force == strategy
	}
	return !p.avoids(strategy) && !slices.ContainsFunc(rivals, func(s string) bool { return !p.avoids(s) })
}

func (p *Preference) avoids(strategy string) bool { return slices.Contains(p.Avoid, strategy) }

// Choose takes the cheapest offer that applies, the first of equals; one that is forced
// must apply, or the error 0A000 says why it does not. The decision keeps the offers.
func (p *Preference) Choose(of string, offers ...Offer) (Decision, error) {
	d := Decision{Of: of, Offers: offers}
	if p.Force != "" {
		return d, p.force(&d)
	}
	for _, avoided := range []bool{false, true} {
		best, applied := cheapest(offers, func(o *Offer) bool { return p.avoids(o.Strategy) == avoided })
		if best < 0 {
			continue
		}
		reason := "the cheapest"
		switch {
		case avoided:
			reason = "nothing else applies, though it is to be avoided"
		case applied == 1:
			reason = "nothing else applies"
		}
		d.Take(best, reason)
		return d, nil
	}
	return d, value.Errorf(value.CodeInternal, "no strategy of %s applies: %s", of, refusals(offers))
}

// force takes the cheapest offer of the forced strategy.
func (p *Preference) force(d *Decision) error {
	isForced := func(o *Offer) bool { return o.Strategy == p.Force }
	if best, _ := cheapest(d.Offers, isForced); best >= 0 {
		d.Take(best, fmt.Sprintf("%s is %s", p.Setting, p.Force))
		return nil
	}
	refused := slices.DeleteFunc(slices.Clone(d.Offers), func(o Offer) bool { return !isForced(&o) })
	return value.Errorf(value.CodeFeatureNotSupported, "%s is %s, which does not apply to every %s of the query: %s", p.Setting, p.Force, d.Of, refusals(refused))
}

// cheapest finds the cheapest offer that applies of those that may be taken, -1 for
// none, and how many apply.
func cheapest(offers []Offer, may func(*Offer) bool) (best, applied int) {
	best = -1
	for i := range offers {
		o := &offers[i]
		if o.Refusal != "" || !may(o) {
			continue
		}
		applied++
		if best < 0 || o.Cost < offers[best].Cost {
			best = i
		}
	}
	return best, applied
}

// refusals lists why offers do not apply.
func refusals(offers []Offer) string {
	var parts []string
	for _, o := range offers {
		if text := o.Strategy + ": " + o.Refusal; o.Refusal != "" && !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, "; ")
}
