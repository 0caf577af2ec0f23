//go:build device

package tests

import (
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/tests/device"
)

// compareParts groups by parts on the device, and compares with the CPU. EXPLAIN ANALYZE tells of each note.
func compareParts(t *testing.T, s *cubeloom.Session, text string, notes ...string) {
	t.Helper()
	query(t, s, "SET device = cpu")
	_, want := query(t, s, text)
	query(t, s, "SET device = cuda")
	query(t, s, "SET aggregate_strategy = radix")
	if res, got := query(t, s, text); got != want || ranOn(res) == "cpu" {
		t.Errorf("%s\non %s gives\n%s\ninstead of\n%s", text, ranOn(res), got, want)
	}
	_, plan := query(t, s, "EXPLAIN ANALYZE "+text)
	for _, note := range notes {
		if !strings.Contains(plan, note) {
			t.Errorf("%s: EXPLAIN ANALYZE does not tell of %q:\n%s", text, note, plan)
		}
	}
	query(t, s, "RESET aggregate_strategy")
}

// TestStreamingParts holds that rows which are streamed are not divided, and others are.
func TestStreamingParts(t *testing.T) {
	t.Parallel()
	const text = "SELECT long * 1000003, count(*), sum(i), min(f) FROM streamed WHERE b GROUP BY 1 ORDER BY 1"
	s := openSmall(t, cubeloom.Options{OpenDevice: device.OpenerOf(t, device.Limits{Memory: 6 * smallMemory}), PageLockedLimit: -1})
	compareParts(t, s, text, "streamed", "shared")
	s = openSmall(t, cubeloom.Options{OpenDevice: device.Opener(t)})
	compareParts(t, s, text, "radix, parts")
}

// TestPartsOfSomeBlocks divides the rows of blocks that lie between others.
func TestPartsOfSomeBlocks(t *testing.T) {
	s := openClustered(t, quickly(t)(device.Limits{}))
	compareParts(t, s, "SELECT k * 1000000000007, count(*), sum(v), max(f) FROM mixed WHERE k < 3000 GROUP BY 1 ORDER BY 1", "skipped", "radix, parts")
}
