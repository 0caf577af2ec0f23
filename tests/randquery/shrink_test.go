package randquery

import (
	"strings"
	"testing"
)

func TestQueryIsDeterministic(t *testing.T) {
	for seed := range uint64(100) {
		one, two := NewGenerator(Tables(seed, 3)), NewGenerator(Tables(seed, 3))
		if a, b := one.Query(seed).SQL(), two.Query(seed).SQL(); a != b {
			t.Fatalf("seed %d gives\n%s\nand\n%s", seed, a, b)
		}
	}
}

func TestShrink(t *testing.T) {
	g := NewGenerator(Tables(1, 3))
	for _, word := range []string{"GROUP BY", "JOIN", "coalesce(", "ORDER BY", "UNION", "WITH "} {
		tried := 0
		for seed := range uint64(300) {
			q := g.Query(seed)
			before := q.SQL()
			if !strings.Contains(before, word) {
				continue
			}
			tried++
			small := Shrink(q, 2000, func(c *Query) bool { return strings.Contains(c.SQL(), word) })
			after := small.SQL()
			if q.SQL() != before {
				t.Fatalf("seed %d: the query itself was changed to\n%s\nfrom\n%s", seed, q.SQL(), before)
			}
			if !strings.Contains(after, word) || len(after) > 400 {
				t.Errorf("seed %d: %s is left", seed, after)
			}
		}
		if tried == 0 {
			t.Errorf("no query contains %s", word)
		}
	}
}

func TestShrinkKeepsToItsBudget(t *testing.T) {
	g := NewGenerator(Tables(1, 3))
	asked := 0
	Shrink(g.Query(6), 10, func(*Query) bool { asked++; return false })
	if asked > 10 {
		t.Errorf("asked %d times", asked)
	}
}
