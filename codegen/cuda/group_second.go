package cuda

// secondPass is the entry that goes over the rows once more, for accumulators whose
// parts need what others are of the whole group: differences from the mean,
// the low words of extremes of 128 bits, and sums at the greatest scale.
func (g *Grouping) secondPass(t Tier) Pass {
	return Pass{
		Name: "aggregate_second", Comment: "accumulates what depends on the groups as a whole", Children: true,
		Open: func(e *Entry) {
			e.slots, e.full = t.Slots, t.Full
			g.openPeers(e)
			t.open(e)
		},
		Rows: func(e *Entry) {
			t.Locate(e)
			g.findPeers(e)
			for i := range g.accs {
				g.accs[i].accumulate(e, true)
			}
		},
		Close: func(e *Entry) {
			g.countAdditions(e)
			g.flush(e, t, true)
		},
	}
}
