package lists_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

func TestMap(t *testing.T) {
	if got := lists.Map([]int{3, 1}, strconv.Itoa); !slices.Equal(got, []string{"3", "1"}) {
		t.Errorf("made %q", got)
	}
	if got := lists.Map([]int(nil), strconv.Itoa); got == nil || len(got) > 0 {
		t.Errorf("made %#v of none", got)
	}
}

func TestUpto(t *testing.T) {
	if got := lists.Upto[uint32](3); !slices.Equal(got, []uint32{0, 1, 2}) {
		t.Errorf("made %v", got)
	}
}
