package several

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
)

// For is the backend on which a query is to run. Where devices are not likely to share any of its steps that
// is one of them alone, the one on which the fewest queries run: its tables of joins are then made once, and
// queries of several clients run on all devices. Each device keeps the columns that it has read.
func (b *Backend) For(prog *codegen.Program) *Backend {
	if len(b.members) == 1 || b.shares(prog) {
		return b
	}
	least := slices.MinFunc(b.members, func(x, y *member) int { return cmp.Compare(x.queries.Load(), y.queries.Load()) })
	one := *b
	one.members, one.chosen = []*member{least}, true
	return &one
}

// shares reports whether devices are likely to share a step.
func (b *Backend) shares(prog *codegen.Program) bool {
	everywhere := slices.Repeat([]bool{true}, len(prog.Steps))
	return slices.ContainsFunc(b.predict(prog, everywhere, nil, ""), func(p prediction) bool { return p.deals || p.how != nil && p.rows != nil })
}

// IsAlone reports whether one query runs on the devices at most.
func (b *Backend) IsAlone() bool {
	return !slices.ContainsFunc(b.members, func(m *member) bool { return m.queries.Load() > 1 })
}

// Begin counts a query that runs on the devices, until end is called.
func (b *Backend) Begin() (end func()) {
	for _, m := range b.members {
		m.queries.Add(1)
	}
	return func() {
		for _, m := range b.members {
			m.queries.Add(-1)
		}
	}
}
