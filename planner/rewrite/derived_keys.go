package rewrite

import (
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// derivedKeys groups by the keys that others do not determine: what is computed of keys is computed
// of each group, and not looked up for each row.
//
//	before: aggregate by a, a + 1, 'x'
//	after:  project a, a + 1, 'x' over aggregate by a
//	never:  a, 1 / a: a condition on groups would keep the division from rows that have to raise
func derivedKeys(c *context, n algebra.Node) algebra.Node {
	return c.transform(n, func(n algebra.Node) algebra.Node {
		agg, ok := n.(*algebra.Aggregate)
		if !ok || !agg.IsPlain() || len(agg.Keys) < 2 {
			return n
		}
		keys, results := withoutDerived(agg.Keys, agg.Input)
		if len(results) == 0 {
			return n
		}
		with := *agg
		with.Keys, with.Sets = keys, []algebra.KeySet{algebra.AllKeys(len(keys))}
		return withResults(agg, &with, results)
	})
}

// withoutDerived returns the keys, of rows of a plan, that the others do not determine, at least one, and what the others
// are in terms of these.
func withoutDerived(keys []algebra.Item, in algebra.Node) ([]algebra.Item, map[algebra.ColumnID]algebra.Expr) {
	kept := keys
	var derived []algebra.Item // each in terms of those that were kept then
	for i := len(keys) - 1; i >= 0 && len(kept) > 1; i-- {
		others := slices.Delete(slices.Clone(kept), i, i+1)
		if e := ofKeys(keys[i].Expr, others); e != nil && !mayRaiseOver(keys[i].Expr, in) {
			kept, derived = others, append(derived, algebra.Item{Column: keys[i].Column, Expr: e})
		}
	}
	results := make(map[algebra.ColumnID]algebra.Expr, len(derived))
	for _, item := range slices.Backward(derived) {
		results[item.Column.ID] = algebra.RewriteExpr(item.Expr, func(e algebra.Expr) algebra.Expr {
			if ref, ok := e.(*algebra.ColumnRef); ok && results[ref.Column.ID] != nil {
				return results[ref.Column.ID]
			}
			return e
		})
	}
	return kept, results
}

// ofKeys returns an expression in terms of the columns of keys; nil where these do not determine it.
func ofKeys(e algebra.Expr, keys []algebra.Item) algebra.Expr {
	if firstRandom(e) != nil {
		return nil
	}
	var read algebra.ColSet
	for i := range keys {
		if identifies(keys[i].Expr.Type()) {
			read.Add(keys[i].Column.ID)
		}
	}
	out := algebra.RewriteExpr(e, func(e algebra.Expr) algebra.Expr {
		for i := range keys {
			if read.Has(keys[i].Column.ID) && algebra.Equal(keys[i].Expr, e) {
				return keys[i].Column.Ref()
			}
		}
		return e
	})
	if !algebra.References(out).SubsetOf(read) {
		return nil
	}
	return out
}

// identifies reports whether equal values of a type are the same, so that whatever is computed of
// them is. Numbers without a fixed scale have several spellings, and floating point two zeros.
func identifies(t algebra.Type) bool {
	switch t.Kind {
	case algebra.Bool, algebra.Int16, algebra.Int32, algebra.Int64, algebra.Decimal, algebra.Enum, algebra.UUID,
		algebra.Date, algebra.Time, algebra.Timestamp, algebra.TimestampTZ, algebra.Bytea:
		return true
	case algebra.Text:
		return !t.IsChar() || t.Length > 0
	}
	return false
}
