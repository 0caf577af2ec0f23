package transfer

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// schema is the script that makes schemas, tables, views and their comments.
func (e *exporting) schema() string {
	var out strings.Builder
	out.WriteString("-- Tables and views.\n")
	for _, name := range e.state.Access().Schemas() {
		if name != store.Schema {
			fmt.Fprintf(&out, "\nCREATE SCHEMA %s;\n", pgcatalog.QuoteName(name))
		}
	}
	e.types(&out)
	if len(e.state.AllFunctions()) > 0 {
		out.WriteString("\nSET check_function_bodies = off;\n")
	}
	e.functions(&out, true)
	e.domainDefaults(&out)
	e.domainChecks(&out, true)
	e.sequenceDefinitions(&out)
	for _, t := range e.tables {
		out.WriteString("\n" + e.tableDefinition(t.Table))
		e.comments(&out, t.Table)
	}
	e.partitions(&out)
	e.sequenceOwners(&out)
	e.functions(&out, false)
	for _, v := range e.views {
		if v.Hierarchy != nil {
			out.WriteString("\n" + hierarchyStatement(v) + ";\n")
			e.comments(&out, v)
			continue
		}
		columns := ""
		if len(v.Columns) > 0 {
			columns = " (" + quotedNames(v.Columns) + ")"
		}
		query := exportedName(store.KeyOf(v)) + columns + " AS " + catalog.Qualified(e.Session, e.state, v)
		if t, ok := e.state.Lookup(store.KeyOf(v)).(*store.Table); ok {
			out.WriteString("\nCREATE MATERIALIZED VIEW " + query + "\nWITH NO DATA;\n" + indexStatements(t))
		} else {
			out.WriteString("\nCREATE VIEW " + query + ";\n")
		}
		e.comments(&out, v)
	}
	return out.String()
}

// hierarchyStatement is the CREATE HIERARCHY that makes a hierarchy.
func hierarchyStatement(v *store.View) string {
	def := &v.Hierarchy.HierarchyDef
	columns := []string{def.Child, def.Parent}
	if def.Weight != "" {
		columns = append(columns, def.Weight)
	}
	text := fmt.Sprintf("CREATE HIERARCHY %s FROM %s (%s)", exportedName(store.KeyOf(v)), exportedName(def.Edges), quotedNames(columns))
	if def.On != "" {
		text += fmt.Sprintf(" ON %s (%s)", exportedName(def.On), quotedNames([]string{def.ID}))
	}
	return text
}

// tableDefinition is the CREATE TABLE of a table.
func (e *exporting) tableDefinition(t *store.Table) string {
	var lines []string
	for _, c := range t.Columns() {
		line := pgcatalog.QuoteName(c.Name) + " " + catalog.ColumnTypeName(e.state, &c)
		if text := e.defaultOf(&c); text != "" {
			line += " " + text
		}
		if c.NotNull {
			line += " NOT NULL"
		}
		lines = append(lines, line)
	}
	for _, key := range t.Keys() {
		if key.Index != nil {
			continue
		}
		line := "UNIQUE"
		if key.Primary {
			line = "PRIMARY KEY"
		}
		if key.Name != "" {
			line = "CONSTRAINT " + pgcatalog.QuoteName(key.Name) + " " + line
		}
		lines = append(lines, line+" ("+quotedNames(t.Names(key.Columns))+")")
	}
	for _, check := range t.Checks() {
		if !check.NotValid {
			lines = append(lines, checkDefinition(&check))
		}
	}
	by := ""
	if t.By() != nil {
		by = "\nPARTITION BY " + catalog.KeyDefinition(t)
	}
	return "CREATE TABLE " + exportedName(store.KeyOf(t)) + " (\n    " + strings.Join(lines, ",\n    ") + "\n)" + by + ";\n" + indexStatements(t)
}

// partitions writes the statements that make tables partitions of others.
func (e *exporting) partitions(out *strings.Builder) {
	for _, t := range e.tables {
		if t.Of() != nil {
			parent := e.state.Parent(t.Table)
			fmt.Fprintf(out, "\nALTER TABLE %s ATTACH PARTITION %s %s;\n", exportedName(store.KeyOf(parent)), exportedName(store.KeyOf(t.Table)), catalog.BoundDefinition(parent, &t.Of().Bound))
		}
	}
}

// indexStatements are the CREATE INDEX of all indexes of a table, and what says by which it is to be clustered.
func indexStatements(t *store.Table) string {
	all, marked := "", ""
	for i, key := range t.Keys() {
		if key.Index != nil {
			all += indexStatement(t, &key)
		}
		if key.Clustered {
			marked = fmt.Sprintf("ALTER TABLE %s CLUSTER ON %s;\n", exportedName(store.KeyOf(t)), pgcatalog.QuoteName(catalog.KeyName(t, i)))
		}
	}
	return all + marked
}

// foreignKeys writes the statements that add the FOREIGN KEY constraints of a table.
func (e *exporting) foreignKeys(out *strings.Builder, t *store.Table) {
	for _, k := range t.ForeignKeys() {
		other := e.state.Lookup(k.Table).(*store.Table)
		text := pgcatalog.ForeignKeyText(&k, exportedName(k.Table), columnNamer(t), columnNamer(other))
		fmt.Fprintf(out, "ALTER TABLE %s ADD CONSTRAINT %s %s;\n", exportedName(store.KeyOf(t)), pgcatalog.QuoteName(k.Name), text)
		e.constraintComment(out, t, k.Name, k.Comment)
	}
}

func columnNamer(t *store.Table) func(int) string {
	return func(i int) string { return t.Columns()[i].Name }
}

// indexStatement is the CREATE INDEX of an index.
func indexStatement(t *store.Table, key *store.Key) string {
	unique := ""
	if key.Index.Unique {
		unique = "UNIQUE "
	}
	names := lists.Map(t.Names(key.Columns), pgcatalog.QuoteName)
	return fmt.Sprintf("CREATE %sINDEX %s ON %s USING %s;\n", unique, pgcatalog.QuoteName(key.Name), exportedName(store.KeyOf(t)),
		key.Index.Definition(names, false))
}

// privileges is the script that sets the owners of the objects, and grants what was
// granted.
func (e *exporting) privileges() string {
	g := &granted{state: e.state.Access()}
	g.out.WriteString("-- Owners and privileges. The roles are not part of an export.\n")
	for _, o := range e.state.Objects() {
		if f, ok := o.(*store.Function); ok {
			g.object(store.AccessTo(store.KindFunction, f.Key()), "FUNCTION", "FUNCTION", e.signature(f))
		} else if !store.IsTemporary(store.KeyOf(o)) {
			kind, word := strings.ToUpper(string(store.KindOf(o))), "TABLE"
			if of := store.KindOf(o); of == store.KindSequence || of == store.KindType {
				word = kind
			}
			g.object(store.AccessTo(store.KindOf(o), store.KeyOf(o)), kind, word, exportedName(store.KeyOf(o)))
		}
	}
	for _, o := range g.state.Objects() {
		switch o.Kind {
		case access.Schema:
			g.object(o, "SCHEMA", "SCHEMA", pgcatalog.QuoteName(o.Name))
		case access.Function:
			if e.state.Lookup(o.Name) != nil { // one that CREATE FUNCTION has made
				continue
			}
			g.grants("", "FUNCTION "+pgcatalog.QuoteName(o.Name), access.DefaultACL(o.Kind, access.Bootstrap), g.state.Grants(o).Effective(o.Kind), access.Bootstrap)
		}
	}
	for _, d := range g.state.Defaults() {
		g.defaults(d)
	}
	return g.out.String()
}

// granted writes owners and privileges as statements.
type granted struct {
	state *access.State
	out   strings.Builder
}

// object writes owner, privileges and, of a schema, the comment where they are not those
// of a new database. Of what kind it is has one word for its owner and one for GRANT.
func (g *granted) object(o access.Object, kind, word, name string) {
	now, usual := g.state.Grants(o), access.NewState().Grants(o)
	if now.Owner != usual.Owner || o.Kind == access.Relation || o.Kind == access.Sequence {
		fmt.Fprintf(&g.out, "ALTER %s %s OWNER TO %s;\n", kind, name, g.role(now.Owner))
	}
	if o.Kind == access.Schema && now.Comment != usual.Comment {
		fmt.Fprintf(&g.out, "COMMENT ON SCHEMA %s IS %s;\n", name, pgcatalog.QuoteText(now.Comment))
	}
	base := access.DefaultACL(o.Kind, now.Owner)
	if usual.ACL != nil {
		base = usual.ACL.NewOwner(usual.Owner, now.Owner)
	}
	g.grants("", word+" "+name, base, now.Effective(o.Kind), now.Owner)
	for _, c := range slices.Sorted(maps.Keys(now.Columns)) {
		g.grants(" ("+pgcatalog.QuoteName(c)+")", word+" "+name, nil, now.Columns[c], now.Owner)
	}
}

// grants writes what leads from one list of privileges to another.
func (g *granted) grants(columns, on string, base, acl access.ACL, owner access.OID) {
	for _, item := range base {
		if lost := item.Rights &^ grantedRights(acl, item); lost != 0 {
			fmt.Fprintf(&g.out, "REVOKE %s ON %s FROM %s;\n", privilegeList(lost, columns), on, g.role(item.Grantee))
		}
	}
	for _, item := range acl {
		more := item.Rights &^ grantedRights(base, item) &^ item.Options
		if item.Grantor != owner && more|item.Options != 0 {
			fmt.Fprintf(&g.out, "SET SESSION AUTHORIZATION %s;\n", g.role(item.Grantor))
		}
		if more != 0 {
			fmt.Fprintf(&g.out, "GRANT %s ON %s TO %s;\n", privilegeList(more, columns), on, g.role(item.Grantee))
		}
		if item.Options != 0 {
			fmt.Fprintf(&g.out, "GRANT %s ON %s TO %s WITH GRANT OPTION;\n", privilegeList(item.Options, columns), on, g.role(item.Grantee))
		}
		if item.Grantor != owner && more|item.Options != 0 {
			g.out.WriteString("RESET SESSION AUTHORIZATION;\n")
		}
	}
}

// grantedRights are the privileges that a list has between the roles of an item.
func grantedRights(acl access.ACL, item access.Item) (rights access.Privileges) {
	for _, other := range acl {
		if other.Grantee == item.Grantee && other.Grantor == item.Grantor {
			rights |= other.Rights
		}
	}
	return rights
}

// privilegeList are privileges as GRANT has them, on columns where there are any.
func privilegeList(p access.Privileges, columns string) string {
	var words []string
	p.Each(func(one access.Privileges) { words = append(words, one.Name()+columns) })
	return strings.Join(words, ", ")
}

func (g *granted) role(oid access.OID) string {
	if oid == access.Public {
		return "PUBLIC"
	}
	return pgcatalog.QuoteName(g.state.NameOf(oid))
}

// exportedKinds are the kinds of objects as ALTER DEFAULT PRIVILEGES has them.
var exportedKinds = map[access.Kind]string{
	access.Relation: "TABLES", access.Sequence: "SEQUENCES", access.Function: "FUNCTIONS", access.Type: "TYPES", access.Schema: "SCHEMAS",
}

// defaults writes default privileges.
func (g *granted) defaults(d access.Default) {
	part := &granted{state: g.state}
	base, in := access.DefaultACL(d.Kind, d.Role), ""
	if d.Schema != "" {
		base, in = nil, "IN SCHEMA "+pgcatalog.QuoteName(d.Schema)+" "
	}
	part.grants("", exportedKinds[d.Kind], base, d.ACL, d.Role)
	for line := range strings.Lines(part.out.String()) {
		g.out.WriteString("ALTER DEFAULT PRIVILEGES FOR ROLE " + g.role(d.Role) + " " + in + line)
	}
}
