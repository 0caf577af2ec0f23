package main

import (
	"fmt"
	"testing"
)

// TestPublications holds that every query has a published answer that reads well
// and agrees with itself alone.
func TestPublications(t *testing.T) {
	for i := range 22 {
		name := fmt.Sprintf("Q%d", i+1)
		p, err := readPublication(name)
		if err != nil {
			t.Fatal(err)
		}
		var rows [][]Value
		for n := range p.rows {
			list, at := p.head, n
			if n >= len(p.head) {
				list, at = p.tail, max(n-p.rows+len(p.tail), 0)
			}
			row := make([]Value, len(p.kinds))
			for c, text := range list[min(at, len(list)-1)] {
				row[c] = textValue(text, true)
			}
			rows = append(rows, row)
		}
		if err := p.compare(rows); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		rows[len(rows)-1][0] = Value{Kind: Text, Text: "other"}
		if err := p.compare(rows); err == nil {
			t.Errorf("%s: a wrong last row agrees", name)
		}
		if err := p.compare(rows[1:]); err == nil {
			t.Errorf("%s: one row less agrees", name)
		}
	}
}

func TestPermitted(t *testing.T) {
	for _, tc := range []struct {
		kind, got, want string
		ok              bool
	}{
		{"exact", "323", "323.00", true},
		{"exact", "323.01", "323.00", false},
		{"exact", "a b", "a b ", true},
		{"exact", " a", "a", false},
		{"sum", "1100.5", "1000.5", true},
		{"sum", "1100.6", "1000.5", false},
		{"sum", "x", "x", false},
		{"avg", "348406.0542857", "348406.02", true},
		{"ratio", "0.0344", "0.03", true},
		{"ratio", "0.0356", "0.03", false},
	} {
		if got := permitted(tc.kind, tc.got, tc.want); got != tc.ok {
			t.Errorf("%s %s of %s: %v", tc.kind, tc.got, tc.want, got)
		}
	}
}
