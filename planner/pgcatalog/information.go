package pgcatalog

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// informationTables are the relations of information_schema.
var informationTables = map[string]tableSpec{
	"schemata": {"catalog_name:n schema_name:n schema_owner:n default_character_set_catalog:n default_character_set_schema:n default_character_set_name:n sql_path:t", schemataRows},
	"tables": {`table_catalog:n table_schema:n=public table_name:n table_type:t self_referencing_column_name:n
		reference_generation:t user_defined_type_catalog:n user_defined_type_schema:n user_defined_type_name:n
		is_insertable_into:t=YES is_typed:t=NO commit_action:t`, informationTableRows},
	"columns": {`table_catalog:n table_schema:n=public table_name:n column_name:n ordinal_position:i column_default:t
		is_nullable:t data_type:t character_maximum_length:i character_octet_length:i numeric_precision:i
		numeric_precision_radix:i numeric_scale:i datetime_precision:i interval_type:t interval_precision:i
		character_set_catalog:n character_set_schema:n character_set_name:n collation_catalog:n collation_schema:n collation_name:n domain_catalog:n domain_schema:n domain_name:n
		udt_catalog:n udt_schema:n=pg_catalog udt_name:n scope_catalog:n scope_schema:n scope_name:n maximum_cardinality:i
		dtd_identifier:n is_self_referencing:t=NO is_identity:t=NO identity_generation:t identity_start:t identity_increment:t identity_maximum:t
		identity_minimum:t identity_cycle:t=NO is_generated:t=NEVER generation_expression:t is_updatable:t=NO`, informationColumnRows},
	"views":    {"table_catalog:n table_schema:n=public table_name:n view_definition:t check_option:t=NONE is_updatable:t=NO is_insertable_into:t=NO", informationViewRows},
	"routines": {"specific_catalog:n specific_schema:n specific_name:n routine_catalog:n routine_schema:n routine_name:n routine_type:t=FUNCTION data_type:t", routineRows},
	"sequences": {`sequence_catalog:n sequence_schema:n=public sequence_name:n data_type:t numeric_precision:i numeric_precision_radix:i numeric_scale:i
		start_value:t minimum_value:t maximum_value:t increment:t cycle_option:t`, informationSequenceRows},
}

func informationTableRows(v *View) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if !v.isVisible(o) {
			continue
		}
		row := Row{"table_catalog": v.Database, "table_name": o.Name}
		switch o.Kind {
		case "r", "p":
			row["table_type"] = "BASE TABLE"
		case "v":
			row["table_type"], row["is_insertable_into"] = "VIEW", "NO"
		default:
			continue
		}
		rows = append(rows, o.place(v, row))
	}
	return rows
}

// integerBits are the widths of the integer and floating types.
var integerBits = map[algebra.Kind]int{algebra.Int16: 16, algebra.Int32: 32, algebra.Int64: 64, algebra.Float64: 53, algebra.Float32: 24}

func informationColumnRows(v *View) []Row {
	var rows []Row
	for n := range v.Objects() {
		o := &v.Objects()[n]
		if o.Kind == "i" || o.Kind == "S" || o.Kind == "m" {
			continue
		}
		for i, c := range o.Columns {
			if !v.isVisibleColumn(o, c.Name) {
				continue
			}
			oid, _ := TypeOID(c.Type)
			t := findType(v.types(), oid)
			row := Row{"table_catalog": v.Database, "table_name": o.Name, "column_name": c.Name,
				"ordinal_position": i + 1, "is_nullable": yesNo(!c.NotNull), "data_type": t.informationName(),
				"udt_catalog": v.Database, "udt_name": t.name, "dtd_identifier": itoa(i + 1), "is_updatable": yesNo(o.Kind == "r" || o.Kind == "p")}
			if hasDefault(&c) && v.isEnabled(v.Access.Grants(o.Relation()).Owner) {
				row[defaultColumn(&c)] = v.defaultText(c)
			}
			if c.Generated != "" {
				row["is_generated"] = "ALWAYS"
			}
			v.addIdentity(row, &c)
			describeColumnType(row, c.Type)
			t.addSchema(row)
			addDomain(v, row, c.Domain)
			v.took(len(row))
			rows = append(rows, o.place(v, row))
		}
	}
	return rows
}

// defaultColumn is where information_schema.columns has the default of a column.
func defaultColumn(c *planner.CatalogColumn) string {
	if c.Generated != "" {
		return "generation_expression"
	}
	return "column_default"
}

// describeColumnType adds what information_schema.columns says of a type.
func describeColumnType(row Row, t algebra.Type) {
	switch t.Kind {
	case algebra.Text:
		row["character_octet_length"] = 1 << 30
		if t.Length > 0 {
			row["character_maximum_length"] = int(t.Length)
			row["character_octet_length"] = 4 * int(t.Length)
		}
	case algebra.Decimal:
		row["numeric_precision"], row["numeric_precision_radix"], row["numeric_scale"] = int(t.Precision), 10, int(t.Scale)
	case algebra.Numeric:
		row["numeric_precision_radix"] = 10
	case algebra.Date:
		row["datetime_precision"] = 0
	case algebra.Timestamp, algebra.TimestampTZ, algebra.Time, algebra.Interval:
		digits, fields := t.TimeModifier()
		if row["datetime_precision"] = digits; digits < 0 {
			row["datetime_precision"] = algebra.MaxSecondDigits
		}
		if fields != "" {
			row["interval_type"] = strings.ToUpper(strings.TrimPrefix(t.String(), "interval "))
		}
	case algebra.Float64, algebra.Float32:
		row["numeric_precision"], row["numeric_precision_radix"] = integerBits[t.Kind], 2
	case algebra.Int16, algebra.Int32, algebra.Int64:
		row["numeric_precision"], row["numeric_precision_radix"], row["numeric_scale"] = integerBits[t.Kind], 2, 0
	}
}

func informationViewRows(v *View) []Row {
	return v.each("v", func(o *Object) Row {
		return Row{"table_catalog": v.Database, "table_name": o.Name, "view_definition": o.Definition}
	})
}

// informationSequenceRows are the sequences, but for those of identity columns.
func informationSequenceRows(v *View) []Row {
	var rows []Row
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if o.Kind != "S" || o.Sequence.Identity != "" || !v.isEnabled(v.Access.Grants(o.Relation()).Owner) {
			continue
		}
		q := o.Sequence
		row := Row{"sequence_catalog": v.Database, "sequence_name": o.Name, "data_type": q.Type.String(),
			"numeric_precision": integerBits[q.Type.Kind], "numeric_precision_radix": 2, "numeric_scale": 0, "start_value": itoa(int(q.Start)),
			"minimum_value": itoa(int(q.Min)), "maximum_value": itoa(int(q.Max)), "increment": itoa(int(q.Increment)), "cycle_option": yesNo(q.Cycle)}
		rows = append(rows, o.place(v, row))
	}
	return rows
}
