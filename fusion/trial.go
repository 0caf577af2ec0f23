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
func (c *candidate) next(compiler *machine.Compiler, tries bool) []int {
	planned := compiler.WayOf(c.name, c.ways[0])
	if planned.Fails || planned.Runs < triedRuns || planned.Nanoseconds < leastTried {
		return c.ways[0]
	}
	best, least := c.ways[0], planned.All()*(1-leastGain)
	for i, ends := range c.ways[1:] {
		way := compiler.WayOf(c.name, ends)
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

// IsQuickest reports whether the program goes the quickest ways that are known.
func (p *Program) IsQuickest() bool { return !p.hasOther(false) }

// hasOther reports whether a candidate is to go another way than it does.
func (p *Program) hasOther(tries bool) bool {
	return slices.ContainsFunc(p.candidates, func(c candidate) bool {
		return c.ways != nil && !slices.Equal(c.next(p.compiler, tries), c.ends)
	})
}

// Tries reports whether it is to be timed what kernels of the program take.
func (p *Program) Tries() bool {
	return p.learning.missed.Load() < mostMissed && slices.ContainsFunc(p.candidates, p.isOpen)
}

// isOpen reports whether the quickest way of a candidate is sought, and the one that it goes did not run often enough.
func (p *Program) isOpen(c candidate) bool {
	if c.ways == nil {
		return false
	}
	way := p.compiler.WayOf(c.name, c.ends)
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
	defer p.goOn()
	missed := false
	for i := range p.candidates {
		c := &p.candidates[i]
		if !p.isOpen(*c) {
			continue
		}
		way, known := p.timed(c, groups)
		if missed = missed || !known; known {
			if err := p.compiler.Took(c.name, way); err != nil {
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
func (p *Program) timed(c *candidate, groups map[int]KernelTime) (way machine.Way, known bool) {
	way = machine.Way{Ends: c.ends, Nanoseconds: float64(len(c.ends)-1) * p.Machine.Device.Step} // each kernel more has the host do more
	own, known := p.groupsOf(c.ops), true
	for _, group := range own {
		took, ok := groups[group]
		way.Nanoseconds += took.Nanoseconds
		known = known && ok && !(took.Shared && c.isPlanned())
	}
	for _, group := range p.groupsOf(p.readersOf(c)) {
		took, ok := groups[group]
		if known = known && ok; !slices.Contains(own, group) {
			way.Readers += took.Nanoseconds
		}
	}
	return way, known
}

// Failed notes that the program cannot run as it is, where it tries what was not planned.
func (p *Program) Failed() error {
	defer p.goOn()
	for i := range p.candidates {
		if c := &p.candidates[i]; p.isOpen(*c) && !c.isPlanned() {
			if err := p.compiler.Took(c.name, machine.Way{Ends: c.ends, Fails: true}); err != nil {
				return err
			}
		}
	}
	return nil
}

// goOn has the program be outdated where it has tried what it was to try, and other ways are to be gone.
func (p *Program) goOn() {
	if !p.Tries() && p.hasOther(true) {
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
