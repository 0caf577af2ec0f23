package cuda

// secondPass is the entry that goes over the rows once more, for accumulators whose
// parts need what others are of the whole group: differences from the mean,
// the low words of extremes of 128 bits, and sums at the greatest scale.
func (g *Grouping) secondPass(t Tier) Pass {
	return Pass{
		Name: "aggregate_second", Comment: "accumulates what depends on the groups as a whole", Children: true,
		Open: t.Open,
		Rows: func(e *Entry) {
			e.slots = t.Slots
			t.Locate(e)
			for i := range g.accs {
				switch a := &g.accs[i]; {
				case a.kind == keptState && len(a.row.Differences) > 0:
					a.addWholes(e)
				case a.kind == keptMost && a.bits == 128:
					a.lowWords(e)
				case a.kind == keptNum:
					a.addNums(e)
				}
			}
		},
		Close: func(e *Entry) {
			if t.Flush == nil {
				return
			}
			t.Flush(e, func() {
				for i := range g.accs {
					switch a := &g.accs[i]; {
					case a.kind == keptState:
						a.flushParts(e, true)
					case a.kind == keptMost && a.bits == 128:
						a.flushMost(e, 1)
					case a.kind == keptNum:
						e.Begin("")
						a.flushWide(e, a.plane+1, 1)
						e.End()
					}
				}
			})
		},
	}
}

// lowWords takes the low words of the values whose high word is the group's.
func (a *GroupedAcc) lowWords(e *Entry) {
	low := "(u64)" + e.At(a.acc.Args[0])
	if a.least {
		low = "~" + low
	}
	e.Begin("")
	e.Line("const u32 rows = %s;", e.Counted(a.acc))
	e.openPlane(a.plane)
	e.Begin("ROWS if (bit(rows, r) && (%s) == %s[cell[r]])", a.rank(e), a.Array(e, 0))
	a.raiseMost(e, 1, low)
	e.End()
	e.End()
}
