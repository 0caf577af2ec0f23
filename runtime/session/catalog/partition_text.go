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
		values := make([]string, len(b.Values))
		for i := range b.Values {
			values[i] = boundLiteral(parent, 0, &b.Values[i])
		}
		return "FOR VALUES IN (" + strings.Join(values, ", ") + ")"
	}
	return "FOR VALUES FROM " + BoundSide(parent, b.From) + " TO " + BoundSide(parent, b.To)
}

// BoundSide are the values of FROM or TO of a partition of a table as PostgreSQL writes them.
func BoundSide(parent *store.Table, bound []algebra.PartitionValue) string {
	values := make([]string, len(bound))
	for i := range bound {
		values[i] = boundLiteral(parent, i, &bound[i])
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

// KeyDefinition is how a table is partitioned, as PostgreSQL writes it.
func KeyDefinition(t *store.Table) string {
	return t.By().Method + " (" + strings.Join(ShownKeys(t), ", ") + ")"
}
