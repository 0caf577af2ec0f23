package store

import (
	"strconv"
	"testing"
)

func TestCodeTable(t *testing.T) {
	texts := []string{""}
	table := newCodeTable(texts)
	for i := range 5000 {
		s := strconv.Itoa(i)
		if code, ok := table.find(texts, s, hashOf(s)); ok {
			t.Fatalf("%q has the code %d before it is there", s, code)
		}
		table.add(hashOf(s), uint32(len(texts)))
		texts = append(texts, s)
	}
	for _, table := range []*codeTable{table, newCodeTable(texts)} {
		for want, s := range texts {
			if code, ok := table.find(texts, s, hashOf(s)); !ok || code != uint32(want) {
				t.Errorf("%q has the code %d, %t, not %d", s, code, ok, want)
			}
		}
	}
}

// TestCodesOfOneHash tells texts apart whose hashes are the same.
func TestCodesOfOneHash(t *testing.T) {
	texts := []string{"a", "b", "c"}
	table := newCodeTable(nil)
	for code := range texts {
		table.add(^uint32(0), uint32(code))
	}
	for want, s := range texts {
		if code, ok := table.find(texts, s, ^uint32(0)); !ok || code != uint32(want) {
			t.Errorf("%q has the code %d, %t, not %d", s, code, ok, want)
		}
	}
	if _, ok := table.find(texts, "d", ^uint32(0)); ok {
		t.Error("d is found")
	}
}
