package value

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// jsonPath is a value of jsonpath.
type jsonPath struct {
	strict bool
	expr   *pathNode
}

// maxPathNodes bounds the items of a path, which are read and run by recursion, also of a path of subscripts.
const maxPathNodes = 5000

// pathParser reads a path.
type pathParser struct {
	pathLexer
	nodes   int
	depth   int // how many readers are at work
	filters int // that what is read lies in
	arrays  int // whose subscripts what is read lies in
}

// parseJSONPath reads the text of a path.
func parseJSONPath(m *Meter, text string) (*jsonPath, error) {
	if err := m.Check(patternWork + 16*len(text)); err != nil {
		return nil, err
	}
	return sqlstate.Try(func() *jsonPath {
		p := &pathParser{pathLexer: pathLexer{rest: text}}
		path := &jsonPath{}
		p.next()
		if p.token.kind == 0 {
			panic(Errorf(CodeInvalidText, "invalid input syntax for type jsonpath: \"%s\"", text))
		}
		if path.strict = p.eatWord("strict"); !path.strict {
			p.eatWord("lax")
		}
		path.expr = p.or()
		if p.token.kind != 0 {
			p.fail()
		}
		return path
	})
}

func (p *pathParser) node(n pathNode) *pathNode {
	if p.nodes++; p.nodes > maxPathNodes {
		panic(Errorf(CodeTooComplex, "stack depth limit exceeded"))
	}
	return &n
}

// isWord reports whether the token is a keyword; true, false and null have no capitals.
func (p *pathParser) isWord(word string) bool {
	if p.token.kind != 'n' {
		return false
	}
	switch word {
	case "true", "false", "null":
		return p.token.text == word
	}
	return strings.EqualFold(p.token.text, word)
}

func (p *pathParser) eatWord(word string) bool {
	if !p.isWord(word) {
		return false
	}
	p.next()
	return true
}

func (p *pathParser) eat(kind byte) bool {
	if p.token.kind != kind {
		return false
	}
	p.next()
	return true
}

func (p *pathParser) expect(kind byte) {
	if !p.eat(kind) {
		p.fail()
	}
}

// predicate asserts that an item is a condition, and value that it is none.
func (p *pathParser) predicate(n *pathNode) *pathNode {
	if !n.isPredicate() {
		p.fail()
	}
	return n
}

func (p *pathParser) value(n *pathNode) *pathNode {
	if n.isPredicate() {
		p.fail()
	}
	return n
}

// within counts a reader that others may be within, up to its end.
func (p *pathParser) within() (end func()) {
	if p.depth++; p.depth > maxPathNodes {
		panic(Errorf(CodeTooComplex, "stack depth limit exceeded"))
	}
	return func() { p.depth-- }
}

func (p *pathParser) or() *pathNode {
	defer p.within()()
	n := p.and()
	for p.token.kind == 'O' {
		p.predicate(n)
		p.next()
		n = p.node(pathNode{op: pathOr, left: n, right: p.predicate(p.and())})
	}
	return n
}

func (p *pathParser) and() *pathNode {
	n := p.condition()
	for p.token.kind == 'A' {
		p.predicate(n)
		p.next()
		n = p.node(pathNode{op: pathAnd, left: n, right: p.predicate(p.condition())})
	}
	return n
}

var pathComparisons = map[byte]pathOp{'e': pathEqual, 'd': pathNotEqual, '<': pathLess, '>': pathGreater, 'l': pathLessOrEqual, 'g': pathGreaterOrEqual}

// condition reads a comparison or another condition, or what is none.
func (p *pathParser) condition() *pathNode {
	if p.eat('!') {
		if p.isWord("exists") {
			return p.node(pathNode{op: pathNot, left: p.exists()})
		}
		p.expect('(')
		n := p.node(pathNode{op: pathNot, left: p.predicate(p.or())})
		p.expect(')')
		return n
	}
	if p.isWord("exists") {
		return p.exists()
	}
	n := p.sum()
	if n.isPredicate() {
		return n
	}
	if op, ok := pathComparisons[p.token.kind]; ok {
		p.next()
		return p.node(pathNode{op: op, left: n, right: p.value(p.sum())})
	}
	switch {
	case p.eatWord("starts"):
		if !p.eatWord("with") || p.token.kind != 's' && p.token.kind != 'v' {
			p.fail()
		}
		return p.node(pathNode{op: pathStartsWith, left: n, right: p.primary()})
	case p.eatWord("like_regex"):
		return p.likeRegex(n)
	}
	return n
}

func (p *pathParser) exists() *pathNode {
	p.next()
	p.expect('(')
	n := p.node(pathNode{op: pathExists, left: p.value(p.or())})
	p.expect(')')
	return n
}

// likeRegex reads the pattern and the flags behind like_regex.
func (p *pathParser) likeRegex(left *pathNode) *pathNode {
	n := p.node(pathNode{op: pathLikeRegex, left: left, text: p.token.text})
	p.expect('s')
	if p.eatWord("flag") {
		flags := p.token.text
		p.expect('s')
		for _, flag := range flags {
			if !strings.ContainsRune("ismxq", flag) {
				e := Errorf(CodeSyntax, "invalid input syntax for type jsonpath")
				e.Detail = "Unrecognized flag character \"" + string(flag) + "\" in LIKE_REGEX predicate."
				panic(e)
			}
		}
		for _, flag := range "ismxq" {
			if strings.ContainsRune(flags, flag) {
				n.flags += string(flag)
			}
		}
	}
	if strings.Contains(n.flags, "x") && !strings.Contains(n.flags, "q") {
		panic(Errorf(CodeFeatureNotSupported, "XQuery \"x\" flag (expanded regular expressions) is not implemented"))
	}
	n.regexp = sqlstate.Must(NewRegexp(nil, n.text, n.regexpFlags(), false))
	return n
}

// regexpFlags are PostgreSQL's flags for those of XQuery.
func (n *pathNode) regexpFlags() string {
	flags := ""
	has := func(flag string) bool { return strings.Contains(n.flags, flag) }
	if has("i") {
		flags = "i"
	}
	switch {
	case has("q"):
		return flags + "q"
	case has("s") && has("m"):
		return flags + "w"
	case has("s"):
		return flags + "s"
	case has("m"):
		return flags + "n"
	}
	return flags + "p"
}

func (p *pathParser) sum() *pathNode {
	return p.binary(p.product, map[byte]pathOp{'+': pathAdd, '-': pathSub})
}

func (p *pathParser) product() *pathNode {
	return p.binary(p.unary, map[byte]pathOp{'*': pathMul, '/': pathDiv, '%': pathMod})
}

// binary reads operands with operators of one priority between them.
func (p *pathParser) binary(operand func() *pathNode, ops map[byte]pathOp) *pathNode {
	n := operand()
	for {
		op, ok := ops[p.token.kind]
		if !ok {
			return n
		}
		p.value(n)
		p.next()
		n = p.node(pathNode{op: op, left: n, right: p.value(operand())})
	}
}

func (p *pathParser) unary() *pathNode {
	op := map[byte]pathOp{'+': pathPlus, '-': pathMinus}[p.token.kind]
	if op == 0 {
		return p.path()
	}
	defer p.within()()
	p.next()
	n := p.value(p.unary())
	if n.op == pathNumber && n.next == nil {
		if op == pathMinus {
			n.number = n.number.Neg()
		}
		return n
	}
	return p.node(pathNode{op: op, left: n})
}

// path reads a value and the steps behind it.
func (p *pathParser) path() *pathNode {
	n := p.primary()
	if n.isPredicate() && p.eatWord("is") {
		if !p.eatWord("unknown") {
			p.fail()
		}
		return p.node(pathNode{op: pathIsUnknown, left: n})
	}
	for end := n.end(); ; end = end.next {
		if end.next = p.step(); end.next == nil {
			return n
		}
	}
}

// primary reads what a path begins with.
func (p *pathParser) primary() *pathNode {
	t := p.token
	p.next()
	switch {
	case t.kind == '(':
		n := p.or()
		p.expect(')')
		return n
	case t.kind == 's':
		return p.node(pathNode{op: pathString, text: t.text})
	case t.kind == 'v':
		return p.node(pathNode{op: pathVariable, text: t.text})
	case t.kind == '1':
		return p.node(pathNode{op: pathNumber, number: sqlstate.Must(ParseNum(strings.TrimSuffix(t.text, ".")))})
	case t.kind == '$':
		return p.node(pathNode{op: pathRoot})
	case t.kind == '@':
		if p.filters == 0 {
			panic(Errorf(CodeSyntax, "@ is not allowed in root expressions"))
		}
		return p.node(pathNode{op: pathCurrent})
	case t.kind == 'n' && strings.EqualFold(t.text, "last"):
		if p.arrays == 0 {
			panic(Errorf(CodeSyntax, "LAST is allowed only in array subscripts"))
		}
		return p.node(pathNode{op: pathLast})
	case t.kind == 'n' && t.text == "null":
		return p.node(pathNode{op: pathNull})
	case t.kind == 'n' && (t.text == "true" || t.text == "false"):
		return p.node(pathNode{op: pathBool, truth: t.text == "true"})
	}
	p.token = t
	p.fail()
	return nil
}

// step reads a step, nil where there is none.
func (p *pathParser) step() *pathNode {
	switch {
	case p.eat('.'):
		return p.member()
	case p.eat('['):
		return p.subscripts()
	case p.eat('?'):
		p.expect('(')
		p.filters++
		n := p.node(pathNode{op: pathFilter, left: p.predicate(p.or())})
		p.filters--
		p.expect(')')
		return n
	}
	return nil
}

// member reads what follows a point.
func (p *pathParser) member() *pathNode {
	t := p.token
	p.next()
	switch t.kind {
	case 's':
		return p.node(pathNode{op: pathKey, text: t.text})
	case '*':
		return p.node(pathNode{op: pathAnyKey})
	case 'L':
		return p.levels()
	case 'n':
		op, ok := pathMethods[strings.ToLower(t.text)]
		if !ok || !p.eat('(') {
			return p.node(pathNode{op: pathKey, text: t.text})
		}
		n := p.node(pathNode{op: op})
		if op == pathDatetime && p.token.kind == 's' {
			n.left = p.primary()
		}
		p.expect(')')
		return n
	}
	p.token = t
	p.fail()
	return nil
}

// levels reads the braces behind **.
func (p *pathParser) levels() *pathNode {
	n := p.node(pathNode{op: pathAny, last: pathLeaves})
	if !p.eat('{') {
		return n
	}
	n.first = p.level()
	if n.last = n.first; p.eatWord("to") {
		n.last = p.level()
	}
	p.expect('}')
	return n
}

func (p *pathParser) level() int {
	if p.eatWord("last") {
		return pathLeaves
	}
	level, err := strconv.Atoi(p.token.text)
	if p.token.kind != '1' || err != nil {
		p.fail()
	}
	p.next()
	return min(level, pathLeaves)
}

func (p *pathParser) subscripts() *pathNode {
	if p.eat('*') {
		p.expect(']')
		return p.node(pathNode{op: pathAnyArray})
	}
	p.arrays++
	n := p.node(pathNode{op: pathIndex})
	for {
		r := pathRange{from: p.value(p.or())}
		if p.eatWord("to") {
			r.to = p.value(p.or())
		}
		n.subscripts = append(n.subscripts, r)
		if !p.eat(',') {
			break
		}
	}
	p.arrays--
	p.expect(']')
	n.subscripts = slices.Clip(n.subscripts)
	return n
}
