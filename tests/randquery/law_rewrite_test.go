package randquery

import "testing"

// An item that GROUP BY names by its number is a key: spelled in another way it would
// be another key.
func TestRewritingKeepsKeys(t *testing.T) {
	column := columnLeaf("a.k", Int)
	sum := &Expr{kind: Int, parts: []string{"(", " + 1)"}, kids: []*Expr{column.clone()}}
	numbered := sum.clone()
	numbered.ordinal = 2
	for seed := range uint64(50) {
		q := &Query{
			items: []item{{sum.clone(), "c1"}, {sum.clone(), "c2"}}, from: []*source{{table: "t", alias: "a"}},
			group: []*groupElement{{exprs: []*Expr{numbered.clone()}}}, limit: -1, offset: -1,
		}
		w := &rewriter{seed: seed, percent: 100}
		w.clauses(q)
		if got := q.items[1].expr.SQL(); got != "(a.k + 1)" {
			t.Fatalf("seed %d: the key is spelled %s", seed, got)
		}
		q.repeats = true
		before := q.items[0].expr.SQL()
		if w.clauses(q); q.items[0].expr.SQL() != before {
			t.Fatalf("seed %d: beside repeated keys, an item is spelled %s", seed, q.items[0].expr.SQL())
		}
	}
}
