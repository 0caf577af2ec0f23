//go:build device

package tests

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/tests/device"
)

// distinctRows are integers in small ranges on both sides of words of bits, around zero, far from it, at the
// ends of their type, and NULL; e is NULL in every row.
const distinctRows = `CREATE TABLE d AS
SELECT i % 3 AS g, (i * 7919 % 64)::int AS a, (i * 31 % 65 - 40)::int AS b, 9000000000 + i * 13 % 200 AS c,
	CASE WHEN i % 11 > 0 THEN (i % 5)::smallint END AS n, DATE '2026-01-01' + (i % 90)::int AS day, NULL::int AS e,
	CASE WHEN i % 2 = 0 THEN 9223372036854775807 ELSE 9223372036854775800 END AS top, (-9223372036854775807 - i % 2) AS low,
	i * 1000003 AS wide, i % 100 AS m
FROM generate_series(1::bigint, 3000) AS s(i);
CREATE TABLE none AS SELECT * FROM d WHERE a < 0`

// DISTINCT values of small ranges are kept as bits, and values that are new to their groups are marked where groups are
// cells of an array, each in one pass over the rows whatever the number of arguments; the answers are those of the CPU,
// and of a device that groups by the values.
func TestDistinctOnDevice(t *testing.T) {
	t.Parallel() // most of the time goes into compiling
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: device.Opener(t)})
	s := db.Session()
	query(t, s, "SET device = cpu")
	for _, sql := range strings.Split(distinctRows, ";") {
		query(t, s, sql)
	}
	queries := []struct {
		what       string
		sets, mark bool // which strategies apply
	}{
		{"count(DISTINCT a), count(DISTINCT b), count(DISTINCT c) FROM d", true, true},
		{"count(DISTINCT a), count(*), sum(m), count(DISTINCT n), max(b), avg(m) FROM d WHERE m < 7", true, true},
		{"count(DISTINCT n), count(DISTINCT n) FILTER (WHERE m > 90), count(DISTINCT day) FILTER (WHERE m < 2) FROM d", true, true},
		{"count(DISTINCT top), count(DISTINCT low), count(DISTINCT e) FROM d", false, true}, // of e no value is known
		{"count(DISTINCT top), count(DISTINCT low) FROM d", true, true},
		{"count(DISTINCT a + 1), count(DISTINCT a % 7) FROM d WHERE m = 1000", true, true},
		{"count(DISTINCT wide), count(DISTINCT a) FROM d", false, true},
		{"count(DISTINCT wide * wide) FROM d", false, false}, // too many bits
		{"sum(DISTINCT a), count(DISTINCT b), avg(DISTINCT n) FROM d", false, true},
		{"wide, count(DISTINCT wide), sum(m), max(a) FROM d GROUP BY wide", false, false}, // what is DISTINCT is a key
		{"g, count(DISTINCT wide) FILTER (WHERE m > 50), min(b) FROM d GROUP BY g", false, true},
		{"m, count(DISTINCT wide), count(DISTINCT g), sum(DISTINCT n), count(*) FROM d GROUP BY m", false, true},
		{"n, g, count(DISTINCT n), count(DISTINCT wide), max(c) FROM d GROUP BY n, g", false, true},
		{"round(corr(m, a)::numeric, 6), count(DISTINCT a), count(DISTINCT b) FROM d", false, false},
		{"g, count(DISTINCT a), count(DISTINCT n) FROM d GROUP BY g", true, true},
		{"m, g, count(DISTINCT a), count(DISTINCT b) FILTER (WHERE n > 1), count(*), min(day) FROM d GROUP BY m, g", true, true},
		{"wide, count(DISTINCT n), count(DISTINCT day) FROM d GROUP BY wide", true, false},
	}
	for _, q := range device.Some(t.Name(), queries, queriesEvery) {
		text := "SELECT " + q.what
		query(t, s, "SET device = cpu")
		_, want := query(t, s, text)
		query(t, s, "SET device = cuda")
		strategies := []string{"auto", "split"}
		if q.sets {
			strategies = append(strategies, "set")
		}
		if q.mark {
			strategies = append(strategies, "mark")
		}
		steps := make(map[string]int)
		for _, strategy := range strategies {
			query(t, s, "SET distinct_strategy = "+strategy)
			res, got := query(t, s, text)
			if inOrder(text, got) != inOrder(text, want) {
				t.Errorf("%s by %s gives\n%s\ninstead of\n%s\non %s", text, strategy, got, want, ranOn(res))
			}
			if steps[strategy] = len(res.Stats.Kernels); strategy != "auto" && strategy != "split" && steps[strategy] >= steps["split"] {
				t.Errorf("%s by %s takes %d kernels, split %d", text, strategy, steps[strategy], steps["split"])
			}
		}
		if !q.mark {
			query(t, s, "SET distinct_strategy = mark")
			if _, err := s.Query(t.Context(), text); err == nil || !strings.Contains(err.Error(), "mark") {
				t.Errorf("%s with marks: %v", text, err)
			}
		}
		query(t, s, "SET distinct_strategy = auto")
	}
	for _, strategy := range []string{"set", "mark", "split"} {
		query(t, s, "SET distinct_strategy = "+strategy)
		if _, got := query(t, s, "SELECT count(DISTINCT a), count(DISTINCT n), count(*) FROM none"); !strings.Contains(got, "0") || strings.ContainsAny(got, "123456789") {
			t.Errorf("of no rows by %s: %s", strategy, got)
		}
	}
}
