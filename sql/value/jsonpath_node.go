package value

// pathNode is an item of a jsonpath: a step, which others may follow, a value, or an
// operator.
type pathNode struct {
	op          pathOp
	next        *pathNode // the step behind it
	left, right *pathNode // operands; left is that of a filter and of what has one alone
	text        string    // of a key, a string, a variable or a pattern
	flags       string    // of a pattern
	number      Num
	truth       bool
	subscripts  []pathRange
	first, last int // levels of **; pathLeaves is the last one

	regexp *Regexp // of like_regex, once it is needed
}

// pathRange is a subscript; to is nil where it is no range.
type pathRange struct{ from, to *pathNode }

// pathLeaves stands for the last level of **.
const pathLeaves = 1<<32 - 1

type pathOp uint8

const (
	pathNull pathOp = iota
	pathBool
	pathNumber
	pathString
	pathVariable
	pathRoot
	pathCurrent
	pathLast
	pathKey
	pathAnyKey
	pathAnyArray
	pathIndex
	pathAny
	pathFilter
	pathOr
	pathAnd
	pathNot
	pathIsUnknown
	pathExists
	pathEqual
	pathNotEqual
	pathLess
	pathGreater
	pathLessOrEqual
	pathGreaterOrEqual
	pathStartsWith
	pathLikeRegex
	pathAdd
	pathSub
	pathMul
	pathDiv
	pathMod
	pathPlus
	pathMinus
	pathType
	pathSize
	pathAbs
	pathFloor
	pathCeiling
	pathDouble
	pathDatetime
	pathKeyValue
)

// pathSigns are how operators and methods are written.
var pathSigns = map[pathOp]string{
	pathOr: "||", pathAnd: "&&", pathEqual: "==", pathNotEqual: "!=", pathLess: "<", pathGreater: ">", pathLessOrEqual: "<=", pathGreaterOrEqual: ">=",
	pathStartsWith: "starts with", pathAdd: "+", pathSub: "-", pathMul: "*", pathDiv: "/", pathMod: "%", pathPlus: "+", pathMinus: "-",
	pathType: "type", pathSize: "size", pathAbs: "abs", pathFloor: "floor", pathCeiling: "ceiling", pathDouble: "double", pathDatetime: "datetime", pathKeyValue: "keyvalue",
}

var pathMethods = map[string]pathOp{
	"type": pathType, "size": pathSize, "abs": pathAbs, "floor": pathFloor, "ceiling": pathCeiling, "double": pathDouble,
	"datetime": pathDatetime, "keyvalue": pathKeyValue,
}

// isPredicate reports whether an item is a condition.
func (n *pathNode) isPredicate() bool {
	return n.op >= pathOr && n.op <= pathLikeRegex && n.next == nil
}

// priority is that of an operator; the greater binds closer.
func (op pathOp) priority() int {
	switch op {
	case pathOr:
		return 0
	case pathAnd:
		return 1
	case pathEqual, pathNotEqual, pathLess, pathGreater, pathLessOrEqual, pathGreaterOrEqual, pathStartsWith:
		return 2
	case pathAdd, pathSub:
		return 3
	case pathMul, pathDiv, pathMod:
		return 4
	case pathPlus, pathMinus:
		return 5
	}
	return 6
}

// end is the last step of those that follow each other.
func (n *pathNode) end() *pathNode {
	for n.next != nil {
		n = n.next
	}
	return n
}
