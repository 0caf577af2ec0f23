package value

// all runs a path over the whole value. A strict one is run to its end in any case, for errors.
func (r *pathRun) all(path *jsonPath, found *pathFound) pathState {
	r.strict, r.lenient = path.strict, !path.strict
	r.current = pathItem{jsonNode: r.root}
	if !r.strict || found != nil {
		return r.steps(path.expr, r.current, found)
	}
	var items pathFound
	switch state := r.steps(path.expr, r.current, &items); {
	case state == pathFailed:
		return state
	case len(items.items) == 0:
		return pathNothing
	}
	return pathSomething
}

// steps runs a step and those behind it.
func (r *pathRun) steps(n *pathNode, item pathItem, found *pathFound) pathState {
	return r.step(n, item, found, !r.strict)
}

// follow runs the steps behind one, of a value that it has found.
func (r *pathRun) follow(n *pathNode, item pathItem, found *pathFound) pathState {
	if n != nil && n.next != nil {
		return r.steps(n.next, item, found)
	}
	if found != nil {
		found.add(r.m, item)
	}
	return pathSomething
}

// step runs a step and those behind it; where it unwraps, of the elements of an array.
func (r *pathRun) step(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	r.m.Must(1)
	switch {
	case n.op <= pathVariable, n.op == pathLast:
		if n.next == nil && found == nil && n.op != pathVariable {
			return pathSomething
		}
		return r.follow(n, r.literal(n), found)
	case n.op >= pathOr && n.op <= pathLikeRegex:
		if n.next == nil && found == nil {
			return pathSomething
		}
		return r.follow(n, pathItem{jsonNode: r.truth(n, item).node(r.m)}, found)
	case n.op >= pathAdd && n.op <= pathMod:
		return r.arithmetic(n, item, found)
	case n.op == pathPlus || n.op == pathMinus:
		return r.signed(n, item, found)
	case n.op >= pathType:
		return r.called(n, item, found, unwrap)
	}
	switch n.op {
	case pathRoot:
		return r.fromRoot(n, found)
	case pathCurrent:
		return r.follow(n, r.current, found)
	case pathKey:
		return r.key(n, item, found, unwrap)
	case pathAnyKey:
		return r.anyKey(n, item, found, unwrap)
	case pathAnyArray:
		return r.anyElement(n, item, found)
	case pathIndex:
		return r.index(n, item, found)
	case pathAny:
		return r.levels(n, item, found)
	}
	return r.filter(n, item, found, unwrap)
}

func (r *pathRun) fromRoot(n *pathNode, found *pathFound) pathState {
	base := r.base
	defer func() { r.base = base }()
	r.base = pathBase{object: r.root}
	return r.follow(n, pathItem{jsonNode: r.root}, found)
}

// unwrapped runs a step for each element of an array.
func (r *pathRun) unwrapped(n *pathNode, item pathItem, found *pathFound) pathState {
	return r.below(n, item, found, pathLevels{1, 1, 1}, false, false)
}

func (r *pathRun) key(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	switch {
	case item.kind == '{':
		if member, ok := item.find(n.text); ok {
			return r.follow(n, pathItem{jsonNode: member}, found)
		}
		if !r.lenient {
			return r.fail(CodeJSONMemberNotFound, "JSON object does not contain key \"%s\"", n.text)
		}
	case unwrap && item.kind == '[':
		return r.unwrapped(n, item, found)
	case !r.lenient:
		return r.fail(CodeJSONMemberNotFound, "jsonpath member accessor can only be applied to an object")
	}
	return pathNothing
}

func (r *pathRun) anyKey(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	switch {
	case item.kind == '{':
		return r.below(n.next, item, found, pathLevels{1, 1, 1}, false, !r.strict)
	case unwrap && item.kind == '[':
		return r.unwrapped(n, item, found)
	case !r.lenient:
		return r.fail(CodeJSONObjectNotFound, "jsonpath wildcard member accessor can only be applied to an object")
	}
	return pathNothing
}

func (r *pathRun) anyElement(n *pathNode, item pathItem, found *pathFound) pathState {
	switch {
	case item.kind == '[':
		return r.below(n.next, item, found, pathLevels{1, 1, 1}, false, !r.strict)
	case !r.strict:
		return r.follow(n, item, found)
	case !r.lenient:
		return r.fail(CodeJSONArrayNotFound, "jsonpath wildcard array accessor can only be applied to an array")
	}
	return pathNothing
}

// index runs [a, b to c, …].
func (r *pathRun) index(n *pathNode, item pathItem, found *pathFound) pathState {
	members := []*jsonNode{item.jsonNode}
	switch {
	case item.kind == '[':
		members = item.members
	case r.strict && !r.lenient:
		return r.fail(CodeJSONArrayNotFound, "jsonpath array accessor can only be applied to an array")
	case r.strict:
		return pathNothing
	}
	size := r.size
	defer func() { r.size = size }()
	r.size = len(members)
	state := pathNothing
	for _, s := range n.subscripts {
		from, to, bad := r.bounds(s, item)
		if bad != pathNothing {
			return bad
		}
		if !r.lenient && (from < 0 || from > to || to >= len(members)) {
			return r.fail(CodeInvalidJSONSubscript, "jsonpath array subscript is out of bounds")
		}
		for i := max(from, 0); i <= min(to, len(members)-1); i++ {
			element := pathItem{jsonNode: members[i]}
			if item.kind != '[' {
				element = item
			}
			if state = r.follow(n, element, found); enough(state, found) {
				return state
			}
		}
	}
	return state
}

// bounds are those of a subscript.
func (r *pathRun) bounds(s pathRange, item pathItem) (from, to int, bad pathState) {
	if from, bad = r.subscript(s.from, item); s.to == nil || bad != pathNothing {
		return from, from, bad
	}
	to, bad = r.subscript(s.to, item)
	return from, to, bad
}

func (r *pathRun) subscript(n *pathNode, item pathItem) (int, pathState) {
	used := r.m.Used()
	defer r.m.Settle(used, 0)
	var found pathFound
	if state := r.steps(n, item, &found); state == pathFailed {
		return 0, state
	}
	if len(found.items) != 1 || found.items[0].kind != '0' {
		return 0, r.fail(CodeInvalidJSONSubscript, "jsonpath array subscript is not a single numeric value")
	}
	number, err := numberOf(found.items[0]).Trunc(0)
	if err == nil {
		var i int64
		if i, err = number.Int(32); err == nil {
			return int(i), pathNothing
		}
	}
	return 0, r.fail(CodeInvalidJSONSubscript, "jsonpath array subscript is out of integer range")
}

// levels runs .**{first to last}.
func (r *pathRun) levels(n *pathNode, item pathItem, found *pathFound) pathState {
	state := pathNothing
	if n.first == 0 {
		lenient := r.lenient
		r.lenient = true
		state = r.follow(n, item, found)
		if r.lenient = lenient; enough(state, found) {
			return state
		}
	}
	if isContainer(item.jsonNode) {
		state = r.below(n.next, item, found, pathLevels{1, n.first, n.last}, true, !r.strict)
	}
	return state
}

// below runs a step, or takes them where there is none, for the members of a value and those below
// them.
func (r *pathRun) below(n *pathNode, item pathItem, found *pathFound, l pathLevels, lenient, unwrap bool) pathState {
	state := pathNothing
	if l.at > l.last {
		return state
	}
	for _, member := range item.members {
		r.m.Must(1)
		if l.at >= l.first || l.first == pathLeaves && l.last == pathLeaves && !isContainer(member) {
			if state = r.member(n, pathItem{jsonNode: member}, found, lenient, unwrap); enough(state, found) {
				return state
			}
		}
		if l.at < l.last && isContainer(member) {
			if state = r.below(n, pathItem{jsonNode: member}, found, pathLevels{l.at + 1, l.first, l.last}, lenient, unwrap); enough(state, found) {
				return state
			}
		}
	}
	return state
}

// member runs a step for a member, or takes it where there is none.
func (r *pathRun) member(n *pathNode, item pathItem, found *pathFound, lenient, unwrap bool) pathState {
	if n == nil {
		if found != nil {
			found.add(r.m, item)
		}
		return pathSomething
	}
	before := r.lenient
	r.lenient = before || lenient
	state := r.step(n, item, found, unwrap)
	r.lenient = before
	return state
}

func (r *pathRun) filter(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	if unwrap && item.kind == '[' {
		return r.unwrapped(n, item, found)
	}
	current := r.current
	r.current = item
	truth := r.truth(n.left, item)
	r.current = current
	if truth != pathTrue {
		return pathNothing
	}
	return r.follow(n, item, found)
}

// operand runs an operand and takes the elements of arrays that it finds, if it unwraps.
func (r *pathRun) operand(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	if !unwrap || r.strict {
		return r.steps(n, item, found)
	}
	var all pathFound
	if state := r.steps(n, item, &all); state == pathFailed {
		return state
	}
	for _, one := range all.items {
		if one.kind == '[' {
			r.unwrapped(nil, one, found)
		} else {
			found.add(r.m, one)
		}
	}
	return pathSomething
}

// quietly is operand without errors.
func (r *pathRun) quietly(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	silent := r.silent
	r.silent = true
	state := r.operand(n, item, found, unwrap)
	r.silent = silent
	return state
}

// truth computes a condition.
func (r *pathRun) truth(n *pathNode, item pathItem) pathTruth {
	used := r.m.Used()
	defer r.m.Settle(used, 0)
	r.m.Must(1)
	switch n.op {
	case pathAnd, pathOr:
		decided := truthOf(n.op == pathOr)
		left := r.truth(n.left, item)
		if left == decided {
			return left
		}
		right := r.truth(n.right, item)
		if right == decided || left != pathUnknown {
			return right
		}
		return left
	case pathNot:
		truth := r.truth(n.left, item)
		if truth == pathUnknown {
			return truth
		}
		return pathTrue - truth
	case pathIsUnknown:
		return truthOf(r.truth(n.left, item) == pathUnknown)
	case pathExists:
		return r.exists(n, item)
	case pathStartsWith:
		return r.compared(n, item, false, startsWith)
	case pathLikeRegex:
		return r.compared(n, item, false, func(left, _ pathItem) pathTruth {
			if !left.isText() {
				return pathUnknown
			}
			return truthOf(n.regexp.Match(r.m, left.text))
		})
	}
	return r.compared(n, item, true, func(left, right pathItem) pathTruth { return r.comparison(n.op, left, right) })
}

func (r *pathRun) exists(n *pathNode, item pathItem) pathTruth {
	var found *pathFound
	if r.strict {
		found = &pathFound{}
	}
	switch state := r.quietly(n.left, item, found, false); {
	case state == pathFailed:
		return pathUnknown
	case r.strict:
		return truthOf(len(found.items) > 0)
	default:
		return truthOf(state == pathSomething)
	}
}

// compared is whether a condition holds for some pair of what both operands find. In a strict path
// it is unknown where that is so for one of them.
func (r *pathRun) compared(n *pathNode, item pathItem, unwrapRight bool, holds func(left, right pathItem) pathTruth) pathTruth {
	var left, right pathFound
	if r.quietly(n.left, item, &left, true) == pathFailed {
		return pathUnknown
	}
	right.items = []pathItem{{}}
	if n.right != nil {
		right.items = nil
		if r.quietly(n.right, item, &right, unwrapRight) == pathFailed {
			return pathUnknown
		}
	}
	result := pathFalse
	for _, l := range left.items {
		for _, o := range right.items {
			r.m.Must(1)
			switch truth := holds(l, o); {
			case truth == pathUnknown && r.strict:
				return truth
			case truth == pathTrue && !r.strict:
				return truth
			case truth == pathTrue || truth == pathUnknown && result == pathFalse:
				result = truth
			}
		}
	}
	return result
}

var pathArithmetic = map[pathOp]func(a, b Num) (Num, error){
	pathAdd: Num.Add, pathSub: Num.Sub, pathMul: Num.Mul, pathDiv: Num.Div, pathMod: Num.Mod,
}

// arithmetic computes an operator of two numbers.
func (r *pathRun) arithmetic(n *pathNode, item pathItem, found *pathFound) pathState {
	var numbers [2]Num
	for i, operand := range []*pathNode{n.left, n.right} {
		var all pathFound
		if state := r.operand(operand, item, &all, true); state == pathFailed {
			return state
		}
		if len(all.items) != 1 || all.items[0].kind != '0' {
			return r.fail(CodeSingletonJSON, "%s operand of jsonpath operator %s is not a single numeric value", [...]string{"left", "right"}[i], pathSigns[n.op])
		}
		numbers[i] = numberOf(all.items[0])
	}
	result, err := pathArithmetic[n.op](numbers[0], numbers[1])
	if err != nil {
		return r.failed(err)
	}
	return r.followNumber(n, result, found)
}

func (r *pathRun) followNumber(n *pathNode, number Num, found *pathFound) pathState {
	if n.next == nil && found == nil {
		return pathSomething
	}
	r.m.MustGrow(jsonNodeSize)
	return r.follow(n, numberItem(number), found)
}

// signed computes + and - of each of several numbers.
func (r *pathRun) signed(n *pathNode, item pathItem, found *pathFound) pathState {
	var all pathFound
	if state := r.operand(n.left, item, &all, true); state == pathFailed {
		return state
	}
	state := pathNothing
	for _, one := range all.items {
		switch {
		case one.kind == '0' && found == nil && n.next == nil:
			return pathSomething
		case one.kind != '0' && found == nil && n.next == nil:
			continue
		case one.kind != '0':
			return r.fail(CodeJSONNumberNotFound, "operand of unary jsonpath operator %s is not a numeric value", pathSigns[n.op])
		}
		number := numberOf(one)
		if n.op == pathMinus {
			number = number.Neg()
		}
		switch next := r.followNumber(n, number, found); {
		case next == pathFailed:
			return next
		case next == pathSomething && found == nil:
			return next
		case next == pathSomething:
			state = next
		}
	}
	return state
}

// called runs a method and the steps behind it.
func (r *pathRun) called(n *pathNode, item pathItem, found *pathFound, unwrap bool) pathState {
	switch {
	case unwrap && item.kind == '[' && n.op != pathType && n.op != pathSize:
		return r.unwrapped(n, item, found)
	case n.op == pathKeyValue:
		return r.keyValue(n, item, found)
	case n.op == pathSize && item.kind != '[' && r.strict && r.lenient:
		return pathNothing
	}
	result, err := r.method(n, item)
	if err != nil {
		return r.failed(err)
	}
	return r.follow(n, result, found)
}

// keyValue runs .keyvalue().
func (r *pathRun) keyValue(n *pathNode, item pathItem, found *pathFound) pathState {
	if item.kind != '{' {
		return r.fail(CodeJSONObjectNotFound, "jsonpath item method .keyvalue() can only be applied to an object")
	}
	if len(item.members) > 0 && n.next == nil && found == nil {
		return pathSomething
	}
	state := pathNothing
	base := r.base
	defer func() { r.base = base }()
	for _, object := range r.keyValues(item) {
		r.base = pathBase{object: object.jsonNode, id: r.bases}
		r.bases++
		if state = r.follow(n, object, found); enough(state, found) {
			return state
		}
	}
	return state
}
