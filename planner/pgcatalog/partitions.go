package pgcatalog

import "strings"

// partitionTables are the relations of pg_catalog about partitions.
var partitionTables = map[string]tableSpec{
	"pg_inherits":          {"inhrelid:o inhparent:o inhseqno:i=1 inhdetachpending:b=f", inheritRows},
	"pg_partitioned_table": {"partrelid:o partstrat:c partnatts:s partdefid:o=0 partattrs:V partclass:W partcollation:W partexprs:t", partitionedRows},
}

// addPartition says in a row of pg_class what a table is as a partition, or as partitioned.
func (o *Object) addPartition(row Row) {
	if o.Partition == nil {
		return
	}
	if row["relhassubclass"] = o.Kind == "p"; o.Kind == "p" {
		row["relam"] = 0
	}
	if o.Partition.Parent != "" {
		row["relispartition"], row["relpartbound"] = true, o.Partition.Bound
	}
}

func inheritRows(v *View) (rows []Row) {
	for i := range v.Objects() {
		switch o := &v.Objects()[i]; {
		case o.key != nil && o.key.Of != "":
			rows = append(rows, Row{"inhrelid": o.oid, "inhparent": v.indexOID(o.parent.Partition.Parent, o.key.Of)})
		case o.Partition != nil && o.Partition.Parent != "":
			rows = append(rows, Row{"inhrelid": o.oid, "inhparent": v.keyed(o.Partition.Parent).oid})
		}
	}
	return rows
}

func partitionedRows(v *View) []Row {
	return v.each("p", func(o *Object) Row {
		p := o.Partition
		zeros := strings.TrimSpace(strings.Repeat("0 ", len(p.Columns)))
		row := Row{"partrelid": o.oid, "partstrat": strings.ToLower(p.Method[:1]), "partnatts": len(p.Columns),
			"partattrs": keyText(p.Columns, " "), "partclass": zeros, "partcollation": zeros}
		if p.Default != "" {
			row["partdefid"] = v.keyed(p.Default).oid
		}
		if p.Exprs != "" {
			row["partexprs"] = p.Exprs
		}
		return row
	})
}

// indexOID is the OID of an index of a table, which the store calls so; 0 for none.
func (v *View) indexOID(table, name string) int64 {
	for i := range v.Objects() {
		if o := &v.Objects()[i]; o.parent != nil && o.parent.StoreKey == table && o.Name == name {
			return o.oid
		}
	}
	return 0
}

// partitionKeyText is pg_get_partkeydef, and partitionConstraintText pg_get_partition_constraintdef.
func partitionKeyText(o *Object) string {
	if o.Kind != "p" {
		return ""
	}
	return QuoteText(o.Partition.Key)
}

func partitionConstraintText(o *Object) string {
	if o.Partition == nil || o.Partition.Parent == "" {
		return ""
	}
	return QuoteText(o.Partition.Constraint)
}
