package launch

// walk visits statements and their expressions, with those within.
func walk(list []Stmt, stmt func(Stmt), expr func(Expr)) {
	exprs := func(xs ...Expr) {
		for _, x := range xs {
			walkExpr(x, expr)
		}
	}
	for _, s := range list {
		stmt(s)
		switch s := s.(type) {
		case *Let:
			exprs(s.X)
		case *List:
			exprs(s.X...)
		case *Alloc:
			exprs(s.Sizes...)
		case *Columns:
			exprs(s.Rows)
		case *Clear:
			exprs(s.At.Offset, s.Bytes)
		case *Launch:
			exprs(s.Over, s.Shared)
			for _, a := range s.Args {
				exprs(a.X, a.Ref.Offset)
			}
		case *Read:
			exprs(s.From.Offset, s.Words)
			if s.With != nil {
				exprs(s.With.Rows)
			}
		case *If:
			exprs(s.Cond)
			walk(s.Then, stmt, expr)
			walk(s.Else, stmt, expr)
		case *Loop:
			walk(s.Body, stmt, expr)
		case *Chunks:
			walk(s.Body, stmt, expr)
		case *Until:
			exprs(s.Cond)
		case *Fail:
			exprs(s.Cond)
		case *Note:
			exprs(s.X...)
		case *Rows:
			exprs(s.Rows)
			for _, t := range s.Texts {
				exprs(t.Longest)
			}
		case *Keep:
			exprs(s.Rows, s.Number)
		case *Table:
			exprs(s.Rows, s.Places, s.Unique, s.Mask, s.Keys, s.Longest, s.Squares)
			for _, b := range s.Bounds {
				exprs(b.Min, b.Max)
			}
		case *Groups:
			exprs(s.Cells, s.Groups)
			for i := range s.Words {
				exprs(s.Words[i].X)
			}
		case *Fallback:
			exprs(s.Room)
		case *Complete:
			exprs(s.words())
		}
	}
}

// walkExpr visits an expression, which may be nil, and those within.
func walkExpr(x Expr, visit func(Expr)) {
	if x == nil {
		return
	}
	visit(x)
	switch x := x.(type) {
	case At:
		walkExpr(x.Index, visit)
	case Blocks:
		walkExpr(x.Over, visit)
	case *Apply:
		for _, y := range x.X {
			walkExpr(y, visit)
		}
	}
}

// variablesOf are the variables that an expression reads.
func variablesOf(x Expr) map[int]bool {
	out := map[int]bool{}
	walkExpr(x, func(x Expr) { note(x, out) })
	return out
}

// note notes the variable that an expression is.
func note(x Expr, in map[int]bool) {
	switch x := x.(type) {
	case VarRef:
		in[int(x)] = true
	case At:
		in[x.Array] = true
	}
}

// setBy are the variables that a statement sets.
func setBy(s Stmt) []int {
	switch s := s.(type) {
	case *Let:
		return []int{s.Var}
	case *List:
		return []int{s.Array}
	case *Launch:
		return []int{s.Blocks}
	case *Read:
		vars := []int{s.Array}
		for _, in := range s.Into {
			vars = append(vars, in.Var)
		}
		return vars
	}
	return nil
}

// used checks that what is declared is of use: an entry that nobody launches is one that
// was forgotten.
func (v *verifier) used() {
	if v.err != nil {
		return
	}
	v.at = ""
	launched, allocated, read := map[int]bool{}, map[int]bool{}, map[int]bool{}
	walk(v.plan.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Launch:
			launched[s.Entry] = true
		case *Alloc:
			allocated[s.Buffer] = true
		case *Columns:
			allocated[s.Buffer] = true
		}
	}, func(x Expr) { note(x, read) })
	for i := range v.plan.Entries {
		if !launched[i] {
			v.failf("entry %s is never launched", v.plan.Entries[i].Name)
		}
	}
	for i := range v.plan.Buffers {
		if !allocated[i] {
			v.failf("buffer %s is never allocated", v.plan.Buffers[i].Name)
		}
	}
	for i := range v.plan.Vars {
		if !read[i] {
			v.failf("variable %s is never read", v.plan.Vars[i].Name)
		}
	}
}

// step notes by how much a Let changes its own variable, to a number that is not negative.
func (v *verifier) step(s *state, stmt *Let) {
	x, ok := stmt.X.(*Apply)
	if ok && x.Op == Max && len(x.X) == 2 && x.X[1] == Expr(Int(0)) {
		x, ok = x.X[0].(*Apply)
	}
	if !ok || x.Op != Add && x.Op != Sub || len(x.X) != 2 {
		return
	}
	self := Expr(VarRef(stmt.Var))
	switch {
	case x.X[0] == self:
		v.steps[stmt] = v.expr(s, x.X[1])
	case x.X[1] == self && x.Op == Add:
		v.steps[stmt] = v.expr(s, x.X[0])
	}
}

// until checks what a loop waits for, and notes where its condition lies.
func (v *verifier) until(s *state, stmt *Until) {
	if v.ends == nil {
		v.ends = map[*Until]interval{}
	}
	v.ends[stmt] = v.expr(s, stmt.Cond)
}

// progress checks that an iteration of a loop changes what its untils wait for, and that what
// counts up or down in it does so by 1 at least.
func (v *verifier) progress(stmt *Loop) {
	sets := map[int][]Stmt{}
	walk(stmt.Body, func(s Stmt) {
		for _, x := range setBy(s) {
			sets[x] = append(sets[x], s)
		}
	}, func(Expr) {})
	for _, s := range stmt.Body {
		until, ok := s.(*Until)
		if !ok || v.ends[until].lo > 0 {
			continue
		}
		changes := false
		for x := range variablesOf(until.Cond) {
			changes = changes || len(sets[x]) > 0
			for _, set := range sets[x] {
				let, ok := set.(*Let)
				if by, steps := v.steps[let]; ok && steps && by.lo < 1 {
					v.failf("a loop waits for variable %s, which may change by %d in an iteration", v.varName(x), by.lo)
				}
			}
		}
		if !changes {
			v.failf("a loop waits for what no iteration of it changes")
		}
	}
}
