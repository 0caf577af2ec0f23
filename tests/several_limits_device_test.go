//go:build device

package tests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// A table that one device has no room for lies on two: its columns take 1.4 times what one may have, of which a quarter
// is left for what kernels make. One device alone streams it.
func TestTableOfTwoDevices(t *testing.T) {
	const (
		text    = "SELECT g, count(*), sum(long), sum(f) FROM streamed GROUP BY g ORDER BY g"
		columns = 12000 * (1 + 8 + 8) // bytes of g, long and f
	)
	s := openSmall(t, cubeloom.Options{OpenDevice: device.OpenerOf(t, device.Limits{Devices: 2, Memory: columns * 5 / 7}), PageLockedLimit: -1})
	for _, devices := range []int{2, 1} {
		query(t, s, fmt.Sprintf("SET devices = %d", devices))
		compareSeveral(t, s, text)
		_, plan := query(t, s, "EXPLAIN ANALYZE "+text)
		if streams := strings.Contains(plan, " chunks and "); streams != (devices == 1) || strings.Contains(plan, "on cpu") {
			t.Errorf("with %d devices:\n%s", devices, plan)
		}
	}
}

// A device of two that is lost in the middle of a query has it go on with the other: the answer is right, and a
// warning says so; the next query runs on what is left, and warns no more.
func TestOneOfTwoDevicesIsLost(t *testing.T) {
	t.Parallel()
	for _, of := range []struct{ text, exchange string }{
		{"SELECT word, count(*), sum(f.long) FROM facts f JOIN wide w ON w.id = f.h GROUP BY word ORDER BY word", "copy"},
		{"SELECT s, count(*) FROM (SELECT h, sum(long) AS s FROM facts GROUP BY h HAVING count(b) > 1) x GROUP BY s ORDER BY s", "hash"},
	} {
		loseOne(t, of.text, of.exchange)
	}
}

// loseOne loses each of two devices in the middle of a query.
func loseOne(t *testing.T, text, exchange string) {
	for lost := range 2 {
		for _, at := range device.Some(fmt.Sprint(t.Name(), exchange, lost), []int{0, 1, 2, 4}, 3) {
			launches := [2]int{1 << 40, 1 << 40} // of each device, that still work
			db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: twoDevices(t, func(ordinal int) error {
				if launches[ordinal]--; launches[ordinal] < 0 {
					return fmt.Errorf("launch failed: %w", cuda.ErrLost)
				}
				return nil
			})})
			s := db.Session()
			query(t, s, "SET device = cpu")
			for _, sql := range strings.Split(sharedTables, ";\n") {
				query(t, s, strings.TrimSuffix(sql, ";"))
			}
			_, want := query(t, s, text)
			query(t, s, "SET device = cuda")
			query(t, s, "SET devices = 2")
			query(t, s, "SET exchange_strategy = "+exchange)
			query(t, s, text) // opens both
			launches[lost] = at
			for again := range 2 {
				res, got := query(t, s, text)
				warned := len(res.Notices) == 1 && res.Notices[0].Severity == "WARNING" && strings.Contains(res.Notices[0].Message, "go on on the others")
				if got != want || warned != (again == 0) || ranOn(res) != strings.TrimSuffix(strings.Repeat("cuda ", len(res.Stats.Places)), " ") {
					t.Errorf("device %d lost at launch %d, query %d on %s, notices %v:\n%s\ninstead of\n%s", lost, at, again, ranOn(res), res.Notices, got, want)
				}
			}
		}
	}
}
