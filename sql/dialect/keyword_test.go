package dialect

import (
	"strings"
	"testing"

	pgtypes "github.com/pganalyze/pg_query_go/v6"
	pgquery "github.com/wasilibs/go-pgquery"
)

var postgresClasses = map[pgtypes.KeywordKind]KeywordClass{
	pgtypes.KeywordKind_NO_KEYWORD:             NotKeyword,
	pgtypes.KeywordKind_UNRESERVED_KEYWORD:     Unreserved,
	pgtypes.KeywordKind_COL_NAME_KEYWORD:       ColumnName,
	pgtypes.KeywordKind_TYPE_FUNC_NAME_KEYWORD: TypeOrFunctionName,
	pgtypes.KeywordKind_RESERVED_KEYWORD:       Reserved,
}

// TestKeywords holds the table against PostgreSQL's: each of its tokens that is
// a keyword, and each of our words.
func TestKeywords(t *testing.T) {
	words := map[string]bool{"qualify": true, "semi": true}
	for w := range keywords {
		words[w] = true
	}
	for _, name := range pgtypes.Token_name {
		w := strings.ToLower(name)
		words[w] = true
		words[strings.TrimSuffix(w, "_p")] = true
	}
	for w := range words {
		scan, err := pgquery.Scan(w)
		if err != nil || len(scan.Tokens) != 1 {
			continue
		}
		if want := postgresClasses[scan.Tokens[0].KeywordKind]; Keyword(w) != want {
			t.Errorf("%s is of class %d, want %d", w, Keyword(w), want)
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
	if _, err := pgquery.Parse(text); err != nil {
		t.Error(err)
	}
	for w := range asLabels {
		if w == "isnull" || w == "notnull" { // these are operators then
			continue
		}
		if _, err := pgquery.Parse("select 1 " + w); err == nil {
			t.Errorf("%s is an alias without AS", w)
		}
	}
}
