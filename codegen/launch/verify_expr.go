package launch

// natural checks a number that is not negative and returns where it lies.
func (v *verifier) natural(s *state, x Expr, what string) interval {
	at := v.expr(s, x)
	if at.lo < 0 {
		v.failf("%s may be %d", what, at.lo)
	}
	return at
}

// variable checks that a variable is one of a kind.
func (v *verifier) variable(x int, kind VarKind) bool {
	switch {
	case x < 0 || x >= len(v.plan.Vars):
		v.failf("there is no variable %d", x)
	case (v.plan.Vars[x].Kind == Array) != (kind == Array):
		v.failf("variable %s is %s", v.plan.Vars[x].Name, VarKinds[v.plan.Vars[x].Kind])
	default:
		return true
	}
	return false
}

// assign sets a variable to a number that lies in an interval.
func (v *verifier) assign(s *state, x int, at interval) {
	if !v.variable(x, Natural) {
		return
	}
	if v.plan.Vars[x].Kind == Natural && at.lo < 0 {
		v.failf("variable %s may become %d", v.varName(x), at.lo)
	}
	s.set[x], s.lies[x] = true, at
}

// listed checks the numbers of an array.
func (v *verifier) listed(stmt *List, s *state) {
	if !v.variable(stmt.Array, Array) {
		return
	}
	at := interval{} // what is not there is 0
	for _, x := range stmt.X {
		at = at.hull(v.expr(s, x))
	}
	s.set[stmt.Array], s.lies[stmt.Array] = true, at
}

// expr checks an expression and returns where its value lies.
func (v *verifier) expr(s *state, x Expr) interval {
	switch x := x.(type) {
	case Int:
		return interval{int64(x), int64(x)}
	case Sym:
		return v.symbol(x)
	case VarRef:
		if v.variable(int(x), Natural) {
			v.isSet(s, int(x))
			return s.lies[x]
		}
		return anyNumber
	case At:
		at := anyNumber
		if v.variable(x.Array, Array) {
			v.isSet(s, x.Array)
			at = s.lies[x.Array]
		}
		v.natural(s, x.Index, "the index of a word")
		return at
	case Tiles:
		if x.Rows < 1 {
			v.failf("a tile has %d rows", x.Rows)
		}
		return natural
	case Blocks:
		return v.blocks(s, x)
	case *Apply:
		return v.apply(s, x)
	}
	v.failf("there is no expression %T", x)
	return anyNumber
}

func (v *verifier) symbol(x Sym) interval {
	switch {
	case int(x.Kind) >= len(SymbolNames):
		v.failf("there is no symbol %d", x.Kind)
	case (x.Kind == ChunkRows || x.Kind == LeftRows) && !v.chunks:
		v.failf("%s is known in chunks only", SymbolNames[x.Kind])
	case x.Index < 0:
		v.failf("there is no dictionary %d", x.Index)
	}
	return interval{symbolMin[x.Kind], natural.hi}
}

func (v *verifier) isSet(s *state, x int) {
	if !s.set[x] {
		v.failf("variable %s is read before it is set", v.varName(x))
	}
}

func (v *verifier) blocks(s *state, x Blocks) interval {
	if x.Entry < 0 || x.Entry >= len(v.plan.Entries) {
		v.failf("there is no entry %d", x.Entry)
	} else if x.Over == nil && !v.plan.Entries[x.Entry].Source {
		v.failf("entry %s does not go over the source", v.plan.Entries[x.Entry].Name)
	}
	if x.Over != nil {
		v.natural(s, x.Over, "the number of rows")
	}
	return natural
}

func (v *verifier) apply(s *state, x *Apply) interval {
	if int(x.Op) >= len(Operations) {
		v.failf("there is no operation %d", x.Op)
		return anyNumber
	}
	op := Operations[x.Op]
	if len(x.X) != op.Args {
		v.failf("%s takes %d numbers, not %d", op.Name, op.Args, len(x.X))
		return anyNumber
	}
	at := make([]interval, len(x.X))
	for i := range x.X {
		at[i] = v.expr(s, x.X[i])
	}
	if x.Op == Div && at[1].lo < 1 {
		v.failf("a divisor may be %d", at[1].lo)
		return anyNumber
	}
	return x.Op.interval(at)
}
