package operators

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Key is one side of an equality of a join. Type is a type that holds the
// values of both sides; both are held in the form that follows from it.
type Key struct {
	Expr     algebra.Expr
	Type     algebra.Type
	NullSafe bool
}

// KeyReferences is the set of columns that the keys refer to.
func KeyReferences(keys []Key) algebra.ColSet {
	var set algebra.ColSet
	for _, k := range keys {
		set.AddSet(algebra.References(k.Expr))
	}
	return set
}

// KeyList is the text of keys in an operator's detail.
func KeyList(keys []Key) string {
	texts := lists.Map(keys, func(k Key) string { return k.Expr.String() })
	return strings.Join(texts, ", ")
}

// Keys emits the values of keys.
func (w *Weave) Keys(keys []Key) []kernel.Key {
	var vals []kernel.Key
	for _, k := range keys {
		vals = append(vals, kernel.Key{Val: w.Plain(w.Expr(k.Expr), k.Type), NullSafe: k.NullSafe})
	}
	return vals
}

// SortKeys emits the values of the keys of an order: texts as what orders like
// them.
func (w *Weave) SortKeys(keys []algebra.SortKey) []kernel.SortKey {
	var out []kernel.SortKey
	for _, k := range keys {
		out = append(out, kernel.SortKey{Val: w.Rank(w.Expr(k.Expr)), Desc: k.Desc, NullsFirst: k.NullsFirst})
	}
	return out
}
