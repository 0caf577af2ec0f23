package define

import (
	"context"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/session/write"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// createPartition runs CREATE TABLE … PARTITION OF.
func createPartition(ctx context.Context, s *session.Session, key string, stmt *sql.CreateTable) *result.Result {
	of := sqlstate.Must(s.TargetName(stmt.Of))
	s.Change("CREATE TABLE", func(tx *store.Tx) {
		parent := partitioned(ctx, tx, of, stmt.Of)
		alikeTemporary(of, key, "create")
		sqlstate.Check(catalog.MustOwn(s, of))
		checkOwn(parent, stmt)
		b := &bounding{s: s, parent: parent, name: store.NameOf(key), stmt: stmt.Bound, others: tx.State().Partitions(parent)}
		def := store.Definition{
			Schema: store.SchemaOf(key), Name: store.NameOf(key), Columns: partitionColumns(s, parent, stmt), OnCommit: store.OnCommit(stmt.OnCommit),
			Of: &store.PartitionOf{Parent: of, Bound: b.read()},
		}
		table := sqlstate.Must(store.NewTable(def))
		table = withOwn(s, table.WithBy(partitioning(s, table, stmt.By)), stmt)
		notInDefault(ctx, s, tx, parent, &def.Of.Bound)
		createRelation(ctx, s, tx, table, false)
		tx.Update(inheriting(tx.State(), parent, table))
	})
	return &result.Result{Tag: "CREATE TABLE"}
}

// checkOwn refuses what a partition cannot have of its own.
func checkOwn(parent *store.Table, stmt *sql.CreateTable) {
	switch {
	case len(stmt.ForeignKeys) > 0:
		panic(errOwnReferences())
	case slices.ContainsFunc(stmt.Columns, func(c sql.ColumnDef) bool { return c.Identity != nil }):
		panic(value.Errorf(value.CodeFeatureNotSupported, "identity columns are not supported on partitions"))
	case slices.ContainsFunc(stmt.Columns, func(c sql.ColumnDef) bool { return c.Generated != nil }):
		panic(value.Errorf(value.CodeFeatureNotSupported, "generated columns of a single partition are not supported"))
	case store.OnCommit(stmt.OnCommit) != parent.OnCommit():
		panic(value.Errorf(value.CodeFeatureNotSupported, "ON COMMIT of a partition that differs from that of the table is not supported"))
	}
}

// errOwnReferences is the error of a FOREIGN KEY constraint that only a partition is to have.
func errOwnReferences() error {
	return value.Errorf(value.CodeFeatureNotSupported, "foreign keys of a single partition are not supported")
}

// partitioned is a table that is to have another partition, locked.
func partitioned(ctx context.Context, tx *store.Tx, key string, name sql.Name) *store.Table {
	sqlstate.Check(tx.LockToDefine(ctx, key))
	o := tx.State().Lookup(key)
	parent, ok := o.(*store.Table)
	switch {
	case o == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name.Dotted()))
	case !ok || parent.By() == nil:
		panic(value.Errorf(value.CodeInvalidObjectDefinition, "%q is not partitioned", store.NameOf(key)))
	}
	sqlstate.Must(tx.LockRows(ctx, key))
	return parent
}

// partitionColumns are the columns of a new partition: those of the parent, with what the statement says of them.
func partitionColumns(s *session.Session, parent *store.Table, stmt *sql.CreateTable) []store.Column {
	columns := slices.Clone(parent.Columns())
	seen := map[string]bool{}
	for i := range stmt.Columns {
		def := &stmt.Columns[i]
		at := parent.Ordinal(def.Name.Name)
		switch {
		case at < 0:
			panic(value.Errorf(value.CodeUndefinedColumn, "column %q does not exist", def.Name.Name))
		case seen[def.Name.Name]:
			panic(value.Errorf(value.CodeDuplicateColumn, "column %q specified more than once", def.Name.Name))
		}
		seen[def.Name.Name] = true
		c := &columns[at]
		own := storedColumn(s, def, planner.CatalogColumn{Name: c.Name, Type: c.Type, NotNull: def.NotNull})
		if c.NotNull = c.NotNull || own.NotNull; def.Default != nil {
			c.Default = own.Default
		}
	}
	return columns
}

// withOwn is a partition with the keys and CHECK constraints that the statement declares.
func withOwn(s *session.Session, table *store.Table, stmt *sql.CreateTable) *store.Table {
	columns, keys := slices.Clone(table.Columns()), tableKeys(stmt, table.Ordinal)
	for n := range keys {
		if at := slices.Index(keys[n].Columns, -1); at >= 0 {
			declared := stmt.Keys()[n]
			panic(value.ErrorAt(int(declared.Pos), value.CodeUndefinedColumn, "column %q named in key does not exist", declared.Columns[at].Name))
		}
		for _, i := range keys[n].Columns {
			columns[i].NotNull = columns[i].NotNull || keys[n].Primary
		}
	}
	return withChecks(s, table.Rekeyed(columns, keys), valid(stmt.Checks))
}

// inheriting is a partition with the keys and constraints of its parent before its own ones. A key of its own
// that is the same is the inherited one.
func inheriting(state *store.State, parent, p *store.Table) *store.Table {
	columns := slices.Clone(p.Columns())
	for i := range columns {
		columns[i].NotNull = columns[i].NotNull || parent.Columns()[i].NotNull
		if catalog.IdentityOf(state, &columns[i]) != "" {
			columns[i].Default = "" // only the table itself has values of it
		}
	}
	return p.Rekeyed(columns, inheritedKeys(state, parent, p)).Rechecked(inheritedChecks(parent, p))
}

// inheritedKeys are the keys of a partition: those of its parent, and then its own.
func inheritedKeys(state *store.State, parent, p *store.Table) (keys []store.Key) {
	had := slices.Clone(p.Keys())
	for _, key := range parent.Keys() {
		name := ""
		key.Comment, key.IndexComment, key.Clustered = "", "", false
		if at := slices.IndexFunc(had, func(k store.Key) bool { return k.Same(&key) }); at >= 0 {
			name, key.Comment, key.IndexComment = had[at].Name, had[at].Comment, had[at].IndexComment
			had = slices.Delete(had, at, at+1)
		} else if key.Index != nil {
			words := catalog.WordsOf(parent, &key)
			taken := func(name string) bool {
				return catalog.IsTaken(state, store.KeyIn(p.Schema(), name)) || slices.ContainsFunc(keys, func(k store.Key) bool { return k.Name == name })
			}
			name = catalog.NameOfColumns(p, words, "_idx", taken)
		}
		checkPartitionedKey(p, &key)
		key.Name, key.Inherited = name, true
		keys = append(keys, key)
	}
	own := slices.DeleteFunc(had, func(k store.Key) bool { return k.Inherited })
	if isPrimary := func(k store.Key) bool { return k.Primary }; slices.ContainsFunc(keys, isPrimary) && slices.ContainsFunc(own, isPrimary) {
		panic(value.Errorf(value.CodeInvalidTable, "multiple primary keys for table %q are not allowed", p.Name()))
	}
	return append(keys, own...)
}

// inheritedChecks are the CHECK constraints of a partition: those of its parent, and then its own.
func inheritedChecks(parent, p *store.Table) []store.Check {
	checks := lists.Map(parent.Checks(), func(c store.Check) store.Check {
		c.Inherited, c.Comment = true, ""
		if at := findCheck(p, c.Name); at >= 0 {
			c.Comment = p.Checks()[at].Comment
		}
		return c
	})
	for _, c := range p.Checks() {
		if !c.Inherited && !slices.ContainsFunc(checks, func(other store.Check) bool { return other.Name == c.Name }) {
			checks = append(checks, c)
		}
	}
	return checks
}

// notInDefault fails where the default partition of a table has a row that is within the bound of a new one.
func notInDefault(ctx context.Context, s *session.Session, tx *store.Tx, parent *store.Table, bound *algebra.PartitionBound) {
	p := catalog.DefaultPartition(tx.State(), parent)
	if p == nil || bound.Default {
		return
	}
	if write.AnyRow(ctx, s, tx.State(), p, catalog.WithinBound(tx.State(), parent, bound)) {
		e := value.Errorf(value.CodeCheckViolation, "updated partition constraint for default partition %q would be violated by some row", p.Name())
		e.Object = value.Object{Schema: p.Schema(), Table: p.Name()}
		panic(e)
	}
}

// follow has the partitions of a table follow what an action of ALTER TABLE has changed of it.
func (a *alteration) follow(before, after *store.Table) {
	for _, p := range a.tx.State().Partitions(after) {
		next := a.followed(before, after, p)
		a.tx.Update(next)
		a.follow(p, next)
	}
}

// followed is a partition that has followed what was changed of its parent.
func (a *alteration) followed(before, after, p *store.Table) *store.Table {
	from := positionsBefore(before, after)
	columns := make([]store.Column, len(from))
	for i, at := range from {
		c := after.Columns()[i]
		if at >= 0 {
			if old := before.Columns()[at].Name; old != c.Name {
				p = withColumnNamed(p, at, c.Name)
			}
			own, old := p.Columns()[at], before.Columns()[at]
			if c.Default == old.Default {
				c.Default = own.Default
			}
			if c.NotNull == old.NotNull {
				c.NotNull = own.NotNull
			}
		}
		columns[i] = c
	}
	next := sqlstate.Must(p.Rearranged(columns, from))
	return inheriting(a.tx.State(), after, next)
}

// positionsBefore are the positions that the columns of a table had before one was added behind them, or
// dropped; -1 for the new one.
func positionsBefore(before, after *store.Table) []int {
	from := lists.Upto[int](len(after.Columns()))
	switch had, has := before.Columns(), after.Columns(); {
	case len(has) > len(had):
		from[len(had)] = -1
	case len(has) < len(had):
		gone := 0
		for gone < len(has) && had[gone].Name == has[gone].Name {
			gone++
		}
		for i := gone; i < len(from); i++ {
			from[i]++
		}
	}
	return from
}

// refuseOnPartition fails for what ALTER TABLE does to a partitioned table or a partition, and must not.
func (a *alteration) refuseOnPartition(table *store.Table, action sql.AlterAction) {
	if table.By() != nil {
		a.refusePartitionKey(table, action)
		a.refuseOnly(table, action)
	}
	if table.Of() == nil {
		return
	}
	parent := a.tx.State().Parent(table)
	inherited := func(format, name string) {
		panic(value.Errorf(value.CodeInvalidTable, format, name))
	}
	switch action := action.(type) {
	case *sql.AddColumn:
		panic(value.Errorf(value.CodeWrongObjectType, "cannot add column to a partition"))
	case *sql.DropColumn:
		inherited("cannot drop inherited column %q", action.Name.Name)
	case *sql.RenameColumn:
		inherited("cannot rename inherited column %q", action.From.Name)
	case *sql.AddForeignKey:
		panic(errOwnReferences())
	case *sql.AlterColumn:
		i := table.Ordinal(action.Name.Name)
		switch {
		case action.Type != nil:
			inherited("cannot alter inherited column %q", action.Name.Name)
		case action.DropNotNull && i >= 0 && parent.Columns()[i].NotNull:
			inherited("column %q is marked NOT NULL in parent table", action.Name.Name)
		}
	case *sql.DropConstraint:
		i, n := findKey(table, action.Name.Name), findCheck(table, action.Name.Name)
		if i >= 0 && table.Keys()[i].Inherited || n >= 0 && table.Checks()[n].Inherited {
			panic(value.Errorf(value.CodeInvalidTable, "cannot drop inherited constraint %q of relation %q", action.Name.Name, a.name))
		}
	case *sql.RenameConstraint:
		if n := findCheck(table, action.From.Name); n >= 0 && table.Checks()[n].Inherited {
			inherited("cannot rename inherited constraint %q", action.From.Name)
		}
	}
}

// refuseOnly fails for what is not to be done to a partitioned table without its partitions.
func (a *alteration) refuseOnly(table *store.Table, action sql.AlterAction) {
	if check, ok := action.(*sql.AddCheck); ok && check.Check.NoInherit {
		panic(value.Errorf(value.CodeInvalidTable, "cannot add NO INHERIT constraint to partitioned table %q", a.name))
	}
	if !a.only || len(a.tx.State().Partitions(table)) == 0 {
		return
	}
	var e *value.Error
	switch action := action.(type) {
	case *sql.AddColumn:
		e = value.Errorf(value.CodeInvalidTable, "column must be added to child tables too")
	case *sql.DropColumn:
		e = notOnly("cannot drop column from only the partitioned table when partitions exist")
	case *sql.RenameColumn:
		e = value.Errorf(value.CodeInvalidTable, "inherited column %q must be renamed in child tables too", action.From.Name)
	case *sql.AddCheck:
		e = value.Errorf(value.CodeInvalidTable, "constraint must be added to child tables too")
	case *sql.AlterColumn:
		switch {
		case action.Type != nil:
			e = value.Errorf(value.CodeInvalidTable, "type of inherited column %q must be changed in child tables too", action.Name.Name)
		case action.SetNotNull:
			e = a.nullsLeft(table, action.Name.Name)
		case action.DropNotNull:
			e = notOnly(constraintOfOnly)
		}
	case *sql.DropConstraint:
		e = notOnly(constraintOfOnly)
	}
	if e != nil {
		panic(e)
	}
}

const constraintOfOnly = "cannot remove constraint from only the partitioned table when partitions exist"

// notOnly is the error of what ONLY keeps from being done.
func notOnly(message string) *value.Error {
	e := value.Errorf(value.CodeInvalidTable, "%s", message)
	e.Hint = "Do not specify the ONLY keyword."
	return e
}

// nullsLeft is the error of SET NOT NULL of a partitioned table alone, a partition of which takes NULL in the column;
// nil where none does.
func (a *alteration) nullsLeft(table *store.Table, column string) *value.Error {
	for _, p := range a.tx.State().Partitions(table) {
		if i := p.Ordinal(column); i >= 0 && !p.Columns()[i].NotNull {
			e := notOnly("constraint must be added to child tables too")
			e.Detail = fmt.Sprintf("Column %q of relation %q is not already NOT NULL.", column, p.Name())
			return e
		}
	}
	return nil
}

// refusePartitionKey fails where a column is to be dropped, or to get another type, by which a table is partitioned.
func (a *alteration) refusePartitionKey(table *store.Table, action sql.AlterAction) {
	verb, name := "", ""
	switch action := action.(type) {
	case *sql.DropColumn:
		verb, name = "drop", action.Name.Name
	case *sql.AlterColumn:
		if verb, name = "alter", action.Name.Name; action.Type == nil {
			return
		}
	default:
		return
	}
	for _, t := range append([]*store.Table{table}, a.tx.State().Below(table)...) {
		if t.By() == nil {
			continue
		}
		for _, key := range t.By().Keys {
			if i := table.Ordinal(name); i >= 0 && slices.Contains(key.Columns, i) {
				text := "cannot %s column %q because it is part of the partition key of relation %q"
				if !key.Is {
					text = "cannot %s column %q because it is referenced in the partition key expression of relation %q"
				}
				panic(value.Errorf(value.CodeInvalidTable, "%s", fmt.Sprintf(text, verb, name, t.Name())))
			}
		}
	}
}
