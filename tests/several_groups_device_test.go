//go:build device

package tests

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/tests/device"
)

// parted is what EXPLAIN ANALYZE says where rows or groups are exchanged.
const parted = "exchanged by the hash of a key, and every device"

// partedGroups are aggregations whose groups devices divide among them, and what EXPLAIN ANALYZE says of that: they are
// the result, or read by each kind of kernel; NULL among the keys, texts, several keys, no rows and one.
var partedGroups = []struct{ text, says string }{
	{"SELECT h, sum(long), count(b), avg(f), min(note) FROM facts GROUP BY h HAVING count(*) > 2 ORDER BY h", parted},
	{"SELECT h * 3000000000, t, b, count(*), max(note), sum(n * n) FROM facts GROUP BY 1, 2, 3 ORDER BY 1, 2, 3", parted},
	{"SELECT CASE WHEN b THEN h END AS k, sum(long), bool_and(b), avg(n) FROM facts GROUP BY k ORDER BY k", parted},
	{"SELECT i, sum(long) FROM facts GROUP BY i HAVING sum(long) > 2900000000 ORDER BY i", codegen.ExchangeApart},
	{"SELECT i, count(*), max(c) FROM facts f JOIN wide w ON w.id = f.h GROUP BY i ORDER BY i", codegen.ExchangeApart},
	{"SELECT h, count(*), max(f.note) FROM facts f JOIN wide w ON w.id = f.h GROUP BY h ORDER BY h", "exchanged by the hash of a key"},
	{"SELECT h, count(DISTINCT g), count(DISTINCT t) FROM facts GROUP BY h ORDER BY h", parted},
	{"SELECT h, median(f), count(DISTINCT g) FROM facts GROUP BY h ORDER BY h", parted},
	{"SELECT h, string_agg(t, ',' ORDER BY i) FROM facts WHERE i < 400 GROUP BY h ORDER BY h", parted},
	{"SELECT i, h, rank() OVER (PARTITION BY h ORDER BY f DESC), sum(i) OVER (PARTITION BY h) FROM facts ORDER BY i", parted},
	{"SELECT c, count(*), sum(s) FROM (SELECT h, sum(n) AS s FROM facts GROUP BY h) x JOIN wide w ON w.id = x.h GROUP BY c ORDER BY c", parted},
	{"SELECT count(*), min(id) FROM wide WHERE id IN (SELECT h FROM facts GROUP BY h HAVING sum(i) > 4700)", parted},
	{"SELECT count(*), count(x.h), count(w.id), sum(s) FROM (SELECT h, count(*) AS s FROM facts GROUP BY h HAVING count(*) > 2) x FULL JOIN wide w ON w.id = x.h", parted},
	{"SELECT x.h, s, id FROM (SELECT h, min(i) AS s FROM facts GROUP BY h HAVING sum(g) > 9 OR min(t) IS NULL) x FULL JOIN wide w ON w.id = x.h", parted},
	{"SELECT s, count(*) FROM (SELECT h, count(b) AS s FROM facts GROUP BY h) x GROUP BY s ORDER BY s", parted},
	{"SELECT h, s FROM (SELECT h, sum(long) AS s FROM facts GROUP BY h) x ORDER BY s DESC, h LIMIT 7", parted},
	{"SELECT h, s, rank() OVER (ORDER BY s DESC, h) FROM (SELECT h, sum(long) AS s FROM facts GROUP BY h) x ORDER BY h", parted},
	{"SELECT DISTINCT h, g, b FROM facts ORDER BY h, g, b", parted},
	{"SELECT h, g, count(*), sum(f) FROM facts GROUP BY ROLLUP (h, g) ORDER BY h, g, count(*)", parted},
	{"SELECT h, count(*) FROM facts WHERE i < 0 GROUP BY h", ""},
	{"SELECT h, count(*) FROM facts WHERE i = 77 GROUP BY h", ""},
	{"SELECT upper(note), count(*) FROM facts GROUP BY 1 ORDER BY 1", codegen.ExchangeGroups},
	{"SELECT g, b, sum(long), count(t), min(t) FROM facts GROUP BY g, b HAVING count(*) > 30 ORDER BY g, b", codegen.ExchangeParts},
}

// Groups that devices divide among them are the CPU's, and so is what is computed of them; EXPLAIN says before and
// after what is exchanged.
func TestDevicesDivideGroups(t *testing.T) {
	t.Parallel() // most of the time goes into compiling
	drawn := 2 + device.Draw(t.Name()).IntN(3)
	for devices := 2; devices <= 4; devices++ {
		if device.Share() > 1 && devices != drawn {
			continue
		}
		s := openSeveral(t, device.Limits{Devices: devices})
		query(t, s, "SET exchange_strategy = hash")
		for i, q := range device.Some(t.Name(), partedGroups, queriesEvery) {
			if devices > 2 && i%2 != devices%2 {
				continue
			}
			compareSeveral(t, s, q.text)
			for _, explain := range []string{"EXPLAIN ", "EXPLAIN ANALYZE "} {
				_, plan := query(t, s, explain+q.text)
				flat := flatPlan(plan)
				if strings.Contains(flat, "on cpu") || q.says != "" && !strings.Contains(flat, q.says) {
					t.Errorf("%d devices, %s of %s does not say %q:\n%s", devices, explain, q.text, q.says, plan)
				}
			}
		}
		query(t, s, "SET cube_strategy = refine")
		compareSeveral(t, s, "SELECT h, g, t, max(c) FROM (SELECT h, g, t, count(*) AS c FROM facts GROUP BY h, g, t) x GROUP BY CUBE (h, g, t) ORDER BY h, g, t, max(c)")
	}
}
