package sql

import (
	"strconv"
	"strings"
)

func (f *formatter) statement(s Statement) {
	switch s := s.(type) {
	case *Query:
		f.query(s)
	case *Insert:
		f.insert(s)
	case *Update:
		f.update(s)
	case *Delete:
		f.delete(s)
	case *Lock:
		f.lock(s)
	case *Comment:
		f.comment(s)
	case *Truncate:
		f.truncate(s)
	case *AlterTable:
		f.alter(s)
	case *CreateTable:
		f.createTable(s)
	case *CreateTableAs:
		f.createTableAs(s)
	case *CreateView:
		f.createView(s)
	case *RefreshView:
		f.refreshView(s)
	case *CreateHierarchy:
		f.createHierarchy(s)
	case *CreateExtension:
		f.put("create extension ")
		f.putIf(s.IfNotExists, "if not exists ")
		f.put(quoteName(s.Name.Name))
	case *CreateSchema:
		f.createSchema(s)
	case *CreateSequence:
		f.createSequence(s)
	case *AlterSequence:
		f.alterSequence(s)
	case *CreateIndex:
		f.createIndex(s)
	case *AttachIndex:
		f.put("alter index ")
		f.name(s.Name)
		f.put(" attach partition ")
		f.name(s.Part)
	case *RenameIndex:
		f.renameIndex(s)
	case *Maintain:
		f.maintain(s)
	case *Reindex:
		f.reindex(s)
	case *Drop:
		f.drop(s)
	case *Copy:
		f.copy(s)
	case *ExportDatabase:
		f.put("export database ", quoteString(s.Directory))
		f.options(" (", " ", s.Options, ")")
	case *ImportDatabase:
		f.put("import database ", quoteString(s.Directory))
	case *Explain:
		f.put("explain ")
		f.options("(", " ", s.Options, ") ")
		f.statement(s.Statement)
	case *Set:
		f.set(s)
	case *Show:
		f.put("show ")
		f.setting(s.Name)
	case *SetConstraints:
		f.setConstraints(s)
	case *Transaction:
		f.transaction(s)
	case *Declare:
		f.put("declare ", quoteName(s.Name.Name), " ")
		f.putIf(s.Scroll != nil && !*s.Scroll, "no ")
		f.putIf(s.Scroll != nil, "scroll ")
		f.put("cursor ")
		f.putIf(s.Hold, "with hold ")
		f.put("for ")
		f.query(s.Query)
	case *Fetch:
		f.fetch(s)
	case *CloseCursor:
		f.namedOrAll("close ", s.Name, s.All)
	case *Prepare:
		f.prepare(s)
	case *Execute:
		f.execute(s)
	case *Deallocate:
		f.namedOrAll("deallocate ", s.Name, s.All)
	case *Unlisten:
		f.put("unlisten ")
		if s.All {
			f.put("*")
		} else {
			f.put(quoteName(s.Name.Name))
		}
	case *Discard:
		f.put("discard ", s.What)
	default:
		f.roleStatement(s)
	}
}

func (f *formatter) fetch(s *Fetch) {
	word, direction, count := "fetch ", "", s.Count
	if s.Move {
		word = "move "
	}
	switch {
	case s.Absolute:
		direction = "absolute "
	case s.Relative:
		direction = "relative "
	case count < 0:
		direction, count = "backward ", -count
	}
	rows := strconv.FormatInt(count, 10)
	if count == FetchAll {
		rows = "all"
	}
	f.put(word, direction, rows, " from ", quoteName(s.Name.Name))
}

func (f *formatter) execute(s *Execute) {
	f.put("execute ", quoteName(s.Name.Name))
	if s.Args != nil {
		f.put("(")
		f.exprs(s.Args)
		f.put(")")
	}
}

func (f *formatter) prepare(s *Prepare) {
	f.put("prepare ", quoteName(s.Name.Name), " ")
	if s.Types != nil {
		f.put("(")
		f.each(len(s.Types), func(i int) { f.typeName(s.Types[i]) })
		f.put(") ")
	}
	f.put("as ")
	f.statement(s.Statement)
}

func (f *formatter) namedOrAll(verb string, name Ident, all bool) {
	if all {
		f.put(verb, "all")
		return
	}
	f.put(verb, quoteName(name.Name))
}

// columns writes a list of columns, if there is one.
func (f *formatter) columns(list []Ident) {
	if list != nil {
		f.put(" ")
		f.idents(list)
	}
}

func (f *formatter) create(orReplace, temporary bool, what string) {
	f.put("create ")
	f.putIf(orReplace, "or replace ")
	f.putIf(temporary, "temporary ")
	f.put(what, " ")
}

func (f *formatter) createTable(s *CreateTable) {
	f.create(s.OrReplace, s.Temporary, "table")
	f.putIf(s.IfNotExists, "if not exists ")
	f.name(s.Name)
	if s.Of != nil {
		f.put(" partition of ")
		f.name(s.Of)
	}
	if elements := f.elements(s); s.Of == nil || len(elements) > 0 {
		f.put(" (")
		f.each(len(elements), func(i int) { elements[i]() })
		f.put(")")
	}
	f.partitionBound(s.Bound)
	f.partitionBy(s.By)
	f.storage(s.Storage, func() { f.onCommit(s.OnCommit) })
}

// elements write the columns and constraints of a table.
func (f *formatter) elements(s *CreateTable) (list []func()) {
	for i := range len(s.Columns) + 1 {
		for _, l := range s.Likes {
			if l.At == i {
				list = append(list, func() { f.likeTable(l) })
			}
		}
		if i < len(s.Columns) {
			list = append(list, func() { f.columnDef(&s.Columns[i]) })
		}
	}
	for i, key := range s.Keys() {
		list = append(list, func() { f.key(key, i == 0 && s.Primary != nil) })
	}
	for i := range s.Checks {
		list = append(list, func() { f.checkDef(&s.Checks[i]) })
	}
	for i := range s.ForeignKeys {
		list = append(list, func() { f.foreignKeyDef(&s.ForeignKeys[i]) })
	}
	return list
}

func (f *formatter) key(key UniqueKey, primary bool) {
	f.constraintName(key.Name)
	f.putIf(primary, "primary key ")
	f.putIf(!primary, "unique ")
	f.idents(key.Columns)
	f.keyStorage(key.Storage)
}

// storage writes what is said of storage, and with what stands before the tablespace.
func (f *formatter) storage(s Storage, between func()) {
	f.putIf(s.Method.Name != "", " using "+quoteName(s.Method.Name))
	f.options(" with (", " = ", s.Options, ")")
	between()
	f.putIf(s.Tablespace.Name != "", " tablespace "+quoteName(s.Tablespace.Name))
}

// keyStorage writes what is said of the storage of the index of a constraint.
func (f *formatter) keyStorage(s Storage) {
	f.options(" with (", " = ", s.Options, ")")
	f.putIf(s.Tablespace.Name != "", " using index tablespace "+quoteName(s.Tablespace.Name))
}

func (f *formatter) likeTable(l LikeTable) {
	f.put("like ")
	f.name(l.Name)
	for _, what := range l.Including {
		f.put(" including ", what)
	}
}

func (f *formatter) onCommit(what string) { f.putIf(what != "", " on commit "+what) }

func (f *formatter) checkDef(c *CheckDef) {
	f.constraintName(c.Name)
	f.put("check (")
	f.expr(c.Expr)
	f.put(")")
	f.putIf(c.NoInherit, " no inherit")
	f.putIf(c.NotValid, " not valid")
}

func (f *formatter) foreignKeyDef(k *ForeignKeyDef) {
	f.constraintName(k.Name)
	f.put("foreign key ")
	f.idents(k.Columns)
	f.put(" ")
	f.references(k)
	f.timing(k.Timing)
	f.putIf(k.NotValid, " not valid")
}

func (f *formatter) timing(t Timing) {
	f.putIf(t.Deferrable, " deferrable")
	f.putIf(t.Deferred, " initially deferred")
}

func (f *formatter) references(k *ForeignKeyDef) {
	f.put("references ")
	f.name(k.Table)
	if k.Referenced != nil {
		f.put(" ")
		f.idents(k.Referenced)
	}
	f.putIf(k.MatchFull, " match full")
	f.put(" on update ", strings.ToLower(k.OnUpdate), " on delete ", strings.ToLower(k.OnDelete))
	if k.SetColumns != nil {
		f.put(" ")
		f.idents(k.SetColumns)
	}
}

func (f *formatter) constraintName(name Ident) {
	if name.Name != "" {
		f.put("constraint ", quoteName(name.Name), " ")
	}
}

func (f *formatter) columnDef(col *ColumnDef) {
	f.put(quoteName(col.Name.Name))
	if col.Type.Name != "" {
		f.put(" ")
		f.typeName(col.Type)
	}
	if col.Default != nil {
		f.put(" default ")
		f.expr(col.Default.Expr)
	}
	if col.Identity != nil {
		f.identity(col.Identity)
	}
	if col.Generated != nil {
		f.put(" generated always as (")
		f.expr(col.Generated.Expr)
		f.put(") stored")
	}
	f.putIf(col.NotNull, " not null")
}

func (f *formatter) createTableAs(s *CreateTableAs) {
	f.create(s.OrReplace, s.Temporary, "table")
	f.putIf(s.IfNotExists, "if not exists ")
	f.name(s.Name)
	f.columns(s.Columns)
	f.storage(s.Storage, func() { f.onCommit(s.OnCommit) })
	f.put(" as ")
	if s.Execute != nil {
		f.execute(s.Execute)
	} else {
		f.query(s.Query)
	}
	f.putIf(s.NoData, " with no data")
}

func (f *formatter) createView(s *CreateView) {
	kind := "view"
	if s.Materialized {
		kind = "materialized view"
	}
	f.create(s.OrReplace, s.Temporary, kind)
	f.putIf(s.IfNotExists, "if not exists ")
	f.name(s.Name)
	f.columns(s.Columns)
	f.storage(s.Storage, func() {})
	f.put(" as ")
	f.query(s.Query)
	f.putIf(s.NoData, " with no data")
}

func (f *formatter) refreshView(s *RefreshView) {
	f.put("refresh materialized view ")
	f.putIf(s.Concurrently, "concurrently ")
	f.name(s.Name)
	f.putIf(s.NoData, " with no data")
}

func (f *formatter) createHierarchy(s *CreateHierarchy) {
	f.create(false, s.Temporary, "hierarchy")
	f.putIf(s.IfNotExists, "if not exists ")
	f.name(s.Name)
	f.put(" from ")
	f.name(s.Edges)
	f.columns(s.Columns)
	if s.On != nil {
		f.put(" on ")
		f.name(s.On)
		f.columns([]Ident{s.ID})
	}
}

func (f *formatter) drop(s *Drop) {
	f.put("drop ", s.Kind, " ")
	f.putIf(s.Concurrently, "concurrently ")
	f.putIf(s.IfExists, "if exists ")
	f.each(len(s.Names), func(i int) { f.name(s.Names[i]) })
	f.putIf(s.Cascade, " cascade")
}

func (f *formatter) copy(s *Copy) {
	f.put("copy ")
	if s.Query != nil {
		f.put("(")
		f.statement(s.Query)
		f.put(")")
	} else {
		f.name(s.Table)
		f.columns(s.Columns)
	}
	word, stream := " to ", "stdout"
	if s.From {
		word, stream = " from ", "stdin"
	}
	f.put(word)
	if s.File == "" {
		f.put(stream)
	} else {
		f.put(quoteString(s.File))
	}
	f.options(" (", " ", s.Options, ")")
	f.clause(" where ", s.Where)
}

// options writes a list of options between two texts, if there are any.
func (f *formatter) options(before, equals string, list []Option, after string) {
	if len(list) == 0 {
		return
	}
	f.put(before)
	f.each(len(list), func(i int) {
		o := list[i]
		f.put(quoteLabel(o.Name))
		switch {
		case o.Bare:
		case o.List != nil:
			f.put(equals, "(")
			f.each(len(o.List), func(i int) { f.put(quoteString(o.List[i])) })
			f.put(")")
		case o.Value == "*" && strings.HasPrefix(o.Name, "force_"):
			f.put(equals, "*")
		default:
			f.put(equals, quoteString(o.Value))
		}
	})
	f.put(after)
}

func (f *formatter) set(s *Set) {
	if s.Default && !s.Local {
		f.put("reset ")
		f.setting(s.Name)
		return
	}
	f.put("set ")
	f.putIf(s.Local, "local ")
	f.setting(s.Name)
	if s.Default {
		f.put(" to default")
		return
	}
	f.put(" to ", quoteString(s.Value))
}

// setting writes a setting's name, whose dot is part of it.
func (f *formatter) setting(name string) {
	if name == "all" {
		f.put(name)
		return
	}
	for i, part := range strings.Split(name, ".") {
		f.putIf(i > 0, ".")
		f.put(quoteName(part))
	}
}

func (f *formatter) setConstraints(s *SetConstraints) {
	f.put("set constraints ")
	f.putIf(s.Names == nil, "all")
	f.each(len(s.Names), func(i int) { f.name(s.Names[i]) })
	f.putIf(s.Deferred, " deferred")
	f.putIf(!s.Deferred, " immediate")
}

func (f *formatter) transaction(s *Transaction) {
	kind := string(s.Kind)
	if s.Start {
		kind = "start transaction"
	}
	f.put(kind)
	if s.Name.Name != "" {
		f.put(" ", quoteName(s.Name.Name))
	}
	for i, m := range s.Modes {
		f.putIf(i > 0, ",")
		f.put(" ", m.Name)
		f.putIf(!m.Bare, " "+m.Value)
	}
	f.putIf(s.Chain, " and chain")
}
