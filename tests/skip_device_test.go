//go:build device

package tests

import (
	"fmt"
	"io"
	"regexp"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// openClustered opens a database with a device whose table cells is in the order of k, in
// four blocks of 8000, 3900, 1900 and 900 rows, mixed, of whose blocks the third has smaller
// k than the second, and days, a row for each tenth k.
func openClustered(t *testing.T, open func(ordinal int) (cuda.Device, error)) *cubeloom.Session {
	t.Helper()
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: open})
	s := db.Session()
	query(t, s, "SET device = cpu")
	query(t, s, "CREATE TABLE cells (k int, big bigint NOT NULL, v int NOT NULL, f float8, b boolean, s text)")
	from := 0
	for _, rows := range []int{8000, 3900, 1900, 900} {
		query(t, s, fmt.Sprintf(`INSERT INTO cells SELECT CASE WHEN g %% 50 > 0 THEN g END, 9000000000000 - g, g %% 13, g / 8.0, g %% 3 = 0,
			CASE WHEN g %% 7 > 0 THEN 'text ' || g * g END FROM generate_series(%d, %d) AS x(g)`, from, from+rows-1))
		from += rows
	}
	query(t, s, "CREATE TABLE mixed (k int, v int NOT NULL, f float8, b boolean, s text)")
	for _, rows := range [][3]int{{0, 8000, 0}, {8000, 11900, 90000}, {11900, 13800, -11000}, {13800, 14700, 70000}} {
		query(t, s, fmt.Sprintf(`INSERT INTO mixed SELECT CASE WHEN g %% 50 > 0 THEN g + %d END, g %% 13, g / 8.0, g %% 3 = 0,
			CASE WHEN g %% 7 > 0 THEN 'text ' || g * g END FROM generate_series(%d, %d) AS x(g)`, rows[2], rows[0], rows[1]-1))
	}
	query(t, s, "CREATE TABLE days (k int, big bigint, name text NOT NULL)")
	query(t, s, fmt.Sprintf("INSERT INTO days SELECT g * 10, 9000000000000 - g * 10, 'n' || g / 100 FROM generate_series(0, %d) AS x(g)", from/10))
	query(t, s, "INSERT INTO days VALUES (NULL, NULL, 'none'), (5, 1, 'twice'), (15, 9000000000000, 'twice')")
	return s
}

// skippedBlocks finds what EXPLAIN ANALYZE says of blocks.
var skippedBlocks = regexp.MustCompile(`skipped (\d+) blocks`)

// skips compares a query on the device with the CPU's, and checks how many blocks the
// device skips: as many as the CPU, and some or none.
func skips(t *testing.T, s *cubeloom.Session, text string, want bool) {
	t.Helper()
	query(t, s, "SET device = cpu")
	_, answer := query(t, s, text)
	answer = inOrder(text, answer)
	_, plan := query(t, s, "EXPLAIN ANALYZE "+text)
	blocks := skippedBlocks.FindAllString(plan, -1)
	query(t, s, "SET device = cuda")
	for range 2 {
		if res, got := query(t, s, text); inOrder(text, got) != answer || ranOn(res) == "cpu" {
			t.Errorf("%s\non %s gives\n%s\ninstead of\n%s\n%v", text, ranOn(res), got, answer, res.Notices)
		}
	}
	_, plan = query(t, s, "EXPLAIN ANALYZE "+text)
	if got := skippedBlocks.FindAllString(plan, -1); fmt.Sprint(got) != fmt.Sprint(blocks) || (len(got) > 0) != want {
		t.Errorf("%s\n%v instead of %v, blocks skipped: %v\n%s", text, got, blocks, want, plan)
	}
}

// TestDeviceSkipsBlocks holds that a scan on a device skips the blocks in which no row
// passes its filters, or finds anything in a hash table, with every sink, whether the
// columns lie on the device or are streamed.
func TestDeviceSkipsBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		open func(ordinal int) (cuda.Device, error)
	}{{"resident", device.Opener(t)}, {"streamed", device.OpenerOf(t, device.Limits{Memory: smallMemory})}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := openClustered(t, c.open)
			for _, q := range []struct {
				sql  string
				some bool
			}{
				{"SELECT count(*), sum(v), count(b), max(f) FROM cells WHERE k < 3000", true},
				{"SELECT count(*), sum(v) FROM cells WHERE k BETWEEN 8100 AND 8200", true},
				{"SELECT count(*), sum(v) FROM cells WHERE k > 14690 OR k = 5", false},
				{"SELECT count(*), sum(v), bool_or(b) FROM cells WHERE k IN (14690, 14698)", true},
				{"SELECT count(*), min(f) FROM cells WHERE k > 99999", true},
				{"SELECT v, count(*), sum(f), count(s) FROM cells WHERE big < 9000000000000 - 12000 GROUP BY v ORDER BY v", true},
				{"SELECT k, v, f, b, s FROM cells WHERE k BETWEEN 11890 AND 11910", true},
				{"SELECT k, b, s FROM cells WHERE k > 13790 ORDER BY f DESC LIMIT 30", true},
				{"SELECT k % 5 AS r, s, count(*) FROM cells WHERE k BETWEEN 13795 AND 13805 GROUP BY 1, 2 ORDER BY 1, 2", true},
				{"SELECT count(*), sum(v) FROM cells WHERE k IS NULL", false},
				{"SELECT name, count(*), sum(v) FROM cells JOIN days USING (k) WHERE name LIKE 'n1%' GROUP BY name ORDER BY name", false},
				{"SELECT name, count(*), sum(v) FROM cells JOIN days USING (k) WHERE name LIKE 'n12' GROUP BY name", true},
				{"SELECT count(*), sum(v), count(name) FROM cells JOIN days ON cells.k = days.k WHERE name = 'twice'", true},
				{"SELECT count(*), sum(v) FROM cells JOIN days ON cells.big = days.big AND cells.v < 9 WHERE name = 'n14'", true},
				{"SELECT count(*), sum(v) FROM cells WHERE k IN (SELECT k FROM days WHERE name = 'n13')", true},
				{"SELECT count(*), sum(v) FROM cells JOIN days ON cells.k = days.k WHERE name = 'nobody'", true},
				{"SELECT count(*), count(name) FROM cells LEFT JOIN days ON cells.k = days.k AND name = 'n12'", false},
				{"SELECT count(*) FROM cells WHERE NOT EXISTS (SELECT 1 FROM days WHERE days.k = cells.k AND name = 'n12')", false},
				{"SELECT count(*) FROM cells JOIN days ON cells.k IS NOT DISTINCT FROM days.k WHERE name IN ('none', 'n2')", false},
			} {
				skips(t, s, q.sql, q.some)
			}
		})
	}
}

// quick is a device for which launches cost nothing.
type quick struct{ cuda.Device }

const quickName = "a device of quick launches"

func (q quick) Info() cuda.Info {
	info := q.Device.Info()
	info.Name = quickName
	return info
}

func (q quick) Close() error { return q.Device.(io.Closer).Close() }

// quickly has launches cost nothing, and returns what opens devices of such launches.
func quickly(t *testing.T) func(device.Limits) func(ordinal int) (cuda.Device, error) {
	t.Helper()
	dir := t.TempDir()
	c := machine.Calibration{Device: quickName, Source: "none", Figures: map[string]float64{"Device.Launch": 1e-6}}
	if _, err := c.Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := machine.Calibrate(dir); err != nil {
		t.Fatal(err)
	}
	return func(limits device.Limits) func(ordinal int) (cuda.Device, error) {
		return func(ordinal int) (cuda.Device, error) {
			d, err := device.OpenerOf(t, limits)(ordinal)
			return quick{d}, err
		}
	}
}

// TestDeviceSkipsBlocksBetween holds that blocks between others are skipped, where another
// launch costs little.
func TestDeviceSkipsBlocksBetween(t *testing.T) {
	open := quickly(t)
	for _, limits := range []device.Limits{{}, {Memory: smallMemory}} {
		s := openClustered(t, open(limits))
		for _, sql := range []string{
			"SELECT count(*), sum(v), count(b), max(f) FROM mixed WHERE k < 3000",
			"SELECT v, count(*), sum(f), count(s) FROM mixed WHERE k < 3000 GROUP BY v ORDER BY v",
			"SELECT s, count(*), bool_or(b) FROM mixed WHERE k < 1000 GROUP BY s ORDER BY s",
			"SELECT k, v, f, b, s FROM mixed WHERE k BETWEEN 950 AND 1010",
			"SELECT k, b, s FROM mixed WHERE k BETWEEN 950 AND 1400 ORDER BY f DESC LIMIT 30",
			"SELECT count(*), sum(a.v), count(a.b) FROM mixed AS a JOIN days USING (k) WHERE name LIKE 'n0'",
			"SELECT name, count(*), sum(a.f) FROM mixed AS a LEFT JOIN days USING (k) WHERE a.k < 2000 GROUP BY name ORDER BY name",
			"SELECT count(*), sum(b.v) FROM (SELECT * FROM mixed WHERE k > 84000) AS a JOIN mixed AS b ON a.k = b.k",
			"SELECT a.v, count(*), sum(b.v) FROM mixed AS a JOIN cells AS b ON a.v = b.v WHERE a.k < 100 AND b.k > 14600 GROUP BY a.v ORDER BY a.v",
		} {
			skips(t, s, sql, true)
		}
	}
}
