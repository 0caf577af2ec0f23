package fusion

import (
	"math"
	"slices"

	"github.com/cubeloom/cubeloom/runtime/machine"
)

// What is tried, as estimates do not say which is quicker: where the kernels of a candidate take leastTried
// nanoseconds or more, it is cut in other ways, each of which runs triedRuns times. Where cutting at all edges takes
// hopeless times as long, no single edge is tried, and nothing counts as quicker by less than leastGain.
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
	if planned.Runs < triedRuns || planned.Nanoseconds < leastTried {
		return t.ways[0]
	}
	best, least := t.ways[0], planned.Nanoseconds*(1-leastGain)
	for i, ends := range t.ways[1:] {
		way := c.WayOf(t.operators, ends)
		switch {
		case way.Fails:
		case way.Runs >= triedRuns:
			if way.Nanoseconds < least {
				best, least = ends, way.Nanoseconds
			}
			tries = tries && (i > 0 || way.Nanoseconds < hopeless*planned.Nanoseconds)
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
	missed := false
	for _, t := range p.trials {
		if !t.isOpen(p.compiler) {
			continue
		}
		sum, known := float64(len(t.ends)-1)*p.Machine.Device.Step, true // each kernel more has the host do more
		for _, group := range p.groupsOf(t.chain) {
			took, ok := groups[group]
			sum, known = sum+took.Nanoseconds, known && ok && !(took.Shared && slices.Equal(t.ends, t.ways[0]))
		}
		if missed = missed || !known; known {
			if err := p.note(t, sum); err != nil {
				return err
			}
		}
	}
	if missed && p.learning.missed.Add(1) == mostMissed {
		return p.Failed()
	}
	return nil
}

// Failed notes that the program cannot run as it is, where it tries what was not planned.
func (p *Program) Failed() error {
	for _, t := range p.trials {
		if t.isOpen(p.compiler) && !slices.Equal(t.ends, t.ways[0]) {
			if err := p.note(t, math.Inf(1)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Program) note(t *trial, nanoseconds float64) error {
	err := p.compiler.Took(t.operators, t.ends, nanoseconds)
	if !slices.Equal(t.next(p.compiler, true), t.ends) {
		p.learning.outdated.Store(true)
	}
	return err
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
