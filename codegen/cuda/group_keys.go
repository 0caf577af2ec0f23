package cuda

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// packKeys lays keys out.
func (r *renderer) packKeys(ids []kernel.ValueID) *packedKeys {
	p := &packedKeys{}
	for _, id := range ids {
		p.parts = append(p.parts, r.keyPart(id))
	}
	at := 0 // bits in use
	put := func(n int) int {
		if at%64+n > 64 {
			at += 64 - at%64
		}
		first := at
		at += n
		return first
	}
	for i := range p.parts {
		part := &p.parts[i]
		if part.size == 0 {
			continue
		}
		first := put(min(part.size, 64))
		part.word, part.shift = first/64, first%64
		if part.size > 64 {
			put(64)
		}
	}
	for i := range p.parts {
		if p.parts[i].nullAt == 0 {
			p.parts[i].nullAt = put(1)
		}
	}
	p.bits, p.words = at, max(1, (at+63)/64)
	if at == 64 && !slices.ContainsFunc(p.parts, func(part keyPart) bool { return part.spare }) {
		p.words = 2 // a word any bits of which are a key would leave none for FREE
	}
	return p
}

// keyPart finds how many bits a key takes.
func (r *renderer) keyPart(id kernel.ValueID) keyPart {
	v := &r.f.Values[id]
	p := keyPart{id: id, nullAt: -1}
	var top uint64
	switch {
	case v.Type == kernel.Bool:
		top = 1
	case v.Type == kernel.Code && knownRange(v):
		top = uint64(v.Range.Hi)
	case v.Type == kernel.Code:
		top = math.MaxInt32
	case v.Type.IsInteger() && v.Range.Known && v.Range.Lo <= v.Range.Hi:
		p.offset, top = true, uint64(v.Range.Hi)-uint64(v.Range.Lo)
	case v.Type == kernel.I32:
		p.offset, top = true, math.MaxUint32
	case v.Type == kernel.F64:
		top = math.MaxUint64 - 2 // see key_bits: NULL has the next number, and no key the last
	case v.Type == kernel.I64, v.Type == kernel.Str:
		top = math.MaxUint64
		p.spare = v.Type == kernel.Str // no text has the case of letters 3
	case v.Type == kernel.I128:
		p.size, top = 128, math.MaxUint64
	default:
		r.refuse("there is no device code for keys of type %s", v.Type)
		return p
	}
	if v.Nullable {
		if top == math.MaxUint64 {
			p.nullAt = 0
		} else {
			top++
			p.null = top
		}
	}
	p.size = max(p.size, bits.Len64(top))
	p.spare = p.spare || p.size <= 64 && top != 1<<p.size-1
	return p
}

// keyBase is what is subtracted from a key that is packed: the least value of its range or of its type.
func keyBase(v *kernel.Value) int64 {
	switch {
	case knownRange(v):
		return v.Range.Lo
	case v.Type == kernel.I32:
		return math.MinInt32
	}
	return 0
}

// denseKeyArgs are the arguments that place a key's values in the cells.
type denseKeyArgs struct{ lo, card, stride string }

func (e *Entry) denseKeyArgs(i int, name string) denseKeyArgs {
	return denseKeyArgs{
		lo:     e.cellArg(Arg{Kind: ArgKeyLo, Index: i}, "i64", "minimum of "+name),
		card:   e.cellArg(Arg{Kind: ArgKeyCard, Index: i}, "u64", "values of "+name+", NULL included"),
		stride: e.cellArg(Arg{Kind: ArgKeyStride, Index: i}, "u64", "cells between two values of "+name),
	}
}

// groupKeys is the array of the groups' keys, and groupState says which slots are in use,
// where keys have several words.
func (e *Entry) groupKeys() string {
	return e.cellArg(Arg{Kind: ArgGroupKeys}, "u64*", "keys of the groups by slot")
}

func (e *Entry) groupState() string {
	return e.cellArg(Arg{Kind: ArgGroupState}, "u32*", "which slots are in use")
}

// keyWord is word w of the key in a slot of a table whose keys begin at an address.
func (l *CellLayout) keyWord(keys, slot string, w int) string {
	switch {
	case l.Apart > 0:
		return fmt.Sprintf("~%s[%s * %d]", keys, slot, l.Apart)
	case l.KeyWords == 1:
		return fmt.Sprintf("%s[%s]", keys, slot)
	}
	return fmt.Sprintf("%s[%s * %d + %d]", keys, slot, l.KeyWords, w)
}

// OpenTable declares the table of the groups.
func (g *Grouping) OpenTable(e *Entry) {
	state := "nullptr"
	if g.packed.words > 1 {
		state = e.groupState()
	}
	cells, keys := e.Arg(Arg{Kind: ArgCells}, "u64", "cells"), e.groupKeys()
	words, table := g.packed.words, "Table"
	if g.Layout.Apart > 0 {
		words = g.Layout.Apart
		table = fmt.Sprintf("TableOf<%d>", words)
	}
	if e.copy != "" {
		keys = fmt.Sprintf("%s + copy * (u64)%d", keys, words)
		if g.packed.words > 1 {
			state += " + copy"
		}
	}
	e.Line("const %s table = {%s, %s, %s - 1};", table, keys, state, cells)
}

// TableTier adds each row to the cell of its group in the table.
func (g *Grouping) TableTier() Tier {
	return Tier{
		Open: func(e *Entry) {
			g.OpenTable(e)
			g.OpenCounts(e)
		},
		Locate: func(e *Entry) {
			e.Line("u32 cell[R];")
			g.FindGroups(e)
		},
	}
}

// EachKey writes what is done with the words of each row's key, and returns the template
// arguments for them. It leaves the loop over the rows closed.
func (g *Grouping) EachKey(e *Entry, do func(words []string)) (arguments string) {
	return g.packRows(e, ActiveRows, do)
}

// The rows whose keys are packed: all that a thread holds, or those of them that are active.
const (
	AllRows    = "ROWS"
	ActiveRows = "ROWS if (bit(active, r))"
)

// packRows is EachKey of some rows.
func (g *Grouping) packRows(e *Entry, rows string, do func(words []string)) (arguments string) {
	e.Begin("%s", rows)
	do(g.packed.ofRow(e, func(i int) string { return g.keyLo(e, i) }))
	e.End()
	return g.keyArguments()
}

// ofRow returns the words of the key of row r; lo is what is subtracted from a part.
func (p *packedKeys) ofRow(e *Entry, lo func(i int) string) []string {
	words := make([][]string, p.words)
	for i := range p.parts {
		p.parts[i].pack(e, i, lo, words)
	}
	texts := make([]string, len(words))
	for w, parts := range words {
		texts[w] = "0"
		if len(parts) > 0 {
			texts[w] = strings.Join(parts, " | ")
		}
	}
	return texts
}

// keyArguments are the template arguments of functions of keys.
func (g *Grouping) keyArguments() string {
	kind := g.textKey(g.packed.texts(g.f))
	if by := g.s.Determinant; by > 0 && g.packed.words > 1 && g.packed.words <= 64 {
		kind = fmt.Sprintf(", Determined<%dull, %s>", g.packed.parts[by-1].mask(), cmp.Or(strings.TrimPrefix(kind, ", "), "WordKey"))
	}
	return fmt.Sprintf("%d%s", g.packed.words, kind)
}

// mask has a bit for each word of a key that has bits of a part; all where it has none.
func (p *keyPart) mask() uint64 {
	mask := uint64(0)
	if p.size > 0 {
		mask |= 1 << p.word
	}
	if p.nullAt >= 0 {
		mask |= 1 << (p.nullAt / 64)
	}
	if mask == 0 {
		return math.MaxUint64
	}
	return mask
}

// HasTextKey reports whether a key is a text that is told apart by its bytes.
func (g *Grouping) HasTextKey() bool { return g.textKey(g.packed.texts(g.f)) != "" }

// KeysOfRows declares key, the words of each row's key, and returns the template arguments for them.
func (g *Grouping) KeysOfRows(e *Entry, rows string) (arguments string) {
	e.Line("u64 key[R][%d];", g.packed.words)
	return g.packRows(e, rows, func(words []string) {
		for w, text := range words {
			e.Line("key[r][%d] = %s;", w, text)
		}
	})
}

// FindGroups finds the cells of the rows in the table, of keys of one word together. Where it
// is full, rows are left out.
func (g *Grouping) FindGroups(e *Entry) {
	if g.packed.words == 1 {
		e.Line("const u32 found = find_words<%s>(table, active, key, cell, new_groups);", g.KeysOfRows(e, ActiveRows))
		e.Line("lost += __popc(active & ~found);")
		e.Line("active = found;")
		return
	}
	g.EachKey(e, func(words []string) {
		arguments := g.keyArguments()
		e.Line("const u64 key[%d] = {%s};", len(words), strings.Join(words, ", "))
		e.Line("cell[r] = find_group<%s>(table, key, hash_key<%s>(key), new_groups);", arguments, arguments)
		e.Begin("if (cell[r] == NOWHERE)")
		e.Line("lost++;")
		e.Line("active &= ~(1u << r);")
		e.End()
	})
}

// FindOther finds the cell of a group in the table by its key in the table of a block, the place of
// which is a number, and goes on to the next where there is none, or no room for it.
func (g *Grouping) FindOther(e *Entry, keys, state, place string) {
	g.findOther(e, &CellLayout{KeyWords: g.packed.words}, keys, state, place)
}

// findOther is FindOther of a table with any layout.
func (g *Grouping) findOther(e *Entry, of *CellLayout, keys, state, place string) {
	words, arguments := g.packed.words, g.keyArguments()
	there := of.keyWord(keys, place, 0) + " != FREE"
	if words > 1 {
		there = fmt.Sprintf("%s[%s] != 0", state, place)
	}
	e.Line("if (!(%s)) continue;", there)
	e.Line("u64 key[%d];", words)
	for w := range words {
		e.Line("key[%d] = %s;", w, of.keyWord(keys, place, w))
	}
	e.Line("const u32 cell = find_group<%s>(table, key, hash_key<%s>(key), new_groups);", arguments, arguments)
	e.Line("lost |= cell == NOWHERE;")
	e.Line("if (cell == NOWHERE) continue;")
}

// texts are the words that refer to texts.
func (p *packedKeys) texts(f *kernel.Func) []int {
	var words []int
	for i := range p.parts {
		if f.Values[p.parts[i].id].Type == kernel.Str {
			words = append(words, p.parts[i].word)
		}
	}
	return words
}

// pack adds key i to the words.
func (p *keyPart) pack(e *Entry, i int, lo func(i int) string, words [][]string) {
	if p.size == 0 {
		return
	}
	v := &e.f.Values[p.id]
	bitsOf := e.At(p.id)
	switch {
	case p.offset:
		bitsOf = fmt.Sprintf("(u64)(i64)%s - (u64)%s", bitsOf, lo(i))
	case v.Type == kernel.F64:
		bitsOf = fmt.Sprintf("key_bits(%s)", bitsOf)
	case v.Type == kernel.Str:
		bitsOf += ".word"
	}
	null := e.nulls(p.id)
	add := func(name, text string, word, shift int) {
		if null != "" {
			text = fmt.Sprintf("bit(%s, r) ? %dull : (u64)(%s)", null, p.null, text)
		}
		e.Line("const u64 %s = %s;", name, text)
		words[word] = append(words[word], fmt.Sprintf("%s << %d", name, shift))
	}
	add(fmt.Sprintf("part%d", i), bitsOf, p.word, p.shift)
	if p.size > 64 {
		add(fmt.Sprintf("high%d", i), fmt.Sprintf("(u128)%s >> 64", bitsOf), p.word+1, 0)
	}
	if p.nullAt >= 0 {
		words[p.nullAt/64] = append(words[p.nullAt/64], fmt.Sprintf("(u64)bit(%s, r) << %d", null, p.nullAt%64))
	}
}

func (g *Grouping) keyLo(e *Entry, i int) string {
	return e.Arg(Arg{Kind: ArgKeyLo, Index: i}, "i64", "minimum of "+g.name(g.s.Keys[i]))
}

// extract is the expression of the bits of a key in words.
func (p *keyPart) extract(words string) string {
	switch {
	case p.size == 0:
		return "0"
	case p.size >= 64:
		return fmt.Sprintf("%s[%d]", words, p.word)
	}
	return fmt.Sprintf("%s[%d] >> %d & %#xull", words, p.word, p.shift, uint64(1)<<p.size-1)
}

// declared reports whether key i needs no declaration: it is a constant of the
// launch, or an earlier key too.
func (g *Grouping) declared(i int) bool {
	for _, before := range g.s.Keys[:i] {
		if before == g.s.Keys[i] {
			return true
		}
	}
	return g.isParam(g.s.Keys[i])
}

// declareCell declares a value of a cell as that of one row.
func (e *Entry) declareCell(id kernel.ValueID, v, null string) {
	t := e.f.Values[id].Type
	if t == kernel.Bool {
		e.Line("const u32 %s = (u32)(%s) & 1;", e.name(id), v)
	} else {
		e.Line("const %s %s[1] = {(%s)(%s)};", e.ctype(t), e.name(id), e.ctype(t), v)
	}
	if n := e.nulls(id); n != "" {
		e.Line("const u32 %s = %s;", n, null)
	}
}
