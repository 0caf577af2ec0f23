package fusion_test

import (
	"testing"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

// TestMerges checks which joins of many orders, in the order of a key or not, with more
// items of them are merges, and with which side.
func TestMerges(t *testing.T) {
	many := fusion.Options{Fusion: true}
	device, off, always := many, many, many
	device.Device = true
	off.Joins.Avoid, always.Joins.Avoid = []string{fusion.MergeJoin}, []string{fusion.HashJoin}
	for name, tc := range map[string]struct {
		kind   algebra.JoinKind
		few    bool // of the orders are left by a filter
		items  bool // are the left input
		orders bool // are in the order of the key
		opts   fusion.Options
		want   string // the table that is merged with
	}{
		"few orders":                   {algebra.JoinInner, true, false, true, many, "items"},
		"few orders on the right":      {algebra.JoinInner, true, true, true, many, "items"},
		"all orders, each once":        {algebra.JoinInner, false, true, true, many, ""},
		"orders that have items":       {algebra.JoinSemi, true, false, true, many, "items"},
		"orders without items":         {algebra.JoinAnti, true, false, true, many, "items"},
		"orders with items or none":    {algebra.JoinLeft, true, false, true, many, "items"},
		"all of both":                  {algebra.JoinFull, true, false, true, always, ""},
		"orders in no order":           {algebra.JoinInner, true, false, false, many, ""},
		"orders in no order, always":   {algebra.JoinInner, true, false, false, always, "items"},
		"several items, on a device":   {algebra.JoinInner, true, false, true, device, ""},
		"one item is enough, likewise": {algebra.JoinSemi, true, false, true, device, "items"},
		"off":                          {algebra.JoinInner, true, false, true, off, ""},
		"always":                       {algebra.JoinInner, false, true, true, always, "items"},
		"always, with the right one":   {algebra.JoinLeft, false, true, true, always, "orders"},
	} {
		b := &plantest.Builder{}
		key, other := plantest.Ints("k", algebra.TInt32, 1, 1_000_000), plantest.Ints("v", algebra.TInt32, 0, 999)
		key.Stats.Ascending, key.Stats.Distinct = true, 1_000_000
		items := b.Scan("items", 4_000_000, key, other)
		key.Stats.Ascending, key.Stats.Unique = tc.orders, tc.orders
		var orders algebra.Node = b.Scan("orders", 1_000_000, key, other)
		if tc.few {
			orders = plantest.Filter(orders, plantest.Is(algebra.Lt, plantest.Ref(orders, "v"), plantest.Int(20)))
		}
		left, right := orders, algebra.Node(items)
		if tc.items {
			left, right = right, left
		}
		got := ""
		for _, op := range weave(t, plantest.Join(tc.kind, left, right, "k", "k"), tc.opts).Ops {
			if m, ok := op.Operator.(*merge.Operator); ok {
				got = m.Scan.Table.Name
			}
		}
		if got != tc.want {
			t.Errorf("%s: merged with %q, want %q", name, got, tc.want)
		}
	}
}
