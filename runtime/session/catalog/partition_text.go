package catalog

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// BoundDefinition is the bound of a partition of a table as PostgreSQL writes it.
func BoundDefinition(parent *store.Table, b *algebra.PartitionBound) string {
	switch {
	case b.Default:
		return "DEFAULT"
	case parent.By().Method == algebra.ByHash:
		return fmt.Sprintf("FOR VALUES WITH (modulus %d, remainder %d)", b.Modulus, b.Remainder)
	case parent.By().Method == algebra.ByList:
		return "FOR VALUES IN " + BoundValues(parent, b.Values)
	}
	return "FOR VALUES FROM " + BoundValues(parent, b.From) + " TO " + BoundValues(parent, b.To)
}

// BoundValues are the values of FROM or TO, which are by key, or those of IN, all of the only key, as PostgreSQL writes them.
func BoundValues(parent *store.Table, bound []algebra.PartitionValue) string {
	values := make([]string, len(bound))
	for i := range bound {
		values[i] = boundLiteral(parent, min(i, len(parent.By().Keys)-1), &bound[i])
	}
	return "(" + strings.Join(values, ", ") + ")"
}

// boundLiteral is a value in a bound as PostgreSQL writes it.
func boundLiteral(parent *store.Table, key int, b *algebra.PartitionValue) string {
	switch {
	case b.Kind == algebra.PartitionMin:
		return "MINVALUE"
	case b.Kind == algebra.PartitionMax:
		return "MAXVALUE"
	case b.Val.Kind == value.Null:
		return "NULL"
	}
	text := BoundText(parent, key, b)
	digits := text[0] >= '0' && text[0] <= '9'
	switch parent.By().Keys[key].Type.Kind {
	case algebra.Bool:
		return map[string]string{"t": "true", "f": "false"}[text]
	case algebra.Int32:
		if digits {
			return text
		}
	case algebra.Numeric, algebra.Decimal, algebra.Float64, algebra.Float32:
		if digits && strings.ContainsAny(text, "eE.") {
			return text
		}
	}
	return pgcatalog.QuoteText(text)
}

// sysPartition is what a table is as a partition, or as partitioned, to the relations of the system; nil of others.
func sysPartition(state *store.State, t *store.Table) *pgcatalog.Partition {
	if t.By() == nil && t.Of() == nil {
		return nil
	}
	p := &pgcatalog.Partition{}
	if by := t.By(); by != nil {
		p.Method, p.Key = by.Method, KeyDefinition(t)
		for _, key := range by.Keys {
			if key.Is {
				p.Columns = append(p.Columns, key.Columns[0])
				continue
			}
			p.Columns, p.Exprs = append(p.Columns, -1), key.Text
		}
		if rest := DefaultPartition(state, t); rest != nil {
			p.Default = store.KeyOf(rest)
		}
	}
	if of := t.Of(); of != nil {
		p.Parent, p.Bound, p.Constraint = of.Parent, BoundDefinition(state.Parent(t), &of.Bound), PartitionCondition(state, t)
	}
	return p
}

// KeyAbove is the name of the key of a partitioned table that a key of a partition is a part of; "" for none.
func KeyAbove(state *store.State, t *store.Table, key *store.Key) string {
	if !key.Inherited {
		return ""
	}
	parent := state.Parent(t)
	for i := range parent.Keys() {
		if parent.Keys()[i].Same(key) {
			return KeyName(parent, i)
		}
	}
	return ""
}

// KeyDefinition is how a table is partitioned, as PostgreSQL writes it.
func KeyDefinition(t *store.Table) string {
	return t.By().Method + " (" + strings.Join(ShownKeys(t), ", ") + ")"
}
