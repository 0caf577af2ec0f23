package cubeloom

import (
	"fmt"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// constraintTables are the relations of information_schema about constraints, and about
// arrays, which are described apart from their columns.
var constraintTables = map[string]sysSpec{
	"table_constraints":       {"constraint_catalog:n constraint_schema:n=public constraint_name:n table_catalog:n table_schema:n=public table_name:n constraint_type:t is_deferrable:t=NO initially_deferred:t=NO enforced:t=YES nulls_distinct:t=YES", informationConstraintRows},
	"key_column_usage":        {"constraint_catalog:n constraint_schema:n=public constraint_name:n table_catalog:n table_schema:n=public table_name:n column_name:n ordinal_position:i position_in_unique_constraint:i", informationKeyRows},
	"referential_constraints": {"constraint_catalog:n constraint_schema:n constraint_name:n unique_constraint_catalog:n unique_constraint_schema:n unique_constraint_name:n match_option:t update_rule:t delete_rule:t", nil},
	"check_constraints":       {"constraint_catalog:n constraint_schema:n=public constraint_name:n check_clause:t", informationCheckRows},
	"constraint_column_usage": {"table_catalog:n table_schema:n=public table_name:n column_name:n constraint_catalog:n constraint_schema:n=public constraint_name:n", constraintColumnRows},
	"constraint_table_usage":  {"table_catalog:n table_schema:n=public table_name:n constraint_catalog:n constraint_schema:n=public constraint_name:n", constraintTableRows},
	"element_types": {`object_catalog:n object_schema:n=public object_name:n object_type:t collection_type_identifier:n data_type:t
		character_maximum_length:i character_octet_length:i collation_catalog:n collation_schema:n collation_name:n numeric_precision:i
		numeric_precision_radix:i numeric_scale:i datetime_precision:i interval_type:t interval_precision:i udt_catalog:n
		udt_schema:n=pg_catalog udt_name:n maximum_cardinality:i dtd_identifier:n`, elementTypeRows},
}

// ownConstraints calls f with the objects whose constraints the session is shown.
func (v *sysView) ownConstraints(f func(o *sysObject)) {
	for i := range v.objects() {
		if o := &v.objects()[i]; v.isVisible(o) {
			f(o)
		}
	}
}

// isVisibleKey reports whether the session is shown the table of a key.
func (v *sysView) isVisibleKey(o *sysObject) bool { return o.parent != nil && v.isVisible(o.parent) }

// constraintRow is a constraint of a table as information_schema names it.
func (v *sysView) constraintRow(table *sysObject, name string) sysRow {
	database := v.database
	return sysRow{"constraint_catalog": database, "constraint_name": name, "table_catalog": database, "table_name": table.name}
}

// notNulls calls f with the constraints that columns are not NULL, which PostgreSQL shows
// as checks.
func (v *sysView) notNulls(o *sysObject, f func(name, column string)) {
	if o.table == nil {
		return
	}
	for i, c := range o.columns {
		if c.NotNull {
			f(fmt.Sprintf("%d_%d_%d_not_null", oidPublic, o.oid, i+1), c.Name)
		}
	}
}

func informationConstraintRows(v *sysView) []sysRow {
	var rows []sysRow
	for i := range v.objects() {
		o := &v.objects()[i]
		if v.isVisibleKey(o) {
			row := v.constraintRow(o.parent, o.name)
			if row["constraint_type"] = "UNIQUE"; o.key.primary {
				row["constraint_type"] = "PRIMARY KEY"
			}
			rows = append(rows, o.place(v, row))
		}
	}
	v.ownConstraints(func(o *sysObject) {
		v.notNulls(o, func(name, _ string) {
			row := v.constraintRow(o, name)
			row["constraint_type"], row["nulls_distinct"] = "CHECK", nil
			rows = append(rows, o.place(v, row))
		})
	})
	return rows
}

func informationCheckRows(v *sysView) []sysRow {
	var rows []sysRow
	v.ownConstraints(func(o *sysObject) {
		v.notNulls(o, func(name, column string) {
			rows = append(rows, o.place(v, sysRow{"constraint_catalog": v.database, "constraint_name": name,
				"check_clause": quoteName(column) + " IS NOT NULL"}))
		})
	})
	return rows
}

func informationKeyRows(v *sysView) []sysRow {
	return v.keyColumnRows(func(o *sysObject, n, column int) sysRow {
		row := v.constraintRow(o.parent, o.name)
		row["column_name"], row["ordinal_position"] = o.parent.columns[column].Name, n+1
		return row
	})
}

func constraintColumnRows(v *sysView) []sysRow {
	return v.keyColumnRows(func(o *sysObject, _, column int) sysRow {
		row := v.constraintRow(o.parent, o.name)
		row["column_name"] = o.parent.columns[column].Name
		return row
	})
}

func constraintTableRows(v *sysView) []sysRow {
	return v.keyColumnRows(func(o *sysObject, n, _ int) sysRow {
		if n > 0 {
			return nil
		}
		return v.constraintRow(o.parent, o.name)
	})
}

// keyColumnRows makes a row of each column of a key, by its number in the key and in the
// table; of those that row gives nil for, none.
func (v *sysView) keyColumnRows(row func(o *sysObject, n, column int) sysRow) []sysRow {
	var rows []sysRow
	for i := range v.objects() {
		o := &v.objects()[i]
		if !v.isVisibleKey(o) {
			continue
		}
		for n, column := range o.key.columns {
			if r := row(o, n, column); r != nil {
				rows = append(rows, o.place(v, r))
			}
		}
	}
	return rows
}

func elementTypeRows(v *sysView) []sysRow {
	var rows []sysRow
	v.ownConstraints(func(o *sysObject) {
		if o.parent != nil {
			return
		}
		for i, c := range o.columns {
			if c.Type.Kind != algebra.Array || !v.isVisibleColumn(o, c.Name) {
				continue
			}
			oid, _ := typeOID(c.Type.Element())
			t := findType(oid)
			row := sysRow{"object_catalog": v.database, "object_name": o.name, "object_type": "TABLE",
				"collection_type_identifier": itoa(i + 1), "data_type": t.sql, "udt_catalog": v.database,
				"udt_name": t.name, "dtd_identifier": "a" + itoa(i+1)}
			if o.temporary() {
				row["object_schema"] = o.schema
			}
			rows = append(rows, row)
		}
	})
	return rows
}
