package cuda

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The kinds of terms.
var (
	sumTerm    = &termKind{"Sum", "u64", []string{"u64"}, 2}
	narrowTerm = &termKind{"NarrowSum", "u64", []string{"u64"}, 2}
	wideTerm   = &termKind{"WideSum", "Wide", []string{"u64", "u64", "u64"}, 6}
	floatTerm  = &termKind{"FloatSum", "f64", []string{"f64"}, 2}
	maxTerm    = &termKind{"MaxRank<u64>", "u64", []string{"u64"}, 2}
	maxTerm32  = &termKind{"MaxRank<u32>", "u32", []string{"u32"}, 1}
	flagTerm   = &termKind{"Flag", "u32", []string{"u32"}, 1}
	orTerm     = &termKind{"OrBits", "u64", []string{"u64"}, 2}
	xorTerm    = &termKind{"XorBits", "u64", []string{"u64"}, 2}
)

// textTerm is the text that an accumulator keeps.
func textTerm(op kernel.AccOp) *termKind {
	return &termKind{fmt.Sprintf("Kept<%s>", textOrders[op]), "u64", []string{"u64"}, 2}
}

// newTerm gives a term its arrays and planes.
func (g *Grouping) newTerm(kind *termKind, note string) term {
	t := term{kind: kind, array: len(g.Layout.State), max: math.MaxUint64, note: note}
	for _, ctype := range kind.arrays {
		g.Layout.State = append(g.Layout.State, bytesOf[ctype])
	}
	return t
}

// placePlanes assigns planes to the terms. In a table of groups, the low words of sums to which a row adds
// 32 bits at most come behind all others, and their high words last, at one distance: see HighWord. A block whose sums
// fit a word has more slots instead of high words.
func (g *Grouping) placePlanes() {
	var narrow []*term
	for _, t := range append(g.termsOf(false), g.termsOf(true)...) {
		if t.kind == sumTerm && t.max <= math.MaxUint32 && g.mayNarrow() {
			t.kind = narrowTerm
			narrow = append(narrow, t)
			continue
		}
		t.plane = g.Layout.Planes
		g.Layout.Planes += t.kind.planes
	}
	for i, t := range narrow {
		t.plane = g.Layout.Planes + i
	}
	g.Layout.Highs = len(narrow)
	g.Layout.Planes += 2 * len(narrow)
}

// HighWord is how many words the high word of a sum lies behind its low one, in device code: of sums
// without planes of that kind it is the next plane.
func (l *CellLayout) HighWord() string {
	if l.Highs == 0 {
		return "stride"
	}
	return fmt.Sprintf("%d * stride", l.Highs)
}

// mayNarrow reports whether a bound of what a block adds to a sum may be known at the launch.
func (g *Grouping) mayNarrow() bool {
	return !g.Layout.Dense && !g.Layout.Runs && !g.Layout.SecondPass && !g.multiplies()
}

// cells is array i of the term.
func (t *term) cells(e *Entry, i int) string {
	array := e.cellArg(Arg{Kind: ArgState, Index: t.array + i}, t.kind.arrays[i]+"*", t.note)
	if apart := e.cellLayout().Apart; apart > 0 {
		return fmt.Sprintf("strided<%d>(%s)", apart, array)
	}
	return array
}

// all are its arrays.
func (t *term) all(e *Entry) string {
	return t.arrays(func(i int) string { return t.cells(e, i) })
}

// arrays lists as many arrays as it has.
func (t *term) arrays(name func(i int) string) string {
	names := make([]string, len(t.kind.arrays))
	for i := range names {
		names[i] = name(i)
	}
	return strings.Join(names, ", ")
}

// add adds v, of a row, to the slot of the row or to its cell.
func (t *term) add(e *Entry, v string) {
	switch {
	case !e.slots:
		t.addToCell(e, "cell", v)
	case e.full:
		t.addToSlot(e, v)
	default:
		e.Begin("if (bit(local, r))")
		t.addToSlot(e, v)
		e.Else()
		t.addToCell(e, "at", v)
		e.End()
	}
}

// isSmall reports whether what a row gives, or all lanes that are peers, fits 32 bits.
func (t *term) isSmall(e *Entry) bool {
	lanes := uint64(1)
	if e.peers {
		lanes = Lanes
	}
	return t.max <= math.MaxUint32/lanes
}

// addToSlot adds v, of a row or of all lanes that are peers.
func (t *term) addToSlot(e *Entry, v string) {
	if t.isSmall(e) {
		e.Line("add_small(slots, %d, at[r], (u32)%s);", t.plane, v)
		return
	}
	e.Line("add<%s>(slots, %d, at[r], %s);", t.kind.name, t.plane, v)
}

// addToCell adds v to the cell of which an array has the number.
func (t *term) addToCell(e *Entry, array, v string) {
	e.Line("%s::add(%s, %s%s[r], %s);", t.kind.name, v, e.copy, array, t.all(e))
}

// flush adds what a slot has to its cell.
func (t *term) flush(e *Entry) {
	e.Line("flush<%s>(slots, %d, slot, %scell, %s);", t.kind.name, t.plane, e.copy, t.all(e))
}

// given is the type of what a row gives to the term.
func (t *term) given() string {
	if t.max <= math.MaxUint32 {
		return "u32"
	}
	return t.kind.ctype
}

// joined is the type of what lanes join.
func (k *termKind) joined(ones bool) string {
	if ones {
		return "u32"
	}
	return k.ctype
}

// ofOnes is what so many ones are of the term.
func (k *termKind) ofOnes(number string) string {
	if k == flagTerm {
		return "1u"
	}
	return number
}

func allOnes(terms []*term) bool {
	return !slices.ContainsFunc(terms, func(t *term) bool { return !t.ones })
}

// findPeers finds the lanes that add to the same cells.
func (g *Grouping) findPeers(e *Entry) {
	if e.peers = g.how.joins(); !e.peers {
		return
	}
	words := "nullptr"
	if n := g.how.preaggregates.Scratch(); n > 0 {
		words = fmt.Sprintf("peer_words + threadIdx.x / 32 * %d", n)
	}
	e.Line("Peers peers = {%s};", words)
	e.Line("find_peers(peers, active, cell);")
	e.Line("added += __popc(active), made += __popc(peers.leads);")
}

// openPeers declares what a block has for them.
func (g *Grouping) openPeers(e *Entry) {
	if !g.how.joins() {
		return
	}
	for _, code := range g.how.preaggregates.Code() {
		g.Include(code)
	}
	g.include("peers.cuh")
	if words := g.how.preaggregates.Scratch(); words > 0 {
		e.Line("__shared__ u32 peer_words[WARPS * %d];", words)
	}
	e.Line("u32 added = 0, made = 0;  // rows, and additions that are left of them")
}

// countAdditions notes what has been added.
func (g *Grouping) countAdditions(e *Entry) {
	if !g.how.joins() {
		return
	}
	count := e.Arg(Arg{Kind: ArgAdditions}, "u64*", "rows that were added, and additions that were made of them")
	e.Line("const u64 all_added = warp_sum((u64)added), all_made = warp_sum((u64)made);")
	e.Begin("if (threadIdx.x %% 32 == 0)")
	e.Line("atomicAdd(%s, all_added);", count)
	e.Line("atomicAdd(%s + 1, all_made);", count)
	e.End()
}

// open begins a block.
func (t *Tier) open(e *Entry) {
	if t.Open != nil {
		t.Open(e)
	}
}

// flush adds what the block has in slots to the cells, of a pass.
func (g *Grouping) flush(e *Entry, t Tier, second bool) {
	if t.Flush == nil {
		return
	}
	t.Flush(e, func() { g.flushTerms(e, second) })
}

func (g *Grouping) flushTerms(e *Entry, second bool) {
	for _, x := range g.termsOf(second) {
		x.flush(e)
	}
}

// FlushTerms adds what slot of a block has to its cell, and PutTerms stores it where nobody else adds to
// the cell.
func (g *Grouping) FlushTerms(e *Entry) { g.flushTerms(e, false) }

func (g *Grouping) PutTerms(e *Entry) {
	for _, t := range g.termsOf(false) {
		e.Line("put_slot<%s>(slots, %d, slot, cell, %s);", t.kind.name, t.plane, t.all(e))
	}
}

// termsOf are the terms that a pass over the rows adds up.
func (g *Grouping) termsOf(second bool) []*term {
	var terms []*term
	for i := range g.accs {
		terms = append(terms, g.accs[i].termsOf(second)...)
	}
	if !second {
		for i := range g.seen {
			terms = append(terms, &g.seen[i].term)
		}
	}
	return terms
}

// termsOf are those of its terms that a pass over the rows adds up.
func (a *GroupedAcc) termsOf(second bool) []*term {
	var terms []*term
	for i := range a.terms {
		if a.terms[i].second == second {
			terms = append(terms, &a.terms[i])
		}
	}
	return terms
}
