package main

import (
	"reflect"
	"testing"

	"github.com/cubeloom/cubeloom"
)

// TestHistoryKeepsStatements has what the history brings back be the statement that
// was entered, also where a comment ends a line.
func TestHistoryKeepsStatements(t *testing.T) {
	for statement, want := range map[string][]string{
		"SELECT 1;":             {"SELECT 1;"},
		"SELECT 1 -- one\n, 2;": {"SELECT 1 , 2;"},
		"SELECT '--'\n  AS a, /* x\n -- y */ 2;\n": {"SELECT '--' AS a, 2;"},
		"SELECT 'a\nb';":        {"SELECT 'a", "b';"},
		"SELECT 'a\nb' -- x\n;": {"SELECT 'a", "b' -- x", ";"},
		"SELECT $$ -- $$\n;":    {"SELECT $$ -- $$ ;"},
	} {
		got := historyEntries(statement)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: got %q, want %q", statement, got, want)
		}
		for i, line := range got {
			if ends := cubeloom.Complete(line); len(got) == 1 && !ends {
				t.Errorf("%q: entry %d is no whole statement: %q", statement, i, line)
			}
		}
	}
}
