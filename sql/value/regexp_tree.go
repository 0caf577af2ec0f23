package value

// A match of a regular expression is the longest or the shortest one that begins where the
// first one does. Which, and what its parentheses match, follows PostgreSQL's rules: each
// quantifier prefers long or short matches, a sequence what the first quantifier in it does,
// and alternatives prefer long ones. regexpTree says where a match must be taken apart to
// find what parentheses match, or whether back references do.

// regexpTree is a part of a regular expression with what it prefers.
type regexpTree struct {
	op          regexpTreeOp
	node        *regexpNode // what it matches, back references aside
	flags       regexpFlags
	parts       []*regexpTree
	capture     int // the number of the parentheses that it is, 0 for none
	back        int // the number of a back reference
	least, most int // repetitions; most may be regexpEndless

	program *regexpProgram // of node, once it is needed
}

type regexpTreeOp uint8

const (
	treePlain        regexpTreeOp = iota // need not be taken apart
	treeInner                            // one part in parentheses, which are around others
	treePair                             // a part and another behind it
	treeAlternatives                     // one of the parts
	treeRepeat                           // one part again and again
	treeBack                             // a back reference, and how often it is repeated
)

// regexpFlags are what a part prefers, and what is in it.
type regexpFlags uint8

const (
	treeLonger   = regexpFlags(regexpLonger)
	treeShorter  = regexpFlags(regexpShorter)
	treeMixed    = regexpFlags(4) // parts with both preferences
	treeCaptures = regexpFlags(8)
	treeRefers   = regexpFlags(16)

	treePrefers = treeLonger | treeShorter
	treeApart   = treeMixed | treeCaptures | treeRefers // it must be taken apart
)

// above is what a part with these flags in it has of them.
func (f regexpFlags) above() regexpFlags {
	up := f &^ treePrefers
	if f&treePrefers == treePrefers {
		up |= treeMixed
	}
	return up
}

// or is the flags of what has f, and then g in it.
func (f regexpFlags) or(g regexpFlags) regexpFlags {
	prefers := f & treePrefers
	if prefers == 0 {
		prefers = g & treePrefers
	}
	return (f | g).above() | prefers
}

// makeRegexpTree makes the tree of alternatives or of a sequence.
func makeRegexpTree(n *regexpNode) *regexpTree {
	if n.op != regexpAlternatives {
		return treeOfSequence(n.parts)
	}
	t := &regexpTree{op: treeAlternatives, node: n, flags: treeLonger}
	for _, part := range n.parts {
		branch := treeOfSequence(part.parts)
		t.flags |= (t.flags | branch.flags).above()
		t.parts = append(t.parts, branch)
	}
	if t.flags&treeApart == 0 {
		t.op, t.parts = treePlain, nil
	}
	return t
}

func sequenceOf(parts []*regexpNode) *regexpNode {
	return &regexpNode{op: regexpSequence, parts: parts}
}

// treeOfSequence makes the tree of parts one behind the other: as many of them as possible
// are one plain part before the first one that must be taken apart.
func treeOfSequence(parts []*regexpNode) *regexpTree {
	var before regexpFlags
	for i, part := range parts {
		if part.op == regexpPlace || part.op == regexpLook || part.op == regexpRepeat && part.max == 0 {
			continue
		}
		atom, prefers, least, most := part, regexpFlags(0), 1, 1
		if part.op == regexpRepeat {
			atom, prefers, least, most = part.parts[0], regexpFlags(part.prefers), part.min, part.max
		}
		t := treeOfAtom(atom)
		f := before | prefers | t.flags
		if t.flags&(treeCaptures|treeRefers) == 0 && f.above()&treeApart == 0 {
			before = f
			continue
		}
		flags := prefers.or(t.flags)
		return treeOfRest(parts, i, before, flags, t.repeated(part, flags, prefers, least, most))
	}
	return &regexpTree{node: sequenceOf(parts), flags: before}
}

// treeOfAtom makes the tree of one part without its quantifier.
func treeOfAtom(n *regexpNode) *regexpTree {
	switch n.op {
	case regexpBack:
		return &regexpTree{op: treeBack, node: n, back: n.number, least: 1, most: 1, flags: treeRefers}
	case regexpGroup:
		t := makeRegexpTree(n.parts[0])
		if n.number == 0 {
			return t
		}
		if t.capture != 0 {
			t = &regexpTree{op: treeInner, node: n, flags: t.flags, parts: []*regexpTree{t}}
		}
		t.capture = n.number
		t.flags |= treeCaptures
		return t
	}
	return &regexpTree{node: n}
}

// repeated is the tree of a part with its quantifier. Of repetitions only the last one
// counts for what parentheses match.
func (t *regexpTree) repeated(part *regexpNode, all, prefers regexpFlags, least, most int) *regexpTree {
	own := t.flags & (treePrefers | treeMixed)
	switch {
	case part.op == regexpBack || part.op == regexpRepeat && part.parts[0].op == regexpBack:
		t.node, t.least, t.most = part, least, most
		t.flags |= all
		return t
	case least == 1 && most == 1 && (prefers == 0 || own == 0 || prefers == own):
		return t
	case t.flags&(treeCaptures|treeRefers) == 0:
		return &regexpTree{node: part, flags: all}
	case least > 0 && t.flags&treeRefers == 0:
		first := &regexpNode{op: regexpRepeat, parts: []*regexpNode{t.node}, min: least - 1, max: most}
		if most > 0 {
			first.max--
		}
		return &regexpTree{op: treePair, node: part, flags: all, parts: []*regexpTree{
			{node: first, flags: all & treePrefers}, t,
		}}
	}
	return &regexpTree{op: treeRepeat, node: part, flags: all, parts: []*regexpTree{t}, least: least, most: most}
}

// treeOfRest is the tree of parts of which t is number i, before it plain ones. The flags are
// those of t with its quantifier.
func treeOfRest(parts []*regexpNode, i int, before, flags regexpFlags, t *regexpTree) *regexpTree {
	if i+1 == len(parts) {
		flags = t.flags
	} else {
		rest := treeOfSequence(parts[i+1:])
		flags |= flags.or(rest.flags)
		if i > 0 && t.op == treePlain && rest.op == treePlain && (t.flags|rest.flags).above()&treeApart == 0 {
			t = &regexpTree{node: sequenceOf(parts[i:]), flags: t.flags.or(rest.flags)}
		} else {
			t = &regexpTree{op: treePair, node: sequenceOf(parts[i:]), flags: flags, parts: []*regexpTree{t, rest}}
		}
	}
	if i == 0 {
		return t
	}
	first := &regexpTree{node: sequenceOf(parts[:i]), flags: before}
	return &regexpTree{op: treePair, node: sequenceOf(parts), flags: before | before.or(flags), parts: []*regexpTree{first, t}}
}
