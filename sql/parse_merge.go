package sql

import "github.com/cubeloom/cubeloom/sql/dialect"

// merge reads MERGE INTO t [AS a] USING source ON condition WHEN ….
func (p writeParser) merge(s *Merge) Change {
	p.Next()
	p.Expect("into")
	s.Table, s.Only, s.Alias = p.changedTable()
	p.Expect("using")
	s.Using = selectPart(p.TableRef()).From[0]
	p.Expect("on")
	s.On = p.expr()
	for {
		s.Whens = append(s.Whens, p.mergeWhen())
		if !p.NextIs("when") {
			return s
		}
	}
}

// mergeWhen reads WHEN [NOT] MATCHED [AND condition] THEN action.
func (p writeParser) mergeWhen() MergeWhen {
	w := MergeWhen{Pos: Pos(p.Peek().Pos)}
	p.Expect("when")
	w.Matched = !p.Accept("not")
	p.Expect("matched")
	if p.Accept("and") {
		w.Cond = p.expr()
	}
	p.Expect("then")
	switch {
	case p.Accept("do"):
		p.Expect("nothing")
	case w.Matched && p.Accept("update"):
		w.Set = p.assignments()
	case w.Matched && p.Accept("delete"):
		w.Delete = true
	case !w.Matched && p.NextIs("insert"):
		w.Insert = p.mergeInsert()
	default:
		panic(p.Unexpected())
	}
	return w
}

// mergeInsert reads INSERT [(columns)] [OVERRIDING …] VALUES (…), or DEFAULT VALUES.
func (p writeParser) mergeInsert() *Insert {
	s := &Insert{Pos: Pos(p.Next().Pos)}
	if p.Accept("default") {
		p.Expect("values")
		return s
	}
	p.insertColumns(s)
	p.overriding(s)
	values := &Values{Pos: Pos(p.Peek().Pos)}
	p.Expect("values", "(")
	values.Rows = [][]Expr{dialect.CommaListTo(p.Cursor, ")", p.expr)}
	s.Query = &Query{Body: values, Pos: values.Pos}
	return s
}
