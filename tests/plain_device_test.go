//go:build device

package tests

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/cubeloom/cubeloom/cmd/cubeloom/plain"
	"github.com/cubeloom/cubeloom/tests/device"
)

// TestPlainKernels groups some rows by the kernels that others are measured against.
func TestPlainKernels(t *testing.T) {
	d := device.Open(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	for _, groups := range []int64{1, 40, 3000} {
		for _, n := range []int{0, 1, 4099} {
			rows, seen, sum := plain.Rows{}, map[int64]bool{}, int64(0)
			for range n {
				key, v := (rnd.Int64N(groups)+1)*0x1e3779b97f4a7c15, byte(rnd.IntN(256))
				rows.Keys, rows.Values = append(rows.Keys, key), append(rows.Values, v)
				seen[key] = true
				sum += int64(v)
			}
			want := plain.Answer{Groups: int64(len(seen)), Sum: sum}
			if _, err := plain.Run(context.Background(), d, &rows, groups, want, 1); err != nil {
				t.Errorf("%d rows of %d groups: %v", n, groups, err)
			}
		}
	}
}
