package sql

func (f *formatter) insert(s *Insert) {
	f.withIf(s.With)
	f.put("insert into ")
	f.name(s.Table)
	f.alias(s.Alias, nil)
	f.columns(s.Columns)
	f.putIf(s.Overriding != "", " overriding "+s.Overriding+" value")
	if s.Query == nil {
		f.put(" default values")
	} else {
		f.put(" ")
		f.query(s.Query)
	}
	f.onConflict(s.OnConflict)
	f.returning(s.Returning)
}

func (f *formatter) onConflict(c *OnConflict) {
	if c == nil {
		return
	}
	f.put(" on conflict")
	if c.List != NoPos {
		f.put(" (")
		f.each(len(c.Columns)+len(c.Exprs), func(i int) {
			if i < len(c.Columns) {
				f.put(quoteName(c.Columns[i].Name))
				return
			}
			f.put("(")
			f.expr(c.Exprs[i-len(c.Columns)])
			f.put(")")
		})
		f.put(")")
	}
	f.clause(" where ", c.Matching)
	f.putIf(c.Constraint.Name != "", " on constraint "+quoteName(c.Constraint.Name))
	if c.Set == nil {
		f.put(" do nothing")
		return
	}
	f.put(" do update")
	f.assignments(c.Set)
	f.clause(" where ", c.Where)
}

func (f *formatter) update(s *Update) {
	f.withIf(s.With)
	f.put("update ")
	f.relation(s.Table, s.Only)
	f.alias(s.Alias, nil)
	f.assignments(s.Set)
	f.tables(" from ", s.From)
	f.clause(" where ", s.Where)
	f.returning(s.Returning)
}

// assignments writes SET and its list.
func (f *formatter) assignments(set []Assignment) {
	f.put(" set ")
	f.each(len(set), func(i int) {
		a := &set[i]
		if a.Row {
			f.idents(a.Columns)
		} else {
			f.put(quoteName(a.Columns[0].Name))
		}
		if a.Field.Name != "" {
			f.put(".", quoteLabel(a.Field.Name))
		}
		f.put(" = ")
		f.expr(a.Value)
	})
}

func (f *formatter) delete(s *Delete) {
	f.withIf(s.With)
	f.put("delete from ")
	f.relation(s.Table, s.Only)
	f.alias(s.Alias, nil)
	f.tables(" using ", s.Using)
	f.clause(" where ", s.Where)
	f.returning(s.Returning)
}

func (f *formatter) withIf(w *With) {
	if w != nil {
		f.with(w)
	}
}

func (f *formatter) returning(items []SelectItem) {
	if len(items) > 0 {
		f.put(" returning ")
		f.items(items)
	}
}

func (f *formatter) truncate(s *Truncate) {
	f.put("truncate ")
	f.each(len(s.Names), func(i int) { f.relation(s.Names[i].Name, s.Names[i].Only) })
	f.putIf(s.Restart, " restart identity")
	f.putIf(s.Cascade, " cascade")
}

func (f *formatter) lock(s *Lock) {
	f.put("lock table ")
	f.each(len(s.Names), func(i int) { f.relation(s.Names[i].Name, s.Names[i].Only) })
	f.put(" in ", s.Mode, " mode")
	f.putIf(s.NoWait, " nowait")
}

func (f *formatter) comment(s *Comment) {
	f.put("comment on ", s.Kind, " ")
	f.name(s.Name)
	if s.Table != nil {
		f.put(" on ")
		f.name(s.Table)
	}
	f.put(" is ")
	f.putIf(s.Text == "", "null")
	f.putIf(s.Text != "", quoteString(s.Text))
}

func (f *formatter) alter(s *AlterTable) {
	f.put("alter ")
	f.put(s.Kind + " ")
	f.putIf(s.IfExists, "if exists ")
	f.relation(s.Name, s.Only)
	f.put(" ")
	f.each(len(s.Actions), func(i int) { f.alterAction(s.Actions[i]) })
}

func (f *formatter) alterAction(a AlterAction) {
	switch a := a.(type) {
	case *AddColumn:
		f.put("add column ")
		f.putIf(a.IfNotExists, "if not exists ")
		f.columnDef(&a.Column)
		for _, key := range a.Keys {
			f.put(" ")
			f.constraintName(key.Key.Name)
			f.putIf(key.Primary, "primary key")
			f.putIf(!key.Primary, "unique")
		}
		for i := range a.Checks {
			f.put(" ")
			f.checkDef(&a.Checks[i])
		}
		for i := range a.ForeignKeys {
			f.put(" ")
			f.constraintName(a.ForeignKeys[i].Name)
			f.references(&a.ForeignKeys[i])
			f.timing(a.ForeignKeys[i].Timing)
		}
	case *AlterConstraint:
		f.put("alter constraint ", quoteName(a.Name.Name))
		f.timing(a.Timing)
	case *ValidateConstraint:
		f.put("validate constraint ", quoteName(a.Name.Name))
	case *DropColumn:
		f.put("drop column ")
		f.putIf(a.IfExists, "if exists ")
		f.put(quoteName(a.Name.Name))
		f.putIf(a.Cascade, " cascade")
	case *RenameColumn:
		f.put("rename column ", quoteName(a.From.Name), " to ", quoteName(a.To.Name))
	case *AddKey:
		f.put("add ")
		f.key(a.Key, a.Primary)
	case *AddCheck:
		f.put("add ")
		f.checkDef(&a.Check)
	case *AddForeignKey:
		f.put("add ")
		f.foreignKeyDef(&a.Key)
	case *RenameConstraint:
		f.put("rename constraint ", quoteName(a.From.Name), " to ", quoteName(a.To.Name))
	case *StorageAction:
		f.putIf(a.Column.Name != "", "alter column "+quoteName(a.Column.Name)+" ")
		f.put(a.Text)
	case *DropConstraint:
		f.put("drop constraint ")
		f.putIf(a.IfExists, "if exists ")
		f.put(quoteName(a.Name.Name))
		f.putIf(a.Cascade, " cascade")
	case *RenameTable:
		f.put("rename to ", quoteName(a.To.Name))
	case *SetSchema:
		f.put("set schema ", quoteName(a.To.Name))
	case *ChangeOwner:
		f.put("owner to ")
		f.role(a.To)
	case *AttachPartition:
		f.put("attach partition ")
		f.name(a.Part)
		f.partitionBound(a.Bound)
	case *DetachPartition:
		f.put("detach partition ")
		f.name(a.Part)
		f.putIf(a.Concurrently, " concurrently")
		f.putIf(a.Finalize, " finalize")
	case *AlterColumn:
		f.put("alter column ", quoteName(a.Name.Name))
		f.alterColumn(a)
	}
}

func (f *formatter) alterColumn(a *AlterColumn) {
	switch {
	case a.Type != nil:
		f.put(" type ")
		f.typeName(*a.Type)
		f.clause(" using ", a.Using)
	case a.Default != nil:
		f.clause(" set default ", a.Default.Expr)
	}
	if a.Identity != nil {
		f.put(" add")
		f.identity(a.Identity)
	}
	if a.SetIdentity != nil {
		f.setIdentity(a.SetIdentity)
	}
	f.putIf(a.DropIdentity, " drop identity")
	f.putIf(a.IfExists, " if exists")
	f.putIf(a.DropDefault, " drop default")
	f.putIf(a.SetNotNull, " set not null")
	f.putIf(a.DropNotNull, " drop not null")
}
