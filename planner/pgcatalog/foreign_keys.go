package pgcatalog

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// referral is a FOREIGN KEY constraint between tables.
type referral struct {
	*ForeignKey
	from, to *Object
	index    *Object // of the other table
}

// referrals are the FOREIGN KEY constraints of all tables.
func (v *View) referrals() (list []referral) {
	var tables []*Object
	byKey, indexes := map[string]*Object{}, map[string]*Object{}
	for i := range v.Objects() {
		switch o := &v.Objects()[i]; {
		case o.parent != nil:
			indexes[o.parent.StoreKey+" "+o.Name] = o
		case len(o.ForeignKeys) > 0:
			tables = append(tables, o)
			fallthrough
		default:
			byKey[o.StoreKey] = o
		}
	}
	for _, o := range tables {
		for i := range o.ForeignKeys {
			k := &o.ForeignKeys[i]
			if r := (referral{k, o, byKey[k.Table], indexes[k.Table+" "+k.Key]}); r.to != nil && r.index != nil {
				list = append(list, r)
			}
		}
	}
	return list
}

// visibleReferrals are those whose tables the session is shown.
func (v *View) visibleReferrals() []referral {
	return slices.DeleteFunc(v.referrals(), func(r referral) bool { return !v.isVisible(r.from) })
}

// actionLetters are what pg_constraint has for what becomes of rows that refer.
var actionLetters = map[string]string{algebra.NoAction: "a", algebra.Restrict: "r", algebra.Cascade: "c", algebra.SetNull: "n", algebra.SetDefault: "d"}

// referralRows are the rows of pg_constraint of FOREIGN KEY constraints.
func (v *View) referralRows() (rows []Row) {
	for _, r := range v.referrals() {
		row := Row{"oid": r.oid, "conname": r.Name, "contype": "f", "conrelid": r.from.oid, "conindid": r.index.oid, "confrelid": r.to.oid,
			"conkey": "{" + keyText(r.Columns, ",") + "}", "confkey": "{" + keyText(r.Referenced, ",") + "}", "confmatchtype": "s",
			"confupdtype": actionLetters[r.OnUpdate], "confdeltype": actionLetters[r.OnDelete], "convalidated": !r.NotValid,
			"condeferrable": r.Deferrable, "condeferred": r.Deferred}
		if r.MatchFull {
			row["confmatchtype"] = "f"
		}
		if r.SetColumns != nil {
			row["confdelsetcols"] = "{" + keyText(r.SetColumns, ",") + "}"
		}
		rows = append(rows, r.from.place(v, row))
	}
	return rows
}

// definition is the constraint as pg_get_constraintdef writes it.
func (r *referral) definition(v *View) string {
	return ForeignKeyText(&r.ForeignKey.ForeignKey, v.written(r.to), r.from.columnName, r.to.columnName)
}

func (o *Object) columnName(column int) string { return o.Columns[column].Name }

// ForeignKeyText is a FOREIGN KEY constraint, without its name, as SQL has it: of columns that own names,
// and those of a table that other names.
func ForeignKeyText(k *algebra.ForeignKey, table string, own, other func(column int) string) string {
	text := "FOREIGN KEY (" + quotedList(k.Columns, own) + ") REFERENCES " + table + "(" + quotedList(k.Referenced, other) + ")"
	if k.MatchFull {
		text += " MATCH FULL"
	}
	if k.OnUpdate != algebra.NoAction {
		text += " ON UPDATE " + k.OnUpdate
	}
	if k.OnDelete != algebra.NoAction {
		text += " ON DELETE " + k.OnDelete
	}
	if k.SetColumns != nil {
		text += " (" + quotedList(k.SetColumns, own) + ")"
	}
	if k.Deferrable {
		text += " DEFERRABLE"
	}
	if k.Deferred {
		text += " INITIALLY DEFERRED"
	}
	if k.NotValid {
		text += " NOT VALID"
	}
	return text
}

// quotedList is a list of the names of columns.
func quotedList(columns []int, name func(column int) string) string {
	names := lists.Map(columns, func(c int) string { return QuoteName(name(c)) })
	return strings.Join(names, ", ")
}

// hasTriggers reports whether PostgreSQL would have triggers of FOREIGN KEY constraints on a table.
func hasTriggers(list []referral, o *Object) bool {
	return slices.ContainsFunc(list, func(r referral) bool { return r.from.oid == o.oid || r.to.oid == o.oid })
}
