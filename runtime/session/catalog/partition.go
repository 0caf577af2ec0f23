package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Conditions of partitions are texts over the columns of their tables. They are true or false of
// a row, and never NULL.
const (
	always = "true"
	never  = "false"
)

// PartitionCondition is what tells the rows of a partition from all others of the table that has
// them; "" of a table that is no partition.
func PartitionCondition(state *store.State, t *store.Table) string {
	if t.Of() == nil {
		return ""
	}
	parent := state.Parent(t)
	own := WithinBound(state, parent, &t.Of().Bound)
	if above := PartitionCondition(state, parent); above != "" {
		return above + " AND " + own
	}
	return own
}

// WithinBound is the condition that a row of a partitioned table is within a bound of one of its partitions.
func WithinBound(state *store.State, t *store.Table, b *algebra.PartitionBound) string {
	if b.Default {
		return "NOT " + withinAny(t, boundsOf(state, t))
	}
	return withinAny(t, []*algebra.PartitionBound{b})
}

// Accepted is the condition that a row of a partitioned table is within the bound of one of its
// partitions.
func Accepted(state *store.State, t *store.Table) string {
	if DefaultPartition(state, t) != nil {
		return always
	}
	return withinAny(t, boundsOf(state, t))
}

// DefaultPartition is the partition of a table that has the rows which no other one has; nil where there
// is none.
func DefaultPartition(state *store.State, t *store.Table) *store.Table {
	for _, p := range state.Partitions(t) {
		if p.Of().Bound.Default {
			return p
		}
	}
	return nil
}

// boundsOf are the bounds of the partitions of a table, but for that of the default.
func boundsOf(state *store.State, t *store.Table) (bounds []*algebra.PartitionBound) {
	for _, p := range state.Partitions(t) {
		if b := &p.Of().Bound; !b.Default {
			bounds = append(bounds, b)
		}
	}
	return bounds
}

// withinAny is the condition that a row is within one of some bounds.
func withinAny(t *store.Table, bounds []*algebra.PartitionBound) string {
	if len(bounds) == 0 {
		return never
	}
	keys := KeyTexts(t)
	switch t.By().Method {
	case algebra.ByList:
		return inList(t, keys[0], bounds)
	case algebra.ByHash:
		return anyOf(lists.Map(bounds, func(b *algebra.PartitionBound) string { return hashes(t, keys, b) }))
	}
	if len(keys) == 1 {
		bounds = adjoined(bounds)
	}
	known := lists.Map(keys, func(key string) string { return key + " IS NOT NULL" })
	ranges := anyOf(lists.Map(bounds, func(b *algebra.PartitionBound) string {
		return allOf(from(t, keys, b.From), upTo(t, keys, b.To))
	}))
	return allOf(append(known, ranges)...)
}

// KeyTexts are the keys that a table is partitioned by, as SQL has them.
func KeyTexts(t *store.Table) []string {
	return lists.Map(t.By().Keys, func(key algebra.PartitionKey) string {
		if key.Is {
			return pgcatalog.Quote(t.Columns()[key.Columns[0]].Name)
		}
		return "(" + key.Text + ")"
	})
}

// ShownKeys are the keys that a table is partitioned by, as messages have them.
func ShownKeys(t *store.Table) []string {
	return lists.Map(t.By().Keys, func(key algebra.PartitionKey) string {
		if key.Is {
			return pgcatalog.QuoteName(t.Columns()[key.Columns[0]].Name)
		}
		return key.Text
	})
}

// adjoined are ranges of one key in their order, of which those that adjoin are one.
func adjoined(bounds []*algebra.PartitionBound) (list []*algebra.PartitionBound) {
	bounds = slices.Clone(bounds)
	slices.SortFunc(bounds, func(a, b *algebra.PartitionBound) int { return CompareBounds(a.From, b.From) })
	for _, b := range bounds {
		if last := len(list) - 1; last >= 0 && CompareBounds(list[last].To, b.From) == 0 {
			list[last] = &algebra.PartitionBound{From: list[last].From, To: b.To}
			continue
		}
		list = append(list, b)
	}
	return list
}

// CompareBounds orders values of the keys of RANGE.
func CompareBounds(a, b []algebra.PartitionValue) int {
	for i := range a {
		order := int(a[i].Kind) - int(b[i].Kind)
		if order == 0 && a[i].Kind == algebra.PartitionConstant {
			order = eval.Compare(a[i].Val, b[i].Val)
		}
		if order != 0 || a[i].Kind != algebra.PartitionConstant {
			return order
		}
	}
	return 0
}

// from is the condition that keys are not less than a bound.
func from(t *store.Table, keys []string, bound []algebra.PartitionValue) string {
	return beyond(t, keys, bound, ">", always)
}

// upTo is the condition that keys are less than a bound.
func upTo(t *store.Table, keys []string, bound []algebra.PartitionValue) string {
	return beyond(t, keys, bound, "<", never)
}

// beyond is the condition that keys, in the order of which the first ones count more, are on one side
// of a bound; equal is that of those which are equal to it.
func beyond(t *store.Table, keys []string, bound []algebra.PartitionValue, side, equal string) string {
	for i, b := range slices.Backward(bound) {
		constant := pgcatalog.QuoteText(BoundText(t, i, &b))
		switch {
		case b.Kind != algebra.PartitionConstant && (b.Kind == algebra.PartitionMin) == (side == ">"):
			equal = always
		case b.Kind != algebra.PartitionConstant:
			equal = never
		case equal == always:
			equal = fmt.Sprintf("%s %s= %s", keys[i], side, constant)
		case equal == never:
			equal = fmt.Sprintf("%s %s %s", keys[i], side, constant)
		default:
			equal = fmt.Sprintf("(%s %s %s OR %s = %s AND %s)", keys[i], side, constant, keys[i], constant, equal)
		}
	}
	return equal
}

// BoundText is a constant of the bound for a key of a table, as its type writes it.
func BoundText(t *store.Table, key int, b *algebra.PartitionValue) string {
	return string(runtime.AppendText(nil, b.Val, t.By().Keys[key].Type, value.Style{}, nil))
}

// inList is the condition that a key has one of the values of LIST.
func inList(t *store.Table, key string, bounds []*algebra.PartitionBound) string {
	var values []string
	null := false
	for _, b := range bounds {
		for i := range b.Values {
			if b.Values[i].Val.Kind == value.Null {
				null = true
			} else {
				values = append(values, pgcatalog.QuoteText(BoundText(t, 0, &b.Values[i])))
			}
		}
	}
	in := key + " IN (" + strings.Join(values, ", ") + ")"
	switch {
	case len(values) == 0:
		return key + " IS NULL"
	case null:
		return "(" + key + " IS NULL OR " + in + ")"
	}
	return "(" + key + " IS NOT NULL AND " + in + ")"
}

// hashes is the condition that the hash of keys leaves a remainder.
func hashes(t *store.Table, keys []string, b *algebra.PartitionBound) string {
	all := make([]string, len(keys))
	for i, key := range keys {
		all[i] = fmt.Sprintf(hashOf(t.By().Keys[i].Type), key)
	}
	return fmt.Sprintf("partition_remainder(ARRAY[%s]::text, %d) = %d", strings.Join(all, ", "), b.Modulus, b.Remainder)
}

// partitionSeed is PostgreSQL's seed of the hashes of partitions.
const partitionSeed = "8816678312871386365"

// hashOf is the hash of a key of a type, as a format; "" where there is none.
func hashOf(t algebra.Type) string {
	function, of := "", "%s"
	switch t.Kind {
	case algebra.Int16, algebra.Int32:
		function = "hashint4extended"
	case algebra.Int64:
		function = "hashint8extended"
	case algebra.Bool:
		function, of = "hashint4extended", "(%s)::integer"
	case algebra.Date:
		function, of = "hashint4extended", "(%s - date '2000-01-01')"
	case algebra.Float32:
		function = "hashfloat4extended"
	case algebra.Float64:
		function = "hashfloat8extended"
	case algebra.Text:
		function = "hashtextextended"
	case algebra.Numeric, algebra.Decimal:
		function = "hash_numeric_extended"
	case algebra.UUID:
		function = "uuid_hash_extended"
	case algebra.Timestamp:
		function = "timestamp_hash_extended"
	case algebra.TimestampTZ:
		function, of = "timestamp_hash_extended", "(%s AT TIME ZONE 'UTC')"
	case algebra.Time:
		function = "time_hash_extended"
	default:
		return ""
	}
	return function + "(" + of + ", " + partitionSeed + ")"
}

// Hashes reports whether a table can be partitioned by the hash of values of a type.
func Hashes(t algebra.Type) bool { return hashOf(t) != "" }

// anyOf is the condition that one of some is true.
func anyOf(conds []string) string { return joined(conds, " OR ", never, always) }

// allOf is the condition that all of some are true.
func allOf(conds ...string) string { return joined(conds, " AND ", always, never) }

// joined are conditions put together: nothing is said of those that are neutral, and one that decides is
// all that is said.
func joined(conds []string, word, neutral, decides string) string {
	conds = slices.DeleteFunc(slices.Clone(conds), func(cond string) bool { return cond == neutral })
	switch {
	case slices.Contains(conds, decides):
		return decides
	case len(conds) == 0:
		return neutral
	case len(conds) == 1:
		return conds[0]
	}
	return "(" + strings.Join(conds, word) + ")"
}
