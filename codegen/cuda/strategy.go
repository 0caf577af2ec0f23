package cuda

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/distinct"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/planner/strategy"
)

// DefaultRows is for how many rows costs are computed where their number is not known.
const DefaultRows = 1 << 20

// OfGroups is what the choice between strategies of aggregations is called.
const OfGroups = "aggregate on the device"

// Wants is what is wanted of how a device aggregates.
type Wants struct {
	Tables        strategy.Preference // of groups: dense or hash, on either backend
	Aggregates    strategy.Preference // of Target.Aggregates
	Distinct      strategy.Preference // of aggregates with DISTINCT, on either backend but for distinct.Mark
	Sorts         strategy.Preference // likewise but for sort.Cells
	Preaggregates strategy.Preference // of Target.Preaggregates
	Replicas      strategy.Preference // of cells in global memory: a number
	Runs          RunWants
	Threads       int // of a block that goes over the rows; 0: as strategies have them
	ThreadRows    int // that a thread holds at one time, where groups are no runs; 0: as strategies have them
}

// RunWants is what is wanted of groups that are runs of rows: see kernel.RunForm.
type RunWants struct{ Kernels, Updates, Rows strategy.Preference }

// Forced are the preferences that only a device meets.
func (w *Wants) Forced() []strategy.Preference {
	var forced []strategy.Preference
	for _, p := range []struct {
		strategy.Preference
		anywhere string // a value that holds on the CPU
	}{{w.Aggregates, ""}, {w.Preaggregates, NoPreaggregation}, {w.Replicas, oneReplica}} {
		if p.Force != "" && p.Force != p.anywhere {
			forced = append(forced, p.Preference)
		}
	}
	if w.Distinct.Force == distinct.Mark {
		forced = append(forced, w.Distinct)
	}
	if w.Sorts.Force == sort.Cells {
		forced = append(forced, w.Sorts)
	}
	return forced
}

// Force reports whether anything is forced.
func (w *Wants) Force() bool {
	for _, p := range []*strategy.Preference{&w.Aggregates, &w.Preaggregates, &w.Replicas, &w.Runs.Kernels, &w.Runs.Updates, &w.Runs.Rows} {
		if p.Force != "" {
			return true
		}
	}
	return w.Threads > 0 || w.ThreadRows > 0
}

// needed are those of the preferences that only some strategies of aggregations meet, in
// print.
func (w *Wants) needed() (joins, replicas string) {
	for _, p := range (&Wants{Preaggregates: w.Preaggregates}).Forced() {
		joins = p.Setting + " is " + p.Force
	}
	for _, p := range (&Wants{Replicas: w.Replicas}).Forced() {
		replicas = p.Setting + " is " + p.Force
	}
	return joins, replicas
}

// offers asks all strategies but for one.
func (g *Grouping) offers(want *Wants, but string) []strategy.Offer {
	joins, replicas := want.needed()
	offers := make([]strategy.Offer, len(g.target.Aggregates))
	for i, s := range g.target.Aggregates {
		if _, orders := s.(Ordering); orders != g.Layout.Runs {
			offers[i] = strategy.Offer{Strategy: s.Name(), Refusal: notOrdered}
			if orders {
				offers[i].Refusal = ordered
			}
			continue
		}
		o := s.Offer(g)
		o.Strategy = s.Name()
		switch a := s.Adding(g); {
		case o.Refusal != "":
		case o.Strategy == but:
			o.Refusal = "it overflows"
		case joins != "" && a.Refusal != "":
			o.Refusal = joins + ", and " + a.Refusal
		case replicas != "" && a.Refusal+a.noGlobal() != "":
			o.Refusal = replicas + ", and " + a.Refusal + a.noGlobal()
		}
		offers[i] = o
	}
	return offers
}

// Why a strategy does not apply to groups that are found otherwise.
const (
	ordered    = "the plan finds groups by a table"
	notOrdered = "the plan has groups be runs of rows"
)

// choose takes for each choice what is wanted, or the cheapest that applies. Where nothing
// is atomic there is one choice.
func (g *Grouping) choose(want *Wants) (chosen, error) {
	c, err := g.chooseAdding(want)
	if err == nil {
		err = g.chooseWriter(&c)
	}
	return c, err
}

// chooseAdding chooses how rows are added to their groups.
func (g *Grouping) chooseAdding(want *Wants) (c chosen, err error) {
	var found strategy.Decision
	decide := func(p *strategy.Preference, of string, offers []strategy.Offer) string {
		if err != nil {
			return ""
		}
		if found, err = p.Choose(of, offers...); err != nil {
			return ""
		}
		c.decisions = append(c.decisions, found)
		return found.Taken().Strategy
	}
	name := decide(&want.Aggregates, OfGroups, g.offers(want, ""))
	if err != nil {
		return c, err
	}
	c.strategy = g.target.find(name)
	a := c.strategy.Adding(g)
	if o, ok := c.strategy.(Ordering); ok {
		form := func(p *strategy.Preference, of string, offers []strategy.Offer) int {
			n, _ := strconv.Atoi(decide(p, of, offers))
			return n
		}
		c.runs.Kernels = form(&want.Runs.Kernels, "kernels for runs on the device", o.Kernels(g))
		c.runs.Update = decide(&want.Runs.Updates, "updates of runs on the device", o.Updates(g))
		c.runs.Rows = form(&want.Runs.Rows, "rows of a thread on the device", o.ThreadRows(g, c.runs.Update))
	}
	if a.Refusal != "" || err != nil {
		c.preaggregates, c.replicas, c.own = g.target.findPreaggregation(NoPreaggregation), 1, a.Tables
		return c, err
	}
	a.g, a.Copies = g, 1
	offers := make([]strategy.Offer, len(g.target.Preaggregates))
	for i, p := range g.target.Preaggregates {
		offers[i] = p.Offer(g, &a)
		offers[i].Strategy = p.Name()
	}
	name = decide(&want.Preaggregates, "preaggregation on the device", offers)
	if err != nil {
		return c, err
	}
	c.preaggregates = g.target.findPreaggregation(name)
	name = decide(&want.Replicas, "replicas on the device", a.replicaOffers(want.Replicas.Force, c.preaggregates.Left(g.Odds())))
	if err == nil {
		c.replicas, err = strconv.Atoi(name)
	}
	return c, err
}

// decided chooses as the sink says, which a decision before has said, or the cheapest.
func (g *Grouping) decided() chosen {
	force := func(name string) strategy.Preference {
		return strategy.Preference{Setting: "the kernel's choice", Force: name}
	}
	want := Wants{Aggregates: force(g.s.Device), Preaggregates: force(g.s.Preaggregate), Replicas: force("")}
	if g.s.Replicas > 0 {
		want.Replicas.Force = fmt.Sprint(g.s.Replicas)
	}
	if f := g.s.RunForm; f != (kernel.RunForm{}) {
		want.Runs = RunWants{force(strconv.Itoa(f.Kernels)), force(f.Update), force(strconv.Itoa(f.Rows))}
	}
	c, err := g.choose(&want)
	if err != nil {
		g.refuse("%v", err)
	}
	return c
}

// Fallback returns the cheapest strategy but for one that may overflow.
func (g *Grouping) Fallback(of string) Strategy {
	decision, err := new(strategy.Preference).Choose("aggregate on the device", g.offers(&Wants{}, of)...)
	if err != nil {
		g.refuse("%v", err)
		return g.target.Aggregates[0]
	}
	return g.target.find(decision.Taken().Strategy)
}

// find finds a strategy by its name.
func (t *Target) find(name string) Strategy {
	i := slices.IndexFunc(t.Aggregates, func(s Strategy) bool { return s.Name() == name })
	return t.Aggregates[i]
}

func (t *Target) findPreaggregation(name string) Preaggregation {
	i := slices.IndexFunc(t.Preaggregates, func(p Preaggregation) bool { return p.Name() == name })
	return t.Preaggregates[i]
}
