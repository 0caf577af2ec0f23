package main

import (
	"strings"
	"testing"
)

// TestBenchOrdered times the ways of the CPU over small tables.
func TestBenchOrdered(t *testing.T) {
	out, err := tuned(t, "bench", "ordered", "--device", "cpu", "--machine", "", "--from", "0", "--to", "10", "--step", "6", "--lineitem", "--runs", "1")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"unique     1       1     hash", "16 a group  1024      64  ordered", "l_linenumber  1024       7     hash"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestOrderedWays asks for each form, update, size of a block and number of rows of a thread.
func TestOrderedWays(t *testing.T) {
	b := &orderedBench{Device: "cuda"}
	if n := len(b.ways(false)); n != 2+4+5 {
		t.Errorf("%d ways", n)
	}
	if n := len(b.ways(true)); n != 2+4+5+8+13 {
		t.Errorf("%d ways where all is varied", n)
	}
	for _, f := range []orderedFlags{{from: 5, to: 4, step: 1}, {to: 31, step: 1}, {to: 3}, {to: 3, step: 1, lengths: []int64{0}}} {
		if f.check() == nil {
			t.Errorf("%+v is taken", f)
		}
	}
}
