package pgcatalog

import (
	"maps"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

func statRows(v *View) []Row {
	return v.each("rm", func(o *Object) Row {
		return Row{"relid": o.oid, "relname": o.Name, "n_live_tup": o.Table.Rows()}
	})
}

func classRows(v *View) []Row {
	var rows []Row
	referrals := v.referrals()
	for _, o := range v.Objects() {
		row := Row{"oid": o.oid, "relname": o.Name, "relkind": o.Kind, "relnatts": len(o.Columns)}
		v.addGrants(row, o.Relation(), "relowner", "relacl")
		switch o.Kind {
		case "r", "m", "p":
			row["relam"], row["relhasindex"], row["relchecks"] = oidColumns, len(o.Keys) > 0, len(o.Checks)
			row["relhasrules"], row["relispopulated"] = o.Kind == "m", !o.Unpopulated
			row["reltuples"] = float64(o.Table.Rows())
			row["relpages"] = int(o.Table.Bytes() / 8192)
			row["relhastriggers"] = hasTriggers(referrals, &o)
			o.addPartition(row)
		case "v":
			row["relhasrules"], row["relreplident"] = true, "n"
		case "S":
			row["relreplident"], row["reltuples"], row["relpages"] = "n", 1.0, 1
		case "i":
			row["relam"], row["relreplident"], row["relacl"] = accessMethods[o.method()], "n", nil
			row["reltuples"], row["relpages"] = float64(o.parent.Table.Rows()), 1
			if o.parent.Kind == "p" {
				row["relkind"], row["relhassubclass"] = "I", true
			}
			row["relispartition"] = o.key.Of != ""
		}
		rows = append(rows, o.place(v, row))
	}
	return rows
}

func attributeRows(v *View) []Row {
	var rows []Row
	for _, o := range v.Objects() {
		grants := v.Access.Grants(o.Relation())
		for i, c := range o.Columns {
			oid, modifier := columnOID(&c)
			t := findType(v.types(), oid)
			row := Row{"attrelid": o.oid, "attname": c.Name, "atttypid": oid, "atttypmod": modifier, "attnum": i + 1,
				"attlen": t.length, "attbyval": t.byValue, "attnotnull": c.NotNull, "atthasdef": hasDefault(&c)}
			if c.Identity != "" {
				row["attidentity"] = c.Identity
			}
			if c.Generated != "" {
				row["attgenerated"] = "s"
			}
			if o.parent == nil && o.Partition != nil && o.Partition.Parent != "" {
				row["attislocal"], row["attinhcount"] = false, 1
			}
			if o.parent == nil {
				row["attacl"] = v.aclCell(grants.Columns[c.Name])
			}
			v.took(len(row))
			row["attstorage"] = t.storage()
			switch t.category {
			case "S":
				row["attcollation"] = 100
			case "A":
				row["attndims"] = 1
				if c.Type.Elem == algebra.Text {
					row["attcollation"] = 100
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func indexRows(v *View) []Row {
	var rows []Row
	for _, o := range v.Objects() {
		if o.Kind == "i" {
			parts := o.parts()
			columns := lists.Map(parts, o.parent.ordinalOf)
			row := Row{"indexrelid": o.oid, "indrelid": o.parent.oid, "indnatts": len(parts),
				"indnkeyatts": o.keyParts(), "indisprimary": o.key.Primary, "indkey": keyText(columns, " "),
				"indisunique": o.key.Index == nil || o.key.Index.Unique, "indoption": o.indexOptions(), "indisclustered": o.key.Clustered}
			if x := o.key.Index; x.Computed() && x.Where != "" {
				row["indpred"] = "(" + x.Where + ")"
			}
			if i := slices.Index(columns, -1); i >= 0 {
				row["indexprs"] = parts[i]
			}
			rows = append(rows, row)
		}
	}
	return rows
}

func constraintRows(v *View) []Row {
	var rows []Row
	for _, o := range v.Objects() {
		if o.isConstraint() {
			row := Row{"oid": o.oid, "conname": o.Name, "contype": o.key.letter(), "conrelid": o.parent.oid,
				"conindid": o.oid, "conkey": "{" + keyText(o.key.Columns, ",") + "}"}
			if o.key.Of != "" {
				row["conislocal"], row["coninhcount"], row["conparentid"] = false, 1, v.indexOID(o.parent.Partition.Parent, o.key.Of)
			}
			rows = append(rows, o.place(v, row))
		}
	}
	return slices.Concat(rows, v.checkRows(), v.referralRows(), v.domainCheckRows())
}

// letter is the key's contype.
func (k *Key) letter() string {
	if k.Primary {
		return "p"
	}
	return "u"
}

// definition is the key as pg_get_constraintdef writes it.
func (o *Object) constraintDefinition() string {
	if o.key.Primary {
		return "PRIMARY KEY (" + o.keyColumns() + ")"
	}
	return "UNIQUE (" + o.keyColumns() + ")"
}

// keyColumns are the names of an index's columns.
func (o *Object) keyColumns() string {
	return quotedList(o.key.Columns, o.parent.columnName)
}

// isConstraint reports whether an object is the index of a constraint.
func (o *Object) isConstraint() bool { return o.key != nil && o.key.Index == nil }

// method is the access method of an index.
func (o *Object) method() string {
	if o.key.Index == nil {
		return "btree"
	}
	return o.key.Index.Method
}

// indexOptions are the orders of an index's columns as int2vector is written.
func (o *Object) indexOptions() string {
	options := make([]string, o.keyParts())
	for i := range options {
		if options[i] = "0"; o.key.Index != nil {
			options[i] = itoa(o.key.Index.Option(i))
		}
	}
	return strings.Join(options, " ")
}

// columnNames are the columns of an index as SQL has their names.
func (o *Object) columnNames() []string {
	return lists.Map(o.key.Columns, func(c int) string { return QuoteName(o.parent.Columns[c].Name) })
}

// parts are the columns of an index as SQL has their names, and its expressions.
func (o *Object) parts() []string { return o.key.Index.Parts(o.columnNames()) }

// keyParts is how many of the parts are not those of INCLUDE.
func (o *Object) keyParts() int { return len(o.key.Index.Of(make([]string, len(o.key.Columns)))) }

// ordinalOf is the position of the column that SQL calls so; -1 for what is none.
func (o *Object) ordinalOf(part string) int {
	return slices.IndexFunc(o.Columns, func(c planner.CatalogColumn) bool { return QuoteName(c.Name) == part })
}

// indexDefinition is an index as pg_get_indexdef writes it.
func (o *Object) indexDefinition(pretty bool) string {
	unique := "UNIQUE "
	names, x := o.columnNames(), o.key.Index
	switch {
	case x == nil:
		x = &algebra.Index{Method: "btree", Terms: make([]string, len(names))}
	case !x.Unique:
		unique = ""
	}
	only := ""
	if o.parent.Kind == "p" {
		only = "ONLY "
	}
	return "CREATE " + unique + "INDEX " + QuoteName(o.Name) + " ON " + only + QuoteName(o.Schema) + "." + QuoteName(o.parent.Name) +
		" USING " + x.Definition(names, pretty)
}

// accessMethods are the OIDs of the methods of indexes.
var accessMethods = map[string]int64{"btree": oidBtree, "hash": 405, "gist": 783, "gin": 2742, "spgist": 4000, "brin": 3580}

func amRows(*View) []Row {
	rows := []Row{{"oid": oidColumns, "amname": "heap", "amtype": "t"}}
	for _, name := range slices.Sorted(maps.Keys(accessMethods)) {
		rows = append(rows, Row{"oid": accessMethods[name], "amname": name, "amtype": "i"})
	}
	return rows
}

// keywordKinds are the kinds of keywords as pg_get_keywords() returns them.
var keywordKinds = map[dialect.KeywordClass][2]string{
	dialect.Unreserved: {"U", "unreserved"}, dialect.ColumnName: {"C", "unreserved (cannot be function or type name)"},
	dialect.TypeOrFunctionName: {"T", "reserved (can be function or type name)"}, dialect.Reserved: {"R", "reserved"},
}

var bareDescriptions = map[bool]string{false: "can be bare label", true: "requires AS"}

func keywordRows(*View) []Row {
	var rows []Row
	for _, word := range dialect.Keywords() {
		kind := keywordKinds[dialect.Keyword(word)]
		rows = append(rows, Row{"word": word, "catcode": kind[0], "catdesc": kind[1],
			"barelabel": !dialect.NeedsAs(word), "baredesc": bareDescriptions[dialect.NeedsAs(word)]})
	}
	return rows
}

func collationRows(*View) []Row {
	return []Row{
		{"oid": 100, "collname": "default", "collprovider": "d", "collcollate": "", "collctype": ""},
		{"oid": 950, "collname": "C", "collcollate": "C", "collctype": "C"},
	}
}

func tablespaceRows(*View) []Row {
	return []Row{{"oid": 1663, "spcname": "pg_default"}, {"oid": 1664, "spcname": "pg_global"}}
}

func databaseRows(v *View) []Row {
	row := Row{"oid": oidDatabase, "datname": v.Database}
	v.addGrants(row, access.TheDatabase, "datdba", "datacl")
	return []Row{row}
}

func settingRows(v *View) []Row {
	var rows []Row
	for _, s := range v.Of.ShownSettings() {
		rows = append(rows, Row{"name": s.Name, "setting": s.Value, "short_desc": s.Help, "boot_val": s.Boot, "reset_val": s.Reset})
	}
	return rows
}

func tableRows(v *View) []Row {
	referrals := v.referrals()
	return v.each("r", func(o *Object) Row {
		return Row{"hastriggers": hasTriggers(referrals, o), "tablename": o.Name, "tableowner": v.ownerName(o.Relation()), "hasindexes": len(o.Keys) > 0}
	})
}

func viewRows(v *View) []Row {
	return v.each("v", func(o *Object) Row {
		return Row{"viewname": o.Name, "viewowner": v.ownerName(o.Relation()), "definition": o.Definition}
	})
}

func materializedViewRows(v *View) []Row {
	return v.each("m", func(o *Object) Row {
		return Row{"matviewname": o.Name, "matviewowner": v.ownerName(o.Relation()), "hasindexes": len(o.Keys) > 0,
			"ispopulated": !o.Unpopulated, "definition": " " + v.Of.ViewText(o) + ";"}
	})
}

func indexesRows(v *View) []Row {
	return v.each("i", func(o *Object) Row {
		return Row{"tablename": o.parent.Name, "indexname": o.Name, "indexdef": o.indexDefinition(false)}
	})
}

// zoneRows are the time zones as they are at the time of the statement.
func zoneRows(v *View) []Row {
	var rows []Row
	for _, name := range value.ZoneNames() {
		loc, ok := value.FindZone(name)
		if !ok {
			continue // not in this machine's database
		}
		now := v.Now.In(loc)
		abbrev, seconds := now.Zone()
		rows = append(rows, Row{"name": name, "abbrev": abbrev, "is_dst": now.IsDST(), "utc_offset": value.Interval{Micros: int64(seconds) * 1e6}})
	}
	return rows
}
