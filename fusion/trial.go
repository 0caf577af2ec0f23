package fusion

import (
	"slices"

	"github.com/cubeloom/cubeloom/runtime/machine"
)

// What is tried, as estimates do not say which is quicker: where the kernels of a candidate take leastTried
// nanoseconds or more, it is cut in other ways, each of which runs triedRuns times. Kernels that read what it makes
// count, too: in another order rows of a table may be found more slowly. A program tries a way of one candidate at a time.
// Where cutting at all edges takes hopeless times as long, no single edge is tried, and nothing counts as quicker
// by less than leastGain.
const (
	leastTried = 250e3
	triedRuns  = 2
	hopeless   = 1.5
	leastGain  = 0.03
	// mostMissed is how many runs of a program need not tell what its kernels took.
	mostMissed = 4
)

// next is the way that a program is to go: where it tries one that did not run often enough, as long as there is
// any that may be quicker, else the quickest that is known.
func (t *trial) next(c *machine.Compiler, tries bool) []int {
	planned := c.WayOf(t.operators, t.ways[0])
	if planned.Fails || planned.Runs < triedRuns || planned.Nanoseconds < leastTried {
		return t.ways[0]
	}
	best, least := t.ways[0], planned.All()*(1-leastGain)
	for i, ends := range t.ways[1:] {
		way := c.WayOf(t.operators, ends)
		switch {
		case way.Fails:
		case way.Runs >= triedRuns:
			if way.All() < least {
				best, least = ends, way.All()
			}
			tries = tries && (i > 0 || way.All()-planned.All() < (hopeless-1)*planned.Nanoseconds)
		case tries:
			return ends
		}
	}
	return best
}

// Tries reports whether it is to be timed what kernels of the program take.
func (p *Program) Tries() bool {
	return p.learning.missed.Load() < mostMissed && slices.ContainsFunc(p.trials, func(t *trial) bool { return t.isOpen(p.compiler) })
}

// isOpen reports whether the way that the program goes did not run often enough.
func (t *trial) isOpen(c *machine.Compiler) bool {
	way := c.WayOf(t.operators, t.ends)
	return !way.Fails && way.Runs < triedRuns
}

// KernelTime is what the kernel of a group took.
type KernelTime struct {
	Nanoseconds float64
	Shared      bool // it is that of other groups as well
}

// Took notes what the kernels of groups took in a run. Programs that are woven from then on know it. A kernel that
// several groups share counts for each: it is not known which part is whose, and what was planned is not left for that.
func (p *Program) Took(groups map[int]KernelTime) error {
	defer p.settle()
	missed := false
	for _, t := range p.trials {
		if !t.isOpen(p.compiler) {
			continue
		}
		way, known := p.timed(t, groups)
		if missed = missed || !known; known {
			if err := p.compiler.Took(t.operators, way); err != nil {
				return err
			}
		}
	}
	if missed && p.learning.missed.Add(1) == mostMissed {
		return p.Failed()
	}
	return nil
}

// timed is what the way of a candidate took in a run; known is false where the groups do not tell.
func (p *Program) timed(t *trial, groups map[int]KernelTime) (way machine.Way, known bool) {
	way = machine.Way{Ends: t.ends, Nanoseconds: float64(len(t.ends)-1) * p.Machine.Device.Step} // each kernel more has the host do more
	own, known := p.groupsOf(t.chain), true
	for _, group := range own {
		took, ok := groups[group]
		way.Nanoseconds += took.Nanoseconds
		known = known && ok && !(took.Shared && slices.Equal(t.ends, t.ways[0]))
	}
	for _, group := range p.groupsOf(p.Ops[t.chain[len(t.chain)-1]].consumers) {
		took, ok := groups[group]
		if known = known && ok; !slices.Contains(own, group) {
			way.Readers += took.Nanoseconds
		}
	}
	return way, known
}

// Failed notes that the program cannot run as it is, where it tries what was not planned.
func (p *Program) Failed() error {
	defer p.settle()
	for _, t := range p.trials {
		if t.isOpen(p.compiler) && !slices.Equal(t.ends, t.ways[0]) {
			if err := p.compiler.Took(t.operators, machine.Way{Ends: t.ends, Fails: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// settle has the program be outdated where it has tried what it was to try, and other ways are to be gone.
func (p *Program) settle() {
	if !p.Tries() && slices.ContainsFunc(p.trials, func(t *trial) bool { return !slices.Equal(t.next(p.compiler, true), t.ends) }) {
		p.learning.outdated.Store(true)
	}
}

// groupsOf are the groups that operators are woven into.
func (p *Program) groupsOf(chain []int) (groups []int) {
	for _, id := range chain {
		if g := p.Ops[id].Group; !slices.Contains(groups, g) {
			groups = append(groups, g)
		}
	}
	return groups
}
