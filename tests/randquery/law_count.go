package randquery

import (
	"fmt"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// checkCount holds that as many rows pass the filter as make the condition true where
// it is an expression of the select list, which nothing can push down or look up. The
// conditions of inner joins become part of it in half of the cases.
func checkCount(c *Case, ask Ask) error {
	if c.Query.op != "" || c.Query.where == nil {
		return errNoSubject
	}
	r := c.rand()
	filtered := c.Query.clone()
	filtered.distinct = false
	unfiltered := filtered.clone()
	filtered.items = []item{{leaf(Big, "count(*)"), "n"}}
	condition := unfiltered.where
	unfiltered.where = nil
	if r.IntN(2) == 0 {
		for _, s := range unfiltered.from {
			condition = s.release(condition)
		}
	}
	counted := r.IntN(2) == 0
	if counted {
		sum := &Expr{kind: Big, parts: []string{"coalesce(sum(CASE WHEN ", " THEN 1 ELSE 0 END), 0)"}, kids: []*Expr{condition}}
		unfiltered.items = []item{{sum, "n"}}
	} else {
		unfiltered.items = []item{{&Expr{kind: Bool, parts: []string{"(", " IS TRUE)"}, kids: []*Expr{condition}}, "n"}}
	}
	want, err := ask(unfiltered.SQL(), false)
	if err != nil {
		return err
	}
	if !counted {
		want = count(want)
	}
	got, err := ask(filtered.SQL(), false)
	if err != nil {
		return err
	}
	if a, b := got.Rows[0][0].Text, want.Rows[0][0].Text; a != b {
		return violated("%s rows pass the filter, for %s rows its condition is true", a, b)
	}
	return nil
}

// count is the number of rows that are true.
func count(r *reference.Result) *reference.Result {
	n := 0
	for _, row := range r.Rows {
		if row[0].Text == "t" {
			n++
		}
	}
	return &reference.Result{Rows: [][]reference.Cell{{{Text: fmt.Sprint(n)}}}}
}

// release makes cross joins of the inner joins at the root of a source and returns the
// condition with theirs.
func (s *source) release(condition *Expr) *Expr {
	if s.join != "JOIN" && s.join != "INNER JOIN" && s.join != "CROSS JOIN" || s.natural || len(s.using) > 0 {
		return condition
	}
	if s.on != nil {
		condition = &Expr{kind: Bool, parts: []string{"(", " AND ", ")"}, kids: []*Expr{s.on, condition}}
		s.join, s.on = "CROSS JOIN", nil
	}
	return s.right.release(s.left.release(condition))
}
