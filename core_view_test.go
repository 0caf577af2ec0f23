package cubeloom

import "testing"

// TestViewsOfTheCatalog makes views over the relations and functions of the system that
// list views.
func TestViewsOfTheCatalog(t *testing.T) {
	_, s := memorySession(t, 1<<30)
	for _, text := range []string{
		"CREATE VIEW v AS SELECT relname FROM pg_class",
		"CREATE VIEW w AS SELECT a.attname, pg_get_viewdef('v'::regclass) AS d, v.relname FROM pg_attribute a, v",
		"CREATE VIEW x AS SELECT *, 'w'::regclass AS r FROM pg_views",
		"CREATE VIEW y AS SELECT column_name FROM information_schema.columns WHERE table_name = 'y'",
	} {
		mustRows(t, s, text)
	}
	for query, want := range map[string]string{
		"SELECT string_agg(attname || ' ' || atttypid::regtype, ', ' ORDER BY attnum) FROM pg_attribute WHERE attrelid = 'w'::regclass": "attname text, d text, relname text",
		"SELECT count(*) FROM v": "4",
		"SELECT count(*) FROM w WHERE attname = 'relname' AND relname = 'v'": "2",
		"SELECT pg_get_viewdef('w'::regclass) LIKE '%pg_attribute a, v%'":    "t",
		"SELECT count(*) FROM x WHERE viewname = 'x'":                        "1",
		"SELECT * FROM y": "column_name",
	} {
		if got := mustRows(t, s, query); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %s", query, got, want)
		}
	}
	mustRows(t, s, "SELECT set_config('search_path', '', false)")
	if got := mustRows(t, s, "SELECT pg_get_viewdef('public.w'::regclass) LIKE '%pg_attribute a, public.v%'")[0]; got != "t" {
		t.Error("the text of a view does not name the schema")
	}
}
