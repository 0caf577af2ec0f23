package fusion

import (
	"slices"

	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Given is what a device's compiler gave the threads of a kernel: registers, and bytes of local memory
// that it spilled to.
type Given struct{ Registers, Spilled int }

// Learns reports whether it is not known of some group what a device's compiler gives its kernel.
func (p *Program) Learns() bool {
	return p.compiler != nil && !p.learning.done.Load() && slices.ContainsFunc(p.Groups, func(g Group) bool { return g.Compiled == nil })
}

// Learn notes what a device's compiler gave the kernels of groups. Programs that are woven from then on
// know it.
func (p *Program) Learn(given map[int]Given) error {
	if len(given) == 0 || !p.Learns() {
		return nil
	}
	var kernels []machine.Compiled
	for i := range p.Groups {
		g := &p.Groups[i]
		k, ok := given[i]
		if !ok || g.structure == "" || g.Compiled != nil {
			continue
		}
		kernels = append(kernels, machine.Compiled{Kernel: g.structure, Parts: g.parts, Registers: k.Registers, Spilled: k.Spilled})
		figures := &p.Machine.Device.Registers
		if figures.Occupancy(k.Registers, operators.BlockThreads) < figures.Resident {
			p.learning.outdated.Store(true)
		}
	}
	p.learning.done.Store(true)
	return p.compiler.Learn(kernels)
}

// Stay has the program not be outdated: another one cannot be made.
func (p *Program) Stay() { p.learning.outdated.Store(false) }

// Outdated reports whether a kernel of the program turned out to have so many registers, or to take so long, that
// another program may be better.
func (p *Program) Outdated() bool { return p.learning.outdated.Load() }
