package value

import "strconv"

// text is the path as PostgreSQL writes it.
func (p *jsonPath) text(m *Meter) string {
	w := pathWriter{jsonWriter{maker: maker{m: m}}}
	if p.strict {
		w.write("strict ")
	}
	w.node(p.expr, false, true)
	return w.String()
}

type pathWriter struct{ jsonWriter }

// node writes an item and what follows it: as a step behind another one, and as an operator in
// parentheses or not.
func (w *pathWriter) node(n *pathNode, behind, enclosed bool) {
	switch {
	case n.op >= pathType:
		w.write("." + pathSigns[n.op] + "(")
		if n.left != nil {
			w.quoted(n.left.text)
		}
		w.write(")")
	case n.op == pathNot || n.op == pathIsUnknown || n.op == pathExists || n.op == pathFilter:
		w.condition(n)
	case n.op >= pathOr:
		w.operator(n, enclosed)
	default:
		w.plain(n, behind)
	}
	if n.next != nil {
		w.node(n.next, true, true)
	}
}

func (w *pathWriter) condition(n *pathNode) {
	w.write(map[pathOp]string{pathNot: "!(", pathIsUnknown: "(", pathExists: "exists (", pathFilter: "?("}[n.op])
	w.node(n.left, false, false)
	w.write(")")
	if n.op == pathIsUnknown {
		w.write(" is unknown")
	}
}

func (w *pathWriter) operator(n *pathNode, enclosed bool) {
	operand := func(o *pathNode) { w.node(o, false, o.op.priority() <= n.op.priority()) }
	if enclosed {
		w.write("(")
	}
	switch n.op {
	case pathPlus, pathMinus:
		w.write(pathSigns[n.op])
		operand(n.left)
	case pathLikeRegex:
		operand(n.left)
		w.write(" like_regex ")
		w.quoted(n.text)
		if n.flags != "" {
			w.write(` flag "` + n.flags + `"`)
		}
	default:
		operand(n.left)
		w.write(" " + pathSigns[n.op] + " ")
		operand(n.right)
	}
	if enclosed {
		w.write(")")
	}
}

// plain writes a value, or a step that is no method and no filter.
func (w *pathWriter) plain(n *pathNode, behind bool) {
	if behind && (n.op == pathKey || n.op == pathAnyKey || n.op == pathAny) {
		w.write(".")
	}
	switch n.op {
	case pathNull:
		w.write("null")
	case pathBool:
		w.write(strconv.FormatBool(n.truth))
	case pathNumber:
		number := n.number.String()
		if n.next != nil {
			number = "(" + number + ")"
		}
		w.write(number)
	case pathKey, pathString:
		w.quoted(n.text)
	case pathVariable:
		w.write("$")
		w.quoted(n.text)
	case pathAny:
		w.levels(n.first, n.last)
	case pathIndex:
		w.subscripts(n.subscripts)
	default:
		w.write(map[pathOp]string{pathRoot: "$", pathCurrent: "@", pathLast: "last", pathAnyKey: "*", pathAnyArray: "[*]"}[n.op])
	}
}

func (w *pathWriter) levels(first, last int) {
	level := func(n int) string {
		if n == pathLeaves {
			return "last"
		}
		return strconv.Itoa(n)
	}
	w.write("**")
	switch {
	case first == 0 && last == pathLeaves:
	case first == last:
		w.write("{" + level(first) + "}")
	default:
		w.write("{" + level(first) + " to " + level(last) + "}")
	}
}

func (w *pathWriter) subscripts(all []pathRange) {
	w.write("[")
	for i, r := range all {
		if i > 0 {
			w.write(",")
		}
		w.node(r.from, false, false)
		if r.to != nil {
			w.write(" to ")
			w.node(r.to, false, false)
		}
	}
	w.write("]")
}
