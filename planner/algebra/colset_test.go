package algebra

import (
	"testing"

	"pgregory.net/rapid"
)

// TestColSets holds that sets of columns do what sets do, for IDs that are few and
// for those beyond.
func TestColSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (ColSet, map[ColumnID]bool) {
			var s ColSet
			ids := make(map[ColumnID]bool)
			for _, id := range rapid.SliceOfN(rapid.Int32Range(0, 300), 0, 8).Draw(t, name) {
				s.Add(ColumnID(id))
				ids[ColumnID(id)] = true
			}
			return s, ids
		}
		a, inA := draw("a")
		b, inB := draw("b")
		var sum ColSet
		sum.AddSet(a)
		sum.AddSet(b)
		subset, intersects, n := true, false, 0
		for id := range ColumnID(320) {
			for name, set := range map[string]struct{ got, want bool }{
				"a":            {a.Has(id), inA[id]},
				"AddSet":       {sum.Has(id), inA[id] || inB[id]},
				"Union":        {a.Union(b).Has(id), inA[id] || inB[id]},
				"Intersection": {a.Intersect(b).Has(id), inA[id] && inB[id]},
				"Minus":        {a.Minus(b).Has(id), inA[id] && !inB[id]},
			} {
				if set.got != set.want {
					t.Fatalf("%s has %d: %t", name, id, set.got)
				}
			}
			subset = subset && (!inA[id] || inB[id])
			intersects = intersects || inA[id] && inB[id]
		}
		n = len(inA)
		if a.SubsetOf(b) != subset || a.Intersects(b) != intersects || a.Len() != n || a.Empty() != (n == 0) {
			t.Fatalf("subset %t, intersects %t, length %d, empty %t", a.SubsetOf(b), a.Intersects(b), a.Len(), a.Empty())
		}
	})
}
