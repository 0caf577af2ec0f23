package tests

import (
	"context"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestSharingPays has two devices, slow enough that reading a table of 100,000 rows takes milliseconds, share a
// kernel for the columns that it reads, and not where it reads few bytes of each row, or makes so many
// groups that merging them takes longer.
func TestSharingPays(t *testing.T) {
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: func(ordinal int) (cuda.Device, error) {
		if ordinal > 1 {
			return nil, cuda.ErrNoDevice
		}
		return &device.Null{Bandwidth: 1e8, HostLink: 1e9}, nil
	}})
	s := db.Session()
	const script = `SET device = cpu; CREATE TABLE r AS SELECT i % 10 AS g, i AS id, i * 7919 % 100000 AS far, i % 100000 AS v, i % 7 AS w FROM generate_series(1, 100000) s(i); SET device = cuda`
	if err := s.Run(context.Background(), script, func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for text, shared := range map[string]bool{
		"SELECT g, sum(v), sum(id) FROM r GROUP BY g": true,
		"SELECT id, sum(v) FROM r GROUP BY id":        true, // no two devices have rows of one
		"SELECT far, sum(v) FROM r GROUP BY far":      false,
		"SELECT g, sum(w) FROM r GROUP BY g":          false,
	} {
		res, err := s.Query(context.Background(), "EXPLAIN "+text)
		if err != nil {
			t.Fatal(err)
		}
		plan, cursor := "", res.Cursor()
		for cursor.Next() {
			plan += cursor.Text(0) + "\n"
		}
		if strings.Contains(plan, "device 1: ") != shared {
			t.Errorf("%s is to be shared: %t\n%s", text, shared, plan)
		}
	}
}
