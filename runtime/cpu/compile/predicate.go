package compile

import (
	"math"
	"math/bits"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A predicate is a condition on one value of integers or codes that can be
// tested without decoding it. Filters absorb such conditions: they are not
// computed as booleans.
type predicate struct {
	val    kernel.ValueID
	domain domain
	lookup *mapper // not nil: the domain follows from a Map of val's dictionary
	// equals is the text that lookup compares the entries with, where it does nothing else: its code
	// is the domain, or all others are.
	equals *string
	// entries is how many entries of lookup the domain is made of, NULL among them, or of the dictionary in which
	// the text was sought.
	entries int
}

// predicateOf returns the predicate that the instruction which defines a
// condition stands for; ok is false where it is none.
func (c *Compiler) predicateOf(in kernel.Instr) (p *predicate, ok bool) {
	switch in := in.(type) {
	case *kernel.Compute:
		return c.comparisonPredicate(in)
	case *kernel.Map:
		return c.mapPredicate(in)
	}
	return nil, false
}

// comparisonPredicate recognizes comparisons with constants.
func (c *Compiler) comparisonPredicate(in *kernel.Compute) (*predicate, bool) {
	op, args := in.Op, in.Args
	if len(args) == 1 {
		if op != kernel.OpIsNull || !integral(c.Kernel.Values[args[0]].Type) {
			return nil, false
		}
		return &predicate{val: args[0], domain: domain{lo: 1, hi: 0, nulls: true}}, true
	}
	if len(args) != 2 && op != kernel.OpIn {
		return nil, false
	}
	if len(args) == 2 && c.Worker.Vals[args[0]] != nil {
		op, args = mirrored(op), []kernel.ValueID{args[1], args[0]}
	}
	if c.Worker.Vals[args[0]] != nil || !integral(c.Kernel.Values[args[0]].Type) {
		return nil, false
	}
	var consts []int64
	for _, id := range args[1:] {
		x, ok := c.integerConstant(id)
		if !ok {
			return nil, false
		}
		consts = append(consts, x)
	}
	d, ok := comparisonDomain(op, consts)
	return &predicate{val: args[0], domain: d}, ok
}

// integral reports whether values of a type are integers or codes.
func integral(t kernel.Type) bool {
	return t == kernel.I32 || t == kernel.I64 || t == kernel.I128 || t == kernel.Code
}

// integerConstant returns a constant of the kernel that is not NULL.
func (c *Compiler) integerConstant(id kernel.ValueID) (int64, bool) {
	v := c.Worker.Vals[id]
	if v == nil || v.IsNull(0) {
		return 0, false
	}
	switch v.Type {
	case kernel.I32:
		return int64(vector.Of[int32](v)[0]), true
	case kernel.I64:
		return vector.Of[int64](v)[0], true
	case kernel.I128:
		return vector.Of[value.Int128](v)[0].Int64()
	}
	return 0, false
}

// mirrored is the comparison with its operands exchanged.
func mirrored(op kernel.Op) kernel.Op {
	switch op {
	case kernel.OpLt:
		return kernel.OpGt
	case kernel.OpLe:
		return kernel.OpGe
	case kernel.OpGt:
		return kernel.OpLt
	case kernel.OpGe:
		return kernel.OpLe
	}
	return op
}

// maxTable is the largest table that an IN list becomes.
const maxTable = 1 << 16

// comparisonDomain is where a comparison with constants holds.
func comparisonDomain(op kernel.Op, consts []int64) (d domain, ok bool) {
	d = everything()
	x := consts[0]
	switch op {
	case kernel.OpEq:
		d.lo, d.hi = x, x
	case kernel.OpNe:
		d.lo, d.hi, d.negate = x, x, true
	case kernel.OpLe:
		d.hi = x
	case kernel.OpGe:
		d.lo = x
	case kernel.OpLt:
		if x == math.MinInt64 {
			return domain{lo: 1, hi: 0}, true
		}
		d.hi = x - 1
	case kernel.OpGt:
		if x == math.MaxInt64 {
			return domain{lo: 1, hi: 0}, true
		}
		d.lo = x + 1
	case kernel.OpIn:
		return tableDomain(consts)
	default:
		return d, false
	}
	return d, true
}

// tableDomain is a set of constants, if they lie near enough to each other.
func tableDomain(consts []int64) (d domain, ok bool) {
	d.lo, d.hi = consts[0], consts[0]
	for _, x := range consts {
		d.lo, d.hi = min(d.lo, x), max(d.hi, x)
	}
	if uint64(d.hi)-uint64(d.lo) >= maxTable {
		return d, false
	}
	d.table = make([]uint8, d.hi-d.lo+1)
	for _, x := range consts {
		d.table[x-d.lo] = 1
	}
	d.simplify(false)
	return d, true
}

// mapPredicate recognizes conditions on the text of a code.
func (c *Compiler) mapPredicate(in *kernel.Map) (*predicate, bool) {
	if c.Kernel.Values[in.Dst].Type != kernel.Bool {
		return nil, false
	}
	m, err := sqlstate.Try(func() *mapper { return c.newMapper(in) })
	if err != nil {
		return nil, false
	}
	p := &predicate{val: in.Src, lookup: m}
	if text, differs, ok := c.comparedText(in); ok {
		p.equals = &text
		p.domain = domain{lo: 1, hi: 0, negate: differs}
	}
	return p, true
}

// comparedText is the text that a Map compares its argument with, and whether it is to be another one;
// ok is false where the Map does anything else.
func (c *Compiler) comparedText(in *kernel.Map) (text string, differs, ok bool) {
	if len(in.Body) != 1 {
		return "", false, false
	}
	compare, ok := in.Body[0].(*kernel.Compute)
	if !ok || compare.Op != kernel.OpEq && compare.Op != kernel.OpNe || compare.Dst != in.Result {
		return "", false, false
	}
	i := slices.Index(compare.Args, in.Arg)
	if i < 0 {
		return "", false, false
	}
	v := c.Worker.Vals[compare.Args[1-i]]
	if v == nil || v.Type != kernel.Str || v.IsNull(0) {
		return "", false, false
	}
	return vector.Of[string](v)[0], compare.Op == kernel.OpNe, true
}

// find narrows the domain to the code that the text has in a dictionary, which has each text once, or to all others.
func (p *predicate) find(texts []string) {
	for ; p.entries < len(texts) && p.domain.lo > p.domain.hi; p.entries++ {
		if texts[p.entries] == *p.equals {
			p.domain.lo, p.domain.hi = int64(p.entries), int64(p.entries)
		}
	}
}

// intersect narrows p by another interval on the same value, where the result
// is an interval.
func (p *predicate) intersect(q *predicate) bool {
	plain := func(p *predicate) bool {
		return p.lookup == nil && p.domain.table == nil && !p.domain.negate && !p.domain.nulls
	}
	if p.val != q.val || !plain(p) || !plain(q) {
		return false
	}
	p.domain.lo, p.domain.hi = max(p.domain.lo, q.domain.lo), min(p.domain.hi, q.domain.hi)
	return true
}

// prepare makes the domain ready for the active rows of a batch. It is false
// where the condition has to be computed row by row after all: the dictionary
// has many entries, or for one of them the condition raises an error.
func (p *predicate) prepare(v *vector.Vector) (ready bool) {
	m := p.lookup
	if m == nil {
		return true
	}
	if p.equals != nil && v.Dict != nil {
		p.find(v.Dict.Texts)
		return true
	}
	if v.Dict == nil || len(v.Dict.Texts) >= eagerEntries {
		return false
	}
	if len(v.Dict.Texts)+1 > p.entries {
		m.know(v, nil)
		p.domain, p.entries = m.domain(), m.plain
	}
	return !m.fails
}

// domain is the set of codes that a Map to booleans maps to true. All entries
// of the dictionary are known.
func (m *mapper) domain() domain {
	d := domain{hi: int64(m.plain) - 2, table: make([]uint8, m.plain-1)}
	known := vector.Of[uint8](m.known)
	for code := range d.table {
		d.table[code] = known[code+1] & vector.B2u(m.state[code+1] == entryValue)
	}
	d.nulls = m.state[0] == entryValue && known[0] != 0
	d.simplify(true)
	return d
}

// countMask is the number of rows in a mask.
func countMask(mask []uint64) int {
	n := 0
	for _, w := range mask {
		n += bits.OnesCount64(w)
	}
	return n
}
