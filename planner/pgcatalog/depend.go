package pgcatalog

import (
	"math"
	"slices"
	"strconv"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
)

// The kinds of dependencies of pg_depend.
const (
	dependsNormally   = "n"
	dependsInternally = "i"
)

// ruleOID and defaultOID are the OIDs of what has no name of its own: the rule of a
// view, and the default of a table's column. They lie above those of objects.
func (o *Object) ruleOID() int64 { return o.oid + 1<<31 }

func (o *Object) defaultOID(column int) int64 {
	const columns = 1600 // that a table may have
	return 1<<31 + (o.oid*columns+int64(column))%(1<<31)
}

// defaultRows are the rows of pg_attrdef; adbin is the expression's text.
func defaultRows(v *View) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if o.Table == nil {
			continue
		}
		for n, c := range o.Columns {
			if hasDefault(&c) {
				rows = append(rows, Row{"oid": o.defaultOID(n), "adrelid": o.oid, "adnum": n + 1, "adbin": v.defaultText(c)})
			}
		}
	}
	return rows
}

// defaultText is the default of a column as PostgreSQL writes it: literals have their
// type behind them where they would be read as another one.
func (v *View) defaultText(c planner.CatalogColumn) string {
	switch {
	case c.Sequence != "":
		return v.nextOf(c.Sequence)
	case c.Generated != "":
		return c.Generated
	}
	stmt, err := sql.Parse("SELECT " + c.Default)
	if err != nil {
		return c.Default
	}
	query, ok := stmt.(*sql.Query)
	if !ok {
		return c.Default
	}
	oid, _ := columnOID(&c)
	expr := query.Body.(*sql.Select).Items[0].Expr
	if cast, ok := expr.(*sql.Cast); ok && c.Type.Kind == algebra.Enum { // to it
		expr = cast.X
	}
	switch e := expr.(type) {
	case *sql.Literal:
		switch {
		case e.Kind == sql.StringLiteral:
			return QuoteText(e.Text) + "::" + typeText(v.types(), oid)
		case e.Kind == sql.BoolLiteral:
			return e.Text
		case e.Kind == sql.NullLiteral:
			return "NULL::" + typeText(v.types(), oid)
		}
	case *sql.Unary:
		if number, ok := e.X.(*sql.Literal); ok && e.Op == "-" && number.Kind != sql.StringLiteral {
			return QuoteText("-"+number.Text) + "::" + literalType(number)
		}
	}
	return c.Default
}

// literalType is the type that a number has by itself.
func literalType(number *sql.Literal) string {
	n, err := strconv.ParseInt(number.Text, 10, 64)
	switch {
	case err != nil:
		return "numeric"
	case n > math.MaxInt32:
		return "bigint"
	}
	return "integer"
}

// rewriteRows are the rows of pg_rewrite: the rule of each view.
func rewriteRows(v *View) []Row {
	return v.each("vm", func(o *Object) Row { return Row{"oid": o.ruleOID(), "ev_class": o.oid} })
}

// dependRows are the rows of pg_depend: what views read, and what their rules and the
// constraints of tables belong to.
func dependRows(v *View) []Row {
	var rows []Row
	oids, keys := map[string]int64{}, map[string]int64{}
	for i := range v.Objects() {
		o := &v.Objects()[i]
		switch {
		case o.isConstraint():
			keys[o.parent.StoreKey] = o.oid
		case o.Kind != "i":
			oids[o.StoreKey] = o.oid
		}
	}
	add := func(class string, oid int64, refClass string, ref int64, kind string) {
		rows = append(rows, Row{"classid": systemOIDs[class], "objid": oid, "refclassid": systemOIDs[refClass], "refobjid": ref, "deptype": kind})
	}
	for i := range v.Objects() {
		v.sequenceDepends(&v.Objects()[i], func(row Row) { rows = append(rows, row) })
		switch o := &v.Objects()[i]; {
		case o.hasQuery():
			add("pg_rewrite", o.ruleOID(), "pg_class", o.oid, dependsInternally)
			add("pg_rewrite", o.ruleOID(), "pg_class", o.oid, dependsNormally)
			for _, key := range o.Depends {
				if read := oids[key]; read != 0 {
					add("pg_rewrite", o.ruleOID(), "pg_class", read, dependsNormally)
				}
			}
			if key := keys[o.Keyed]; key != 0 {
				// pg_dump defines such views behind the rows of all tables.
				add("pg_rewrite", o.ruleOID(), "pg_constraint", key, dependsNormally)
			}
		case o.Kind == "i" && !o.isConstraint():
			add("pg_class", o.oid, "pg_class", o.parent.oid, "a")
		case o.Kind == "i":
			add("pg_class", o.oid, "pg_constraint", o.oid, dependsInternally)
			add("pg_constraint", o.oid, "pg_class", o.parent.oid, "a")
		}
	}
	v.eachCheck(func(o *Object, c *Check) { add("pg_constraint", c.oid, "pg_class", o.oid, "a") })
	v.eachDomainDepend(add)
	for _, r := range v.referrals() {
		rows = append(rows, r.dependRows()...)
	}
	return rows
}

// dependRows are the rows of pg_depend: on the columns of both tables, and on the index.
func (r *referral) dependRows() (rows []Row) {
	add := func(on *Object, column int, kind string) {
		rows = append(rows, Row{"classid": systemOIDs["pg_constraint"], "objid": r.oid, "refclassid": systemOIDs["pg_class"],
			"refobjid": on.oid, "refobjsubid": column, "deptype": kind})
	}
	for _, c := range r.Columns {
		add(r.from, c+1, "a")
	}
	for _, c := range r.Referenced {
		add(r.to, c+1, dependsNormally)
	}
	add(r.index, 0, dependsNormally)
	return rows
}

// sequenceDepends adds the rows of pg_depend of a sequence that belongs to a column, and of
// the defaults of a table that take values of sequences.
func (v *View) sequenceDepends(o *Object, add func(Row)) {
	if q := o.Sequence; q != nil {
		if table := v.keyed(q.Owner); table != nil {
			kind := "a"
			if q.Identity != "" {
				kind = dependsInternally
			}
			add(Row{"classid": systemOIDs["pg_class"], "objid": o.oid, "refclassid": systemOIDs["pg_class"], "refobjid": table.oid,
				"refobjsubid": table.ordinal(q.Column) + 1, "deptype": kind})
		}
	}
	if o.Table == nil {
		return
	}
	for n := range o.Columns {
		c := &o.Columns[n]
		if c.Sequence == "" || c.Identity != "" {
			continue
		}
		if q := v.keyed(c.Sequence); q != nil {
			add(Row{"classid": systemOIDs["pg_attrdef"], "objid": o.defaultOID(n), "refclassid": systemOIDs["pg_class"], "refobjid": q.oid, "deptype": dependsNormally})
			add(Row{"classid": systemOIDs["pg_attrdef"], "objid": o.defaultOID(n), "refclassid": systemOIDs["pg_class"], "refobjid": o.oid, "refobjsubid": n + 1, "deptype": "a"})
		}
	}
}

// descriptionRows are the rows of pg_description: the comments.
func descriptionRows(v *View) []Row {
	state := v.Access
	var rows []Row
	add := func(class string, oid int64, column int, text string) {
		if text != "" {
			rows = append(rows, Row{"objoid": oid, "classoid": systemOIDs[class], "objsubid": column, "description": text})
		}
	}
	for _, s := range v.schemas() {
		add("pg_namespace", s.oid, 0, state.Grants(access.SchemaObject(s.name)).Comment)
	}
	for _, t := range v.UserTypes() {
		add("pg_type", int64(t.Of.ID().OID), 0, state.Grants(t.object()).Comment)
	}
	v.eachDomainCheck(func(_ *UserType, oid int64, c *algebra.DomainCheck) { add("pg_constraint", oid, 0, c.Comment) })
	for _, f := range v.madeProcs() {
		add("pg_proc", f.oid, 0, state.Grants(f.object()).Comment)
	}
	for i := range v.Objects() {
		o := &v.Objects()[i]
		o.constraintComments(func(oid int64, text string) { add("pg_constraint", oid, 0, text) })
		if o.Kind == "i" {
			add("pg_class", o.oid, 0, o.key.IndexComment)
			continue
		}
		grants := state.Grants(o.Relation())
		add("pg_class", o.oid, 0, grants.Comment)
		for n, c := range o.Columns {
			add("pg_class", o.oid, n+1, grants.ColumnComments[c.Name])
		}
	}
	return rows
}

// constraintComments calls f with the comments on the constraints of a table, and on that of an index.
func (o *Object) constraintComments(f func(oid int64, text string)) {
	if o.isConstraint() {
		f(o.oid, o.key.Comment)
	}
	for _, c := range o.Checks {
		f(c.oid, c.Comment)
	}
	for _, k := range o.ForeignKeys {
		f(k.oid, k.Comment)
	}
}

// sharedDescriptionRows are the rows of pg_shdescription: the comment on the database.
func sharedDescriptionRows(v *View) []Row {
	text := v.Access.Grants(access.TheDatabase).Comment
	if text == "" {
		return nil
	}
	return []Row{{"objoid": oidDatabase, "classoid": systemOIDs["pg_database"], "description": text}}
}

// eachDomainDepend calls add with what domains and their constraints depend on: other domains, and functions.
func (v *View) eachDomainDepend(add func(class string, oid int64, refClass string, ref int64, kind string)) {
	for _, t := range v.UserTypes() {
		if d := t.domain(); d != nil && d.Over != nil {
			add("pg_type", int64(d.OID), "pg_type", int64(d.Over.OID), dependsNormally)
		}
	}
	v.eachDomainCheck(func(t *UserType, oid int64, c *algebra.DomainCheck) {
		add("pg_constraint", oid, "pg_type", int64(t.Of.ID().OID), "a")
		e, err := sql.ParseExpr(c.Text)
		if err != nil {
			return
		}
		_, called := sql.NamesIn(e)
		for _, f := range v.madeProcs() {
			if slices.ContainsFunc(called, func(n sql.Name) bool { return slices.Equal(n.Parts(), []string{f.schema(), f.name}) }) {
				add("pg_constraint", oid, "pg_proc", f.oid, dependsNormally)
			}
		}
	})
}
