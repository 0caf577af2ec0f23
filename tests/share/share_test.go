package share

import (
	"slices"
	"strconv"
	"testing"
)

// All things are tried unless fewer are asked for; of others one at least, and each by some seed.
func TestSome(t *testing.T) {
	things := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	t.Setenv(Variable, "")
	if got := Some(t, "all", things); !slices.Equal(got, things) {
		t.Errorf("%q are tried", got)
	}
	for every, want := range map[int]int{3: 3, 8: 1, 100: 1} {
		t.Setenv(Variable, strconv.Itoa(every))
		seen := make(map[string]bool)
		for seed := range 100 {
			t.Setenv(SeedVariable, strconv.Itoa(seed))
			got := Some(t, "some", things)
			if len(got) != want || !slices.IsSorted(got) {
				t.Errorf("one of %d: %q are tried", every, got)
			}
			for _, thing := range got {
				seen[thing] = true
			}
		}
		if len(seen) != len(things) {
			t.Errorf("one of %d: only %v are ever tried", every, seen)
		}
	}
}
