package dialect

import (
	"testing"

	pgparser "github.com/wasilibs/go-pgquery/parser"
)

// parses reports whether PostgreSQL's grammar takes a text.
func parses(text string) bool {
	_, err := pgparser.ParseToJSON(text)
	return err == nil
}

// TestKeywords holds the classes of the keywords against what PostgreSQL's grammar
// takes for a column and for an argument of a function. That none is missing is seen
// from pg_get_keywords() in tests/testdata/slt/keywords.slt.
func TestKeywords(t *testing.T) {
	type uses struct{ column, argument bool }
	classes := map[uses]KeywordClass{
		{true, true}: Unreserved, {true, false}: ColumnName, {false, true}: TypeOrFunctionName, {}: Reserved,
	}
	for w, class := range keywords {
		is := uses{parses("alter table t add column " + w + " int"), parses("select f(" + w + " => 1)")}
		if want := classes[is]; class != want {
			t.Errorf("%s is of class %d, want %d", w, class, want)
		}
	}
}

func TestLabels(t *testing.T) {
	text := "select 1"
	for w := range keywords {
		if !asLabels[w] {
			text += " " + w + ", 2"
		}
	}
	if _, err := pgparser.ParseToJSON(text); err != nil {
		t.Error(err)
	}
	for w := range asLabels {
		if w == "isnull" || w == "notnull" { // these are operators then
			continue
		}
		if parses("select 1 " + w) {
			t.Errorf("%s is an alias without AS", w)
		}
	}
}
