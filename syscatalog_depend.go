package cubeloom

import (
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/access"
)

// The kinds of dependencies of pg_depend.
const (
	dependsNormally   = "n"
	dependsInternally = "i"
)

// ruleOID and defaultOID are the OIDs of what has no name of its own: the rule of a
// view, and the default of a table's column. They lie above those of objects.
func (o *sysObject) ruleOID() int64 { return o.oid + 1<<31 }

func (o *sysObject) defaultOID(column int) int64 {
	const columns = 1600 // that a table may have
	return 1<<31 + (o.oid*columns+int64(column))%(1<<31)
}

// defaultRows are the rows of pg_attrdef; adbin is the expression's text.
func defaultRows(v *sysView) []sysRow {
	var rows []sysRow
	for i := range v.objects {
		o := &v.objects[i]
		if o.table == nil {
			continue
		}
		for n, c := range o.columns {
			if c.Default != "" {
				rows = append(rows, sysRow{"oid": o.defaultOID(n), "adrelid": o.oid, "adnum": n + 1, "adbin": c.Default})
			}
		}
	}
	return rows
}

// rewriteRows are the rows of pg_rewrite: the rule of each view.
func rewriteRows(v *sysView) []sysRow {
	return v.each("v", func(o *sysObject) sysRow { return sysRow{"oid": o.ruleOID(), "ev_class": o.oid} })
}

// dependRows are the rows of pg_depend: what views read, and what their rules and the
// constraints of tables belong to.
func dependRows(v *sysView) []sysRow {
	var rows []sysRow
	oids := map[string]int64{}
	for i := range v.objects {
		if o := &v.objects[i]; o.kind != "i" {
			oids[o.storeKey()] = o.oid
		}
	}
	add := func(class string, oid int64, refClass string, ref int64, kind string) {
		rows = append(rows, sysRow{"classid": systemOIDs[class], "objid": oid, "refclassid": systemOIDs[refClass], "refobjid": ref, "deptype": kind})
	}
	for i := range v.objects {
		switch o := &v.objects[i]; {
		case o.view != nil:
			add("pg_rewrite", o.ruleOID(), "pg_class", o.oid, dependsInternally)
			add("pg_rewrite", o.ruleOID(), "pg_class", o.oid, dependsNormally)
			for _, key := range o.view.Depends {
				if read := oids[key]; read != 0 {
					add("pg_rewrite", o.ruleOID(), "pg_class", read, dependsNormally)
				}
			}
		case o.kind == "i":
			add("pg_class", o.oid, "pg_constraint", o.oid, dependsInternally)
			add("pg_constraint", o.oid, "pg_class", o.parent.oid, "a")
		}
	}
	return rows
}

// descriptionRows are the rows of pg_description: the comments.
func descriptionRows(v *sysView) []sysRow {
	state := v.access()
	var rows []sysRow
	add := func(class string, oid int64, column int, text string) {
		if text != "" {
			rows = append(rows, sysRow{"objoid": oid, "classoid": systemOIDs[class], "objsubid": column, "description": text})
		}
	}
	add("pg_namespace", oidPublic, 0, state.Grants(access.Object{Kind: access.Schema, Name: store.Schema}).Comment)
	for i := range v.objects {
		o := &v.objects[i]
		if o.kind == "i" {
			continue
		}
		grants := state.Grants(o.relation())
		add("pg_class", o.oid, 0, grants.Comment)
		for n, c := range o.columns {
			add("pg_class", o.oid, n+1, grants.ColumnComments[c.Name])
		}
	}
	return rows
}

// sharedDescriptionRows are the rows of pg_shdescription: the comment on the database.
func sharedDescriptionRows(v *sysView) []sysRow {
	text := v.access().Grants(access.TheDatabase).Comment
	if text == "" {
		return nil
	}
	return []sysRow{{"objoid": oidDatabase, "classoid": systemOIDs["pg_database"], "description": text}}
}
