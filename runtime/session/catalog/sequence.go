package catalog

import (
	"fmt"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// describeSequence describes a sequence as the row that says where it stands.
func describeSequence(q *store.Sequence) *planner.Relation {
	at := q.Position()
	rel := &planner.Relation{Columns: sequenceColumns, Momentary: true}
	rel.Ref = algebra.TableRef{Name: q.Name(), Rows: 1, Handle: runtime.NewRows([]kernel.Type{kernel.I64, kernel.I64, kernel.Bool}, [][]value.Value{{
		{Kind: value.Int, I: at.Last}, {Kind: value.Int}, {Kind: value.Bool, B: at.Called},
	}})}
	return rel
}

// sequenceColumns are those of the row of a sequence.
var sequenceColumns = []planner.CatalogColumn{
	{Name: "last_value", Type: algebra.TInt64, NotNull: true},
	{Name: "log_cnt", Type: algebra.TInt64, NotNull: true},
	{Name: "is_called", Type: algebra.TBool, NotNull: true},
}

// sysSequence is a sequence as the relations of the system show it.
func sysSequence(q *store.Sequence) *pgcatalog.Sequence {
	at := q.Position()
	return &pgcatalog.Sequence{
		Type: algebra.Type{Kind: q.Type}, Start: q.Start, Increment: q.Increment, Min: q.Min, Max: q.Max, Cache: q.Cache, Cycle: q.Cycle,
		Owner: q.OwnerTable, Column: q.OwnerColumn, Identity: q.Identity, Last: at.Last, Called: at.Called,
	}
}

// IdentityOf is the kind of identity of a column; "" for none.
func IdentityOf(state *store.State, c *store.Column) string {
	if q, ok := state.Lookup(c.SequenceOf()).(*store.Sequence); ok && q.OwnerColumn == c.Name {
		return q.Identity
	}
	return ""
}

// defaultText is the expression of a column's default; "" where it is the value of a sequence,
// or the column is generated.
func defaultText(c *store.Column) string {
	if c.SequenceOf() != "" || c.Generated() != "" {
		return ""
	}
	return c.Default
}

// ColumnTypeName is the name of the type of a column, with the schema that it is in unless it is one of the system.
func ColumnTypeName(state *store.State, c *store.Column) string {
	t := c.Type
	switch d := state.DomainOf(c.Domain); {
	case d != nil:
		return d.Qualified()
	case t.Enum == nil:
		return t.String()
	case t.Kind == algebra.Array:
		return t.Enum.Qualified() + "[]"
	}
	return t.Enum.Qualified()
}

// domainDefault is what INSERT takes for a column of a domain where it has no value.
func domainDefault(c *store.Column, d *algebra.Domain) string {
	if c.Default == "" {
		return d.Default
	}
	return defaultText(c)
}

// SequenceOptions are the options of a sequence as SQL has them.
func SequenceOptions(q *store.Sequence) string {
	text := fmt.Sprintf(" INCREMENT BY %d MINVALUE %d MAXVALUE %d START WITH %d CACHE %d", q.Increment, q.Min, q.Max, q.Start, q.Cache)
	if q.Cycle {
		text += " CYCLE"
	}
	return text
}
