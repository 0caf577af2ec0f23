package pgcatalog

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
)

// sequenceTables are the relations of pg_catalog about sequences.
var sequenceTables = map[string]tableSpec{
	"pg_sequence":  {"seqrelid:o seqtypid:o seqstart:l seqincrement:l seqmax:l seqmin:l seqcache:l seqcycle:b", sequenceRows},
	"pg_sequences": {"schemaname:n=public sequencename:n sequenceowner:n data_type:t start_value:l min_value:l max_value:l increment_by:l cycle:b cache_size:l last_value:l", sequencesRows},
}

func sequenceRows(v *View) []Row {
	return v.each("S", func(o *Object) Row {
		q := o.Sequence
		oid, _ := TypeOID(q.Type)
		return Row{"seqrelid": o.oid, "seqtypid": oid, "seqstart": q.Start, "seqincrement": q.Increment, "seqmax": q.Max, "seqmin": q.Min,
			"seqcache": q.Cache, "seqcycle": q.Cycle}
	})
}

func sequencesRows(v *View) []Row {
	return v.each("S", func(o *Object) Row {
		q := o.Sequence
		row := Row{"sequencename": o.Name, "sequenceowner": v.ownerName(o.Relation()), "data_type": q.Type.String(), "start_value": q.Start,
			"min_value": q.Min, "max_value": q.Max, "increment_by": q.Increment, "cycle": q.Cycle, "cache_size": q.Cache}
		if q.Called {
			row["last_value"] = q.Last
		}
		return row
	})
}

// addIdentity adds what information_schema.columns says of an identity column.
func (v *View) addIdentity(row Row, c *planner.CatalogColumn) {
	if c.Identity == "" {
		return
	}
	row["is_identity"], row["identity_generation"] = "YES", "BY DEFAULT"
	if c.Identity == "a" {
		row["identity_generation"] = "ALWAYS"
	}
	if q := v.keyed(c.Sequence); q != nil {
		s := q.Sequence
		row["identity_start"], row["identity_increment"] = itoa(int(s.Start)), itoa(int(s.Increment))
		row["identity_maximum"], row["identity_minimum"], row["identity_cycle"] = itoa(int(s.Max)), itoa(int(s.Min)), yesNo(s.Cycle)
	}
}

// keyed returns the object of a key; nil for none.
func (v *View) keyed(key string) *Object {
	for i := range v.Objects() {
		if o := &v.Objects()[i]; o.StoreKey == key && o.Kind != "i" {
			return o
		}
	}
	return nil
}

// OIDOf is the OID of a table, a view or a sequence, as SQL has it.
func (v *View) OIDOf(key string) string { return OIDText(v.keyed(key).oid) }

// OIDText is an OID as SQL has it.
func OIDText(oid int64) string { return strconv.FormatInt(oid, 10) + "::oid" }

// hasDefault reports whether a column is generated, or has a default that is not that of an
// identity column.
func hasDefault(c *planner.CatalogColumn) bool {
	return c.Default != "" || c.Generated != "" || c.Sequence != "" && c.Identity == ""
}

// nextOf is the default of a column that takes the values of a sequence, by its key.
func (v *View) nextOf(key string) string {
	o := v.keyed(key)
	if o == nil {
		return ""
	}
	return "nextval('" + strings.ReplaceAll(v.written(o), "'", "''") + "'::regclass)"
}

// ordinal is the position of a column; -1 for none.
func (o *Object) ordinal(column string) int {
	for i := range o.Columns {
		if o.Columns[i].Name == column {
			return i
		}
	}
	return -1
}
