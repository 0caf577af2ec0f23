package randquery

import (
	"fmt"
	"strings"
)

// source replaces parts of a source.
func (w *rewriter) source(s *source) {
	s.query = w.query(s.query)
	switch {
	case s.join != "":
		w.source(s.left)
		w.source(s.right)
		w.join(s)
	case s.query == nil && !w.plain && !strings.Contains(s.table, "("):
		if r, yes := w.chooses("table " + s.alias); yes {
			text := pick(r, "(SELECT * FROM %[1]s)", "(SELECT * FROM %[1]s UNION ALL SELECT * FROM %[1]s WHERE false)",
				"(SELECT * FROM %[1]s OFFSET 0)", "(SELECT * FROM %[1]s WHERE true)", "(TABLE %[1]s)", "(SELECT * FROM %[1]s EXCEPT ALL SELECT * FROM %[1]s WHERE 1 = 0)")
			s.table = fmt.Sprintf(text, s.table)
		}
	}
}

// join replaces a join and its condition.
func (w *rewriter) join(s *source) {
	if s.natural || len(s.using) > 0 {
		return // merged columns are those of the left side
	}
	full := strings.HasPrefix(s.join, "FULL")
	if s.on != nil && !full {
		s.on = w.expr(s.on)
	}
	var text strings.Builder
	s.write(&text)
	r, yes := w.chooses("join " + text.String())
	if !yes || s.hasLateral() {
		return
	}
	if inner := s.join == "JOIN" || s.join == "INNER JOIN"; s.join == "CROSS JOIN" && r.IntN(2) == 0 {
		s.join, s.on = "JOIN", leaf(Bool, "true")
	} else if !inner || r.IntN(2) == 0 {
		if s.right.join == "" { // what stands behind a join without parentheses is one source
			s.join = mirrored[s.join]
			if s.left.join == "" {
				s.left, s.right = s.right, s.left
			} else if inner {
				s.join = "JOIN"
			} else {
				s.join = mirrored[s.join]
			}
		}
	}
}

// hasLateral reports whether the order of the sides matters.
func (s *source) hasLateral() bool {
	return s != nil && (s.lateral || s.left.hasLateral() || s.right.hasLateral())
}

// mirrored are the joins with their sides exchanged.
var mirrored = map[string]string{
	"JOIN": "INNER JOIN", "INNER JOIN": "JOIN", "CROSS JOIN": "CROSS JOIN", "FULL JOIN": "FULL JOIN", "FULL OUTER JOIN": "FULL JOIN",
	"LEFT JOIN": "RIGHT JOIN", "LEFT OUTER JOIN": "RIGHT OUTER JOIN", "RIGHT JOIN": "LEFT JOIN", "RIGHT OUTER JOIN": "LEFT OUTER JOIN",
}
