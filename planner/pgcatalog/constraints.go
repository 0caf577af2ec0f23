package pgcatalog

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// constraintTables are the relations of information_schema about constraints, and about
// arrays, which are described apart from their columns.
var constraintTables = map[string]tableSpec{
	"table_constraints":       {"constraint_catalog:n constraint_schema:n=public constraint_name:n table_catalog:n table_schema:n=public table_name:n constraint_type:t is_deferrable:t=NO initially_deferred:t=NO enforced:t=YES nulls_distinct:t=YES", informationConstraintRows},
	"key_column_usage":        {"constraint_catalog:n constraint_schema:n=public constraint_name:n table_catalog:n table_schema:n=public table_name:n column_name:n ordinal_position:i position_in_unique_constraint:i", informationKeyRows},
	"referential_constraints": {"constraint_catalog:n constraint_schema:n=public constraint_name:n unique_constraint_catalog:n unique_constraint_schema:n unique_constraint_name:n match_option:t update_rule:t delete_rule:t", referentialRows},
	"check_constraints":       {"constraint_catalog:n constraint_schema:n=public constraint_name:n check_clause:t", informationCheckRows},
	"constraint_column_usage": {"table_catalog:n table_schema:n=public table_name:n column_name:n constraint_catalog:n constraint_schema:n=public constraint_name:n", constraintColumnRows},
	"constraint_table_usage":  {"table_catalog:n table_schema:n=public table_name:n constraint_catalog:n constraint_schema:n=public constraint_name:n", constraintTableRows},
	"domain_constraints":      {"constraint_catalog:n constraint_schema:n constraint_name:n domain_catalog:n domain_schema:n domain_name:n is_deferrable:t=NO initially_deferred:t=NO", domainConstraintRows},
	"domains": {`domain_catalog:n domain_schema:n domain_name:n data_type:t character_maximum_length:i character_octet_length:i
		character_set_catalog:n character_set_schema:n character_set_name:n collation_catalog:n collation_schema:n
		collation_name:n numeric_precision:i numeric_precision_radix:i numeric_scale:i datetime_precision:i
		interval_type:t interval_precision:i domain_default:t udt_catalog:n udt_schema:n=pg_catalog udt_name:n scope_catalog:n
		scope_schema:n scope_name:n maximum_cardinality:i dtd_identifier:n`, domainRows},
	"element_types": {`object_catalog:n object_schema:n=public object_name:n object_type:t collection_type_identifier:n data_type:t
		character_maximum_length:i character_octet_length:i collation_catalog:n collation_schema:n collation_name:n numeric_precision:i
		numeric_precision_radix:i numeric_scale:i datetime_precision:i interval_type:t interval_precision:i udt_catalog:n
		udt_schema:n=pg_catalog udt_name:n maximum_cardinality:i dtd_identifier:n`, elementTypeRows},
}

// ownConstraints calls f with the objects whose constraints the session is shown.
func (v *View) ownConstraints(f func(o *Object)) {
	for i := range v.Objects() {
		if o := &v.Objects()[i]; v.isVisible(o) {
			f(o)
		}
	}
}

// isVisibleKey reports whether an object is a constraint that the session is shown.
func (v *View) isVisibleKey(o *Object) bool { return o.isConstraint() && v.isVisible(o.parent) }

// constraintRow is a constraint of a table as information_schema names it.
func (v *View) constraintRow(table *Object, name string) Row {
	database := v.Database
	return Row{"constraint_catalog": database, "constraint_name": name, "table_catalog": database, "table_name": table.Name}
}

// notNulls calls f with the constraints that columns are not NULL, which PostgreSQL shows
// as checks.
func (v *View) notNulls(o *Object, f func(name, column string)) {
	if o.Table == nil {
		return
	}
	for i, c := range o.Columns {
		if c.NotNull {
			f(fmt.Sprintf("%d_%d_%d_not_null", v.schemaOID(o.Schema), o.oid, i+1), c.Name)
		}
	}
}

func informationConstraintRows(v *View) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if v.isVisibleKey(o) {
			row := v.constraintRow(o.parent, o.Name)
			if row["constraint_type"] = "UNIQUE"; o.key.Primary {
				row["constraint_type"], row["nulls_distinct"] = "PRIMARY KEY", nil
			}
			rows = append(rows, o.place(v, row))
		}
	}
	v.ownConstraints(func(o *Object) {
		v.notNulls(o, func(name, _ string) {
			row := v.constraintRow(o, name)
			row["constraint_type"], row["nulls_distinct"] = "CHECK", nil
			rows = append(rows, o.place(v, row))
		})
	})
	v.informationChecks(func(o *Object, c *Check) {
		row := v.constraintRow(o, c.Name)
		row["constraint_type"], row["nulls_distinct"] = "CHECK", nil
		rows = append(rows, o.place(v, row))
	})
	for _, r := range v.visibleReferrals() {
		row := v.constraintRow(r.from, r.Name)
		row["constraint_type"], row["nulls_distinct"] = "FOREIGN KEY", nil
		row["is_deferrable"], row["initially_deferred"] = yesNo(r.Deferrable), yesNo(r.Deferred)
		rows = append(rows, r.from.place(v, row))
	}
	return rows
}

func informationCheckRows(v *View) []Row {
	var rows []Row
	v.ownConstraints(func(o *Object) {
		v.notNulls(o, func(name, column string) {
			rows = append(rows, o.place(v, Row{"constraint_catalog": v.Database, "constraint_name": name,
				"check_clause": QuoteName(column) + " IS NOT NULL"}))
		})
	})
	v.informationChecks(func(o *Object, c *Check) {
		rows = append(rows, o.place(v, Row{"constraint_catalog": v.Database, "constraint_name": c.Name, "check_clause": "(" + c.clause() + ")"}))
	})
	return rows
}

func informationKeyRows(v *View) []Row {
	rows := v.keyColumnRows(func(o *Object, n, column int) Row {
		row := v.constraintRow(o.parent, o.Name)
		row["column_name"], row["ordinal_position"] = o.parent.Columns[column].Name, n+1
		return row
	})
	return append(rows, v.referralColumnRows()...)
}

func constraintColumnRows(v *View) []Row {
	rows := v.keyColumnRows(func(o *Object, _, column int) Row {
		row := v.constraintRow(o.parent, o.Name)
		row["column_name"] = o.parent.Columns[column].Name
		return row
	})
	v.informationChecks(func(o *Object, c *Check) {
		for _, column := range c.Columns {
			row := v.constraintRow(o, c.Name)
			row["column_name"] = o.Columns[column].Name
			rows = append(rows, o.place(v, row))
		}
	})
	return append(rows, v.referredRows(true, func(row Row, column string) { row["column_name"] = column })...)
}

func constraintTableRows(v *View) []Row {
	rows := v.keyColumnRows(func(o *Object, n, _ int) Row {
		if n > 0 {
			return nil
		}
		return v.constraintRow(o.parent, o.Name)
	})
	return append(rows, v.referredRows(false, func(Row, string) {})...)
}

// keyColumnRows makes a row of each column of a key, by its number in the key and in the
// table; of those that row returns nil for, none.
func (v *View) keyColumnRows(row func(o *Object, n, column int) Row) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if !v.isVisibleKey(o) {
			continue
		}
		for n, column := range o.key.Columns {
			if r := row(o, n, column); r != nil {
				rows = append(rows, o.place(v, r))
			}
		}
	}
	return rows
}

// referentialRows are the rows of information_schema.referential_constraints.
func referentialRows(v *View) (rows []Row) {
	for _, r := range v.visibleReferrals() {
		row := r.from.place(v, Row{"constraint_catalog": v.Database, "constraint_name": r.Name, "match_option": "NONE",
			"update_rule": r.OnUpdate, "delete_rule": r.OnDelete})
		if r.MatchFull {
			row["match_option"] = "FULL"
		}
		if r.index.isConstraint() {
			row["unique_constraint_catalog"], row["unique_constraint_schema"], row["unique_constraint_name"] = v.Database, r.to.Schema, r.Key
		}
		rows = append(rows, row)
	}
	return rows
}

// referralColumnRows are the rows of information_schema.key_column_usage of FOREIGN KEY constraints.
func (v *View) referralColumnRows() (rows []Row) {
	for _, r := range v.visibleReferrals() {
		for n, c := range r.Columns {
			row := v.constraintRow(r.from, r.Name)
			row["column_name"], row["ordinal_position"] = r.from.Columns[c].Name, n+1
			row["position_in_unique_constraint"] = slices.Index(r.index.key.Columns, r.Referenced[n]) + 1
			rows = append(rows, r.from.place(v, row))
		}
	}
	return rows
}

// referredRows are rows about the tables that FOREIGN KEY constraints refer to, with what add says of a
// column by its number: all of them, or the first.
func (v *View) referredRows(all bool, add func(row Row, column string)) (rows []Row) {
	for _, r := range v.referrals() {
		for n, c := range r.Referenced {
			if !v.isVisible(r.to) || n > 0 && !all {
				continue
			}
			row := r.from.place(v, v.constraintRow(r.to, r.Name))
			row["table_schema"] = r.to.Schema
			add(row, r.to.Columns[c].Name)
			rows = append(rows, row)
		}
	}
	return rows
}

func elementTypeRows(v *View) []Row {
	var rows []Row
	v.ownConstraints(func(o *Object) {
		if o.parent != nil {
			return
		}
		for i, c := range o.Columns {
			if c.Type.Kind != algebra.Array || !v.isVisibleColumn(o, c.Name) {
				continue
			}
			oid, _ := TypeOID(c.Type.Element())
			t := findType(v.types(), oid)
			row := Row{"object_catalog": v.Database, "object_name": o.Name, "object_type": "TABLE",
				"collection_type_identifier": itoa(i + 1), "data_type": t.informationName(), "udt_catalog": v.Database,
				"udt_name": t.name, "dtd_identifier": "a" + itoa(i+1)}
			t.addSchema(row)
			rows = append(rows, o.place(v, row))
		}
	})
	return rows
}
