package operators

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// Offer is what a strategy says of an operator at hand: what doing it this way is
// likely to cost, or why it cannot be done so.
type Offer struct {
	Strategy string
	Detail   string  // what it would do, such as which side it reads; may be ""
	Cost     float64 // nanoseconds of one core
	Refusal  string  // why the strategy does not apply; "" where it does
}

// Choice is how an operator is done: the offers of all its strategies, in the order of
// their table, and the one taken.
type Choice struct {
	Of     string // what is chosen: join, aggregate, table
	Offers []Offer
	Taken  int
	Reason string // why it was taken
}

// Strategy is the offer that was taken.
func (c *Choice) Strategy() *Offer { return &c.Offers[c.Taken] }

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
	isAvoided := func(s string) bool { return slices.Contains(p.Avoid, s) }
	return !isAvoided(strategy) && !slices.ContainsFunc(rivals, func(s string) bool { return !isAvoided(s) })
}

// Choose takes the cheapest offer that applies, the first of equals; one that is forced
// must apply, or the error 0A000 says why it does not.
func (p *Preference) Choose(of string, offers []Offer) (Choice, error) {
	c := Choice{Of: of, Offers: offers, Taken: -1}
	if p.Force != "" {
		return c, p.force(&c)
	}
	for _, avoided := range []bool{false, true} {
		for i := range offers {
			o := &offers[i]
			if o.Refusal != "" || slices.Contains(p.Avoid, o.Strategy) != avoided {
				continue
			}
			if c.Taken < 0 || o.Cost < offers[c.Taken].Cost {
				c.Taken = i
			}
		}
		if c.Taken >= 0 {
			c.Reason = p.reason(&c, avoided)
			return c, nil
		}
	}
	return c, value.Errorf(value.CodeInternal, "no strategy of %s applies: %s", of, refusals(offers))
}

// force takes the cheapest offer of the forced strategy.
func (p *Preference) force(c *Choice) error {
	for i := range c.Offers {
		o := &c.Offers[i]
		if o.Strategy == p.Force && o.Refusal == "" && (c.Taken < 0 || o.Cost < c.Offers[c.Taken].Cost) {
			c.Taken = i
		}
	}
	c.Reason = fmt.Sprintf("%s is %s", p.Setting, p.Force)
	if c.Taken >= 0 {
		return nil
	}
	refused := slices.DeleteFunc(slices.Clone(c.Offers), func(o Offer) bool { return o.Strategy != p.Force })
	return value.Errorf(value.CodeFeatureNotSupported, "%s is %s, which does not apply to every %s of the query: %s", p.Setting, p.Force, c.Of, refusals(refused))
}

// reason says why the cheapest offer was taken.
func (p *Preference) reason(c *Choice, avoided bool) string {
	applied := 0
	for _, o := range c.Offers {
		if o.Refusal == "" && slices.Contains(p.Avoid, o.Strategy) == avoided {
			applied++
		}
	}
	switch {
	case avoided:
		return "nothing else applies, though it is to be avoided"
	case applied == 1:
		return "nothing else applies"
	}
	return "the cheapest"
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
