package cuda

import (
	"fmt"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// defaultMatches are those of a row where nothing is estimated.
const defaultMatches = 4

// expand writes a probe that goes on with a row for each match: what follows comes to
// stand in the loop of a form, but for what hoist writes before.
func (e *Entry) expand(in *kernel.Probe, rest kernel.Block, then func(left kernel.Block)) {
	p := e.lookedUp[in]
	if p != nil {
		p = e.resume(p)
	} else {
		p = e.lookUpKeys(in)
	}
	if e.err != nil {
		return
	}
	if in.Kind == kernel.ProbeInner {
		e.Line("active &= %s;", p.found)
	}
	left := e.hoist(p, rest)
	x := &Expansion{Entry: e, Probe: in, Fanout: evenly(DefaultRows, max(in.Matches, defaultMatches)), At: p.at, Found: p.found, p: p, rest: left, then: func() { then(left) }}
	e.runEnd(p)
	x.Last = p.end
	if e.err != nil {
		return
	}
	if e.counting != nil {
		e.counting(x)
		return
	}
	x.Live = e.liveAfter(in, left)
	e.use(x.Live...)
	if form := x.form(); form != nil {
		form.Render(x)
	}
}

// form finds the form that the probe names, or the cheapest that applies.
func (x *Expansion) form() Expander {
	want := strategy.Preference{Setting: "the kernel's form", Force: x.Probe.Expand}
	decision, err := want.Choose("expansion on the device", x.target.expandOffers(x)...)
	if err != nil {
		x.refuse("%v", err)
		return nil
	}
	return x.target.expander(decision.Taken().Strategy)
}

// expander is the form of a name.
func (t *Target) expander(name string) Expander {
	return t.Expanders[slices.IndexFunc(t.Expanders, func(f Expander) bool { return f.Name() == name })]
}

func (t *Target) expandOffers(x *Expansion) []strategy.Offer {
	offers := make([]strategy.Offer, len(t.Expanders))
	for i, f := range t.Expanders {
		offers[i] = f.Offer(x)
		offers[i].Strategy = f.Name()
	}
	return offers
}

// liveAfter are the values from before a probe that it and what follows it read.
func (e *Entry) liveAfter(in *kernel.Probe, rest kernel.Block) []kernel.ValueID {
	done := make([]bool, len(e.f.Values)) // listed, or from behind
	for i := range e.f.Params {
		done[e.f.Params[i].Dst] = true
	}
	for _, behind := range append(kernel.Block{in}, rest...) {
		kernel.Operands(behind, nil, func(id kernel.ValueID) { done[id] = true })
	}
	var live []kernel.ValueID
	note := func(id kernel.ValueID) {
		if id != kernel.NoValue && !done[id] {
			done[id] = true
			live = append(live, id)
		}
	}
	pairs := *in
	pairs.Keys = nil
	kernel.Operands(&pairs, note, nil)
	for _, behind := range rest {
		if p, ok := behind.(*kernel.Probe); ok && e.lookedUp[p] != nil {
			pairs = *p
			pairs.Keys = nil
			behind = &pairs
		}
		kernel.Operands(behind, note, nil)
	}
	for _, id := range e.reads {
		if !e.inPart[id] {
			note(id)
		}
	}
	return live
}

// Count declares an array of how many matches each row has; a row of a left join that has
// none goes on alone, as one match.
func (x *Expansion) Count() string {
	left, none := x.Temp("left"), "0"
	x.Line("u32 %s[R];", left)
	if x.Probe.Kind == kernel.ProbeLeft {
		none = "bit(active, r)"
		x.Line("ROWS if (!bit(%s, r)) %s[r] = 0;", x.Found, x.At)
	}
	x.Line("ROWS %s[r] = bit(%s & active, r) ? %s[r] - %s[r] + 1 : %s;", left, x.Found, x.Last, x.At, none)
	return left
}

// Waits reports whether the threads of a block wait for each other behind the expansion,
// and not only those of a warp.
func (x *Expansion) Waits() bool {
	return !x.warps || slices.ContainsFunc(x.rest, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && x.stages(p)
	})
}

// stages reports whether rows of a probe wait for the threads of their block, as far as its
// form is known.
func (r *renderer) stages(p *kernel.Probe) bool {
	return r.expands(p) && !slices.ContainsFunc(r.target.Expanders, func(f Expander) bool { return f.Name() == p.Expand && !f.Stages() })
}

// Pairs writes what is done with pairs of rows and their matches, R of a thread: the rows
// are those of the mask active, their matches lie at at, counted from one. Of a left probe
// 0 stands for none, rows of the mask lone go on without a match; those that have one are added
// to hit, where that is a mask. Every thread of the block gets there, or every thread of
// its warp where Waits says that it does not wait for others.
func (x *Expansion) Pairs(at, lone, hit string) {
	pair := *x.p
	pair.at, pair.found = at, x.Temp("pair")
	if x.Probe.Kind == kernel.ProbeLeft {
		x.Line("u32 %s = 0;", pair.found)
		x.Line("ROWS set(%s, r, bit(active, r) && %s[r] != 0);", pair.found, at)
	} else {
		x.Line("u32 %s = active;", pair.found)
	}
	x.scoped(func() {
		x.deferPayload(&pair)
		x.residual(&pair)
		x.mark(&pair, pair.found)
		if x.Probe.Kind == kernel.ProbeLeft {
			x.Line("active = %s | active & %s;  // matches, and rows that have none", pair.found, lone)
		} else {
			x.Line("active = %s;", pair.found)
		}
		if hit != "" {
			x.Line("%s |= %s;", hit, pair.found)
		}
		x.then()
	})
}

// Advance writes the step of the rows of a mask to their next matches; at becomes 0 where
// there is none.
func (x *Expansion) Advance(rows string) { x.advance(x.p, rows) }

// Field is a part of what a row has beside its matches, for those that deal these out.
type Field struct {
	Name, Type string // of the part
	Get        string // its value of row r
}

// Fields are the parts of the live values: the values, words of masks, and where matches of
// later expansions lie.
func (x *Expansion) Fields() []Field {
	var fields []Field
	for _, id := range x.Live {
		v := &x.f.Values[id]
		if _, only := onlyValue(v); v.Type != kernel.Bool && !only {
			fields = append(fields, Field{Name: x.name(id), Type: x.kept(id), Get: x.name(id) + "[r]"})
		}
	}
	masks := x.masks()
	for first := 0; first < len(masks); first += maskBits {
		text := "0"
		for i, m := range masks[first:min(first+maskBits, len(masks))] {
			text += fmt.Sprintf(" | (u32)bit(%s, r) << %d", m, i)
		}
		fields = append(fields, Field{Name: maskField(first), Type: "u32", Get: text})
	}
	for _, p := range x.found() {
		fields = append(fields, Field{p.at, "u32", p.at + "[r]"}, Field{p.end, "u32", p.end + "[r]"})
	}
	if x.part != "" {
		fields = append(fields, Field{x.part, "u32", x.part + "[r]"})
	}
	return fields
}

// stagedBytes is the shared memory of a block in which rows wait for their matches to be
// dealt out, in all expansions of a kernel together.
const stagedBytes = 32 << 10

// stagedForms is the number of expansions whose rows wait.
func (r *renderer) stagedForms() int {
	n := 0
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok && r.stages(p) {
			n++
		}
	}
	return n
}

// Capacity is how many rows may wait that take so many bytes each: a power of two.
func (x *Expansion) Capacity(bytes int) int {
	const maxRows = 1 << 10
	room := stagedBytes / max(x.stagedForms(), 1) / bytes
	return min(1<<(bits.Len(uint(max(room, 1)))-1), maxRows)
}

// maskBits is the number of bits of a word of masks.
const maskBits = 32

func maskField(first int) string { return fmt.Sprintf("masks%d", first/maskBits) }

// masks are those of the live values: booleans, and which rows are NULL.
func (x *Expansion) masks() []string {
	var masks []string
	for _, id := range x.Live {
		if x.f.Values[id].Type == kernel.Bool {
			masks = append(masks, x.name(id))
		}
		if n := x.nulls(id); n != "" {
			masks = append(masks, n)
		}
	}
	return masks
}

// Declare declares the live values anew, for the rows of a thread; get is where a field of
// one lies, and may be read of rows that are not active.
func (x *Expansion) Declare(get func(field string) string) {
	for _, id := range x.Live {
		v, value := &x.f.Values[id], get(x.name(id))
		if v.Type == kernel.Bool {
			continue
		}
		if c, only := onlyValue(v); only {
			value = fmt.Sprint(c)
		}
		x.Line("%s %s[R];", x.kept(id), x.name(id))
		x.Line("ROWS %s[r] = %s;", x.name(id), value)
	}
	for i, m := range x.masks() {
		x.Line("u32 %s = 0;", m)
		x.Line("ROWS set(%s, r, bit(active, r) && %s >> %d & 1);", m, get(maskField(i)), i%maskBits)
	}
	for _, p := range x.found() {
		x.Line("u32 %s[R], %s[R];", p.at, p.end)
		x.Begin("ROWS")
		x.Line("%s[r] = %s;", p.at, get(p.at))
		x.Line("%s[r] = %s;", p.end, get(p.end))
		x.End()
	}
	if x.part != "" {
		x.Line("u32 %s[R];", x.part)
		x.Line("ROWS %s[r] = %s;", x.part, get(x.part))
	}
	if x.spreads() {
		x.Line("const bool spread = false;")
	}
}

// Device is what operations cost on the device.
func (x *Expansion) Device() *machine.Device { return &x.target.Device }
