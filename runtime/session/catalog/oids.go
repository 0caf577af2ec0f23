package catalog

import (
	"cmp"
	"slices"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// relationsOf are the tables, views and sequences of a state.
func relationsOf(state *store.State) []store.Object {
	return slices.DeleteFunc(state.Objects(), func(o store.Object) bool {
		kind := store.KindOf(o)
		return kind == store.KindType || kind == store.KindFunction
	})
}

// oidsOf is a state as far as OIDs go by it.
func oidsOf(state *store.State) *pgcatalog.View {
	return &pgcatalog.View{List: func() []pgcatalog.Object {
		return lists.Map(relationsOf(state), func(o store.Object) pgcatalog.Object { return pgcatalog.Object{StoreKey: store.KeyOf(o)} })
	}}
}

// tableOID is the OID of a table, or, where located is set, that of the partition that a row of it is in, as an expression
// over its columns.
func tableOID(state *store.State, t *store.Table, located bool) string {
	oids := oidsOf(state)
	if !located {
		return oids.OIDOf(store.KeyOf(t))
	}
	return partitionOID(state, t, oids)
}

// partitionOID is the OID of the partition that a row of a table is in; its own where that has none.
func partitionOID(state *store.State, t *store.Table, oids *pgcatalog.View) string {
	partitions := state.Partitions(t)
	if len(partitions) == 0 {
		return oids.OIDOf(store.KeyOf(t))
	}
	last, whens := cmp.Or(DefaultPartition(state, t), partitions[len(partitions)-1]), ""
	for _, p := range partitions {
		if p != last {
			whens += " WHEN " + WithinBound(state, t, &p.Of().Bound) + " THEN " + partitionOID(state, p, oids)
		}
	}
	if whens == "" {
		return partitionOID(state, last, oids)
	}
	return "CASE" + whens + " ELSE " + partitionOID(state, last, oids) + " END"
}
