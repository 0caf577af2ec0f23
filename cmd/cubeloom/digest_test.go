package main

import (
	"testing"

	"github.com/cubeloom/cubeloom"
)

// TestAnswersAgree compares answers to a query with those of others.
func TestAnswersAgree(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	const query = "SELECT n, 'a' || n AS t, n / 10.0 AS p, n::float8 / 3 AS f, DATE '2026-01-01' + n AS d, CASE WHEN n <> 2 THEN n END AS c FROM generate_series(1, 3) AS s(n)"
	for _, c := range []struct {
		other string
		same  bool
	}{
		{query + " ORDER BY n DESC", true},
		{"SELECT n, t, p, f + 1e-14, d, c FROM (" + query + ") q", true},
		{"SELECT n, t, p, f + 1e-9, d, c FROM (" + query + ") q", false},
		{"SELECT n, t, p, CASE WHEN n < 3 THEN f END, d, c FROM (" + query + ") q", false},
		{"SELECT n, t || '', p + 0.1, f, d, c FROM (" + query + ") q", false},
		{"SELECT n, t || 'b', p, f, d, c FROM (" + query + ") q", false},
		{"SELECT n, t, p, f, d + 1, c FROM (" + query + ") q", false},
		{"SELECT n, t, p, f, d, coalesce(c, 0) FROM (" + query + ") q", false},
		{query + " LIMIT 2", false},
		{query + " UNION ALL SELECT * FROM (" + query + ") q WHERE n = 1", false},
	} {
		var results [2]*cubeloom.Result
		for i, text := range []string{query, c.other} {
			if results[i], err = db.Session().Query(t.Context(), text); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
		}
		if err := sameRows(results[0], results[1]); (err == nil) != c.same {
			t.Errorf("%s: %v", c.other, err)
		}
	}
}
