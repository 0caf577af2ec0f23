package sql

import "strings"

func (f *formatter) createIndex(s *CreateIndex) {
	f.put("create ")
	f.putIf(s.Unique, "unique ")
	f.put("index ")
	f.putIf(s.Concurrently, "concurrently ")
	f.putIf(s.IfNotExists, "if not exists ")
	if s.Name.Name != "" {
		f.put(quoteName(s.Name.Name), " ")
	}
	f.put("on ")
	f.relation(s.Table, s.Only)
	if s.Method.Name != "" {
		f.put(" using ", quoteName(s.Method.Name))
	}
	f.put(" (")
	f.each(len(s.Columns), func(i int) {
		c := s.Columns[i]
		if c.Expr != nil {
			f.put("(")
			f.expr(c.Expr.Expr)
			f.put(")")
		} else {
			f.put(quoteName(c.Name.Name))
		}
		if c.Class.Name != "" {
			f.put(" ", quoteName(c.Class.Name))
		}
		if c.Order != "" {
			f.put(" ", strings.ToLower(c.Order))
		}
	})
	f.put(")")
	if s.Include != nil {
		f.put(" include ")
		f.idents(s.Include)
	}
	f.storage(s.Storage, func() {})
	if s.Where != nil {
		f.put(" where ")
		f.expr(s.Where.Expr)
	}
}

func (f *formatter) renameIndex(s *RenameIndex) {
	f.put("alter index ")
	f.putIf(s.IfExists, "if exists ")
	f.name(s.Name)
	f.put(" rename to ", quoteName(s.To.Name))
}

func (f *formatter) reindex(s *Reindex) {
	f.put("reindex ", s.Kind, " ")
	f.putIf(s.Concurrently, "concurrently ")
	f.name(s.Name)
}

func (f *formatter) locks(locks []RowLock) {
	for _, lock := range locks {
		f.put(" for ", lock.Strength)
		for i, of := range lock.Of {
			f.put([]string{" of ", ", "}[min(i, 1)], quoteName(of.Name))
		}
		if lock.Wait != "" {
			f.put(" ", lock.Wait)
		}
	}
}

// defined writes the column definition list of a function in FROM.
func (f *formatter) defined(t *TableFunc) {
	f.put(" as ")
	if t.Alias.Name != "" {
		f.put(quoteName(t.Alias.Name), " ")
	}
	f.put("(")
	f.each(len(t.Defined), func(i int) {
		f.put(quoteName(t.Defined[i].Name.Name), " ")
		f.typeName(t.Defined[i].Type)
	})
	f.put(")")
}

func (f *formatter) maintain(s *Maintain) {
	f.put(s.Command)
	f.each(len(s.Tables), func(i int) {
		f.put(" ")
		f.name(s.Tables[i].Name)
		if s.Tables[i].Columns != nil {
			f.idents(s.Tables[i].Columns)
		}
	})
}
