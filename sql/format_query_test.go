package sql

func (f *formatter) query(q *Query) {
	if q.With != nil {
		f.with(q.With)
	}
	f.body(q.Body, false)
	if len(q.OrderBy) > 0 {
		f.put(" ")
		f.orderBy(q.OrderBy)
	}
	if q.Limit != nil && q.Ties {
		f.put(" fetch first (")
		f.expr(q.Limit)
		f.put(") rows with ties")
	} else if q.Limit != nil {
		f.put(" limit ")
		f.expr(q.Limit)
	}
	if q.Offset != nil {
		f.put(" offset ")
		f.expr(q.Offset)
	}
	f.locks(q.Locks)
}

func (f *formatter) with(w *With) {
	f.put("with ")
	f.putIf(w.Recursive, "recursive ")
	f.each(len(w.CTEs), func(i int) {
		cte := w.CTEs[i]
		f.put(quoteName(cte.Name.Name))
		if cte.Columns != nil {
			f.idents(cte.Columns)
		}
		f.put(" as ")
		if cte.Materialized != nil {
			f.putIf(!*cte.Materialized, "not ")
			f.put("materialized ")
		}
		f.put("(")
		if cte.Write != nil {
			f.statement(cte.Write)
		} else {
			f.query(cte.Query)
		}
		f.put(")")
	})
	f.put(" ")
}

// body writes a body, an operand of a set operation in parentheses.
func (f *formatter) body(b QueryBody, operand bool) {
	f.putIf(operand, "(")
	switch b := b.(type) {
	case *Select:
		f.selectBody(b)
	case *Values:
		f.put("values ")
		f.each(len(b.Rows), func(i int) {
			f.put("(")
			f.exprs(b.Rows[i])
			f.put(")")
		})
	case *SetOp:
		f.body(b.Left, true)
		f.put(" ", b.Kind, " ")
		f.putIf(b.All, "all ")
		f.body(b.Right, true)
	case *Query:
		f.query(b)
	}
	f.putIf(operand, ")")
}

func (f *formatter) selectBody(s *Select) {
	f.put("select")
	if s.Distinct {
		f.put(" distinct")
		if s.DistinctOn != nil {
			f.put(" on (")
			f.exprs(s.DistinctOn)
			f.put(")")
		}
	}
	f.putIf(len(s.Items) > 0, " ")
	f.items(s.Items)
	f.tables(" from ", s.From)
	f.clause(" where ", s.Where)
	if s.GroupBy != nil {
		f.groupBy(s.GroupBy)
	}
	f.clause(" having ", s.Having)
	if len(s.Windows) > 0 {
		f.put(" window ")
		f.each(len(s.Windows), func(i int) {
			f.put(quoteName(s.Windows[i].Name.Name), " as ")
			f.window(s.Windows[i].Spec)
		})
	}
	f.clause(" qualify ", s.Qualify)
}

func (f *formatter) items(items []SelectItem) {
	f.each(len(items), func(i int) {
		f.expr(items[i].Expr)
		if a := items[i].Alias; a.Name != "" {
			f.put(" as ", quoteName(a.Name))
		}
	})
}

// tables writes a list of tables behind a word, if there are any.
func (f *formatter) tables(word string, list []TableExpr) {
	if len(list) > 0 {
		f.put(word)
		f.each(len(list), func(i int) { f.table(list[i]) })
	}
}

// clause writes a clause of one expression, if there is one.
func (f *formatter) clause(word string, e Expr) {
	if e != nil {
		f.put(word)
		f.expr(e)
	}
}

func (f *formatter) groupBy(g *GroupBy) {
	f.put(" group by ")
	f.putIf(g.All, "all")
	f.putIf(g.Distinct, "distinct ")
	f.groupElements(g.Elements)
}

func (f *formatter) groupElements(list []GroupElement) {
	f.each(len(list), func(i int) { f.groupElement(list[i]) })
}

func (f *formatter) groupElement(e GroupElement) {
	switch e := e.(type) {
	case *GroupExprs:
		f.groupExprs(e)
	case *Cube:
		f.put("cube (")
		f.each(len(e.Elements), func(i int) { f.groupExprs(e.Elements[i]) })
		f.put(")")
	case *Rollup:
		f.put("rollup (")
		f.each(len(e.Elements), func(i int) { f.groupExprs(e.Elements[i]) })
		f.put(")")
	case *GroupingSets:
		f.put("grouping sets (")
		f.groupElements(e.Elements)
		f.put(")")
	}
}

func (f *formatter) groupExprs(g *GroupExprs) {
	if len(g.Exprs) == 1 {
		f.expr(g.Exprs[0])
		return
	}
	f.put("(")
	f.exprs(g.Exprs)
	f.put(")")
}

func (f *formatter) orderBy(items []OrderItem) {
	f.put("order by ")
	f.each(len(items), func(i int) {
		f.expr(items[i].Expr)
		f.putIf(items[i].Desc, " desc")
		f.putIf(items[i].Nulls == NullsFirst, " nulls first")
		f.putIf(items[i].Nulls == NullsLast, " nulls last")
	})
}

func (f *formatter) window(w *WindowSpec) {
	if w.Named {
		f.put(quoteName(w.Base.Name))
		return
	}
	space := ""
	part := func(write func()) {
		f.put(space)
		space = " "
		write()
	}
	f.put("(")
	if w.Base.Name != "" {
		part(func() { f.put(quoteName(w.Base.Name)) })
	}
	if len(w.PartitionBy) > 0 {
		part(func() {
			f.put("partition by ")
			f.exprs(w.PartitionBy)
		})
	}
	if len(w.OrderBy) > 0 {
		part(func() { f.orderBy(w.OrderBy) })
	}
	if w.Frame != nil {
		part(func() { f.frame(w.Frame) })
	}
	f.put(")")
}

func (f *formatter) frame(fr *Frame) {
	bound := func(b FrameBound) {
		if b.Value != nil {
			f.expr(b.Value)
			f.put(" ")
		}
		f.put(b.Kind)
	}
	f.put(fr.Unit, " between ")
	bound(fr.Start)
	f.put(" and ")
	bound(fr.End)
	f.putIf(fr.Exclude != "", " exclude "+fr.Exclude)
}

func (f *formatter) alias(alias Ident, columns []Ident) {
	if alias.Name == "" {
		return
	}
	f.put(" as ", quoteName(alias.Name))
	if columns != nil {
		f.idents(columns)
	}
}

func (f *formatter) table(t TableExpr) {
	switch t := t.(type) {
	case *TableName:
		f.relation(t.Name, t.Only)
		f.alias(t.Alias, t.Columns)
	case *TableFile:
		f.put(quoteString(t.Path))
		f.alias(t.Alias, t.Columns)
	case *TableFunc:
		f.putIf(t.Lateral, "lateral ")
		f.putIf(len(t.Beside) > 0, "rows from (")
		f.call(t.Call)
		for _, call := range t.Beside {
			f.put(", ")
			f.call(call)
		}
		f.putIf(len(t.Beside) > 0, ")")
		f.putIf(t.Ordinality, " with ordinality")
		if len(t.Defined) > 0 {
			f.defined(t)
			return
		}
		f.alias(t.Alias, t.Columns)
	case *DerivedTable:
		f.putIf(t.Lateral, "lateral ")
		f.put("(")
		f.query(t.Query)
		f.put(")")
		f.alias(t.Alias, t.Columns)
	case *TableSample:
		f.table(t.Table)
		f.put(" tablesample ")
		f.name(t.Method)
		f.put(" (")
		f.exprs(t.Args)
		f.put(")")
		if t.Repeatable != nil {
			f.put(" repeatable (")
			f.expr(t.Repeatable)
			f.put(")")
		}
	case *JoinExpr:
		f.join(t)
	}
}

func (f *formatter) join(j *JoinExpr) {
	f.put("(")
	f.table(j.Left)
	f.put(" ")
	f.putIf(j.Natural, "natural ")
	f.putIf(j.Kind != "inner", j.Kind+" ")
	f.put("join ")
	f.table(j.Right)
	f.clause(" on ", j.On)
	if j.Using != nil {
		f.put(" using ")
		f.idents(j.Using)
		f.putIf(j.Alias.Name != "", " as "+quoteName(j.Alias.Name))
	}
	f.put(")")
}
