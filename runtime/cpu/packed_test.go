package cpu

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
)

// TestJoinPacked joins with tables whose rows lie side by side, however few they are.
func TestJoinPacked(t *testing.T) {
	caches := exec.Caches()
	defer func(bytes int) { caches.PayloadBytes = bytes }(caches.PayloadBytes)
	caches.PayloadBytes = 0
	r := rand.New(rand.NewPCG(11, 12))
	kinds := []kernel.ProbeKind{kernel.ProbeInner, kernel.ProbeLeft, kernel.ProbeSemi, kernel.ProbeAnti}
	payload := []kernel.Type{kernel.I32, kernel.I64, kernel.F64, kernel.Str, kernel.Code}
	packed := 0
	for i := range 200 {
		c := joinCase{keys: 1, kind: kinds[i%4], dense: r.IntN(2) == 0, residual: r.IntN(3) == 0, full: r.IntN(2) == 0}
		nl, nr := []int{0, 1, 30, 200}[r.IntN(4)], r.IntN(13)
		key := column{typ: kernel.I32}
		for _, x := range r.Perm(12)[:min(nr, 12)] {
			key.vals = append(key.vals, valueNumber(key.typ, x))
		}
		nr = len(key.vals)
		c.left = append(c.left, randomColumn(r, kernel.I32, nl, 14, true), randomColumn(r, kernel.Str, nl, 5, true))
		c.right = append(c.right, key)
		name := fmt.Sprintf("case %d: %s of %d with %d rows, dense %t, residual %t, full %t", i, c.kind, nl, nr, c.dense, c.residual, c.full)
		for range 1 + r.IntN(5) {
			typ := payload[r.IntN(len(payload))]
			name += fmt.Sprintf(", type %d", typ)
			c.right = append(c.right, randomColumn(r, typ, nr, 20, false))
		}
		c.left, c.right = numbered(c.left, nl), numbered(c.right, nr)
		want := c.want()
		for _, opts := range configs {
			opts.Explain = true
			if got := c.run(t, opts); !slices.Equal(got, want) {
				t.Fatalf("%s, %d threads, vectors of %d:\n%s\nwant\n%s", name, opts.Threads, opts.VectorRows,
					strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		}
		if strings.Contains(c.built, "side by side") {
			packed++
		}
	}
	if packed < 150 {
		t.Errorf("the rows of %d tables lie side by side, want 150 of 200", packed)
	}
}
