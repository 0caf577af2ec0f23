package sql

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// nestings build a statement of any depth or length.
var nestings = map[string]func(n int) string{
	"parentheses":    func(n int) string { return "select " + around("(", "1", ")", n) },
	"subqueries":     func(n int) string { return around("select (", "select 1", ")", n) },
	"derived tables": func(n int) string { return around("select * from (", "select 1", ") x", n) },
	"in":             func(n int) string { return around("select 1 in (", "select 1", ")", n) },
	"with":           func(n int) string { return around("with x as (", "select 1", ") select 1", n) },
	"set operations": func(n int) string { return around("(", "select 1", " union select 1)", n) },
	"case":           func(n int) string { return "select " + around("case when a then ", "1", " end", n) },
	"calls":          func(n int) string { return "select " + around("f(", "1", ")", n) },
	"casts":          func(n int) string { return "select " + around("cast(", "1", " as int)", n) },
	"not":            func(n int) string { return "select " + around("not ", "a", "", n) },
	"minus":          func(n int) string { return "select " + around("- ", "a", "", n) },
	"operators":      func(n int) string { return "select " + around("@ ", "a", "", n) },
	"arrays":         func(n int) string { return "select array" + around("[", "1", "]", n) },
	"rows":           func(n int) string { return "select " + around("row(", "1", ")", n) },
	"joins":          func(n int) string { return "select * from " + around("(", "a", " cross join b)", n) },
	"right joins":    func(n int) string { return "select * from " + around("a join ", "b", " on true", n) },
	"tables":         func(n int) string { return "select * from " + around("(", "a cross join b", ")", n) },
	"grouping sets":  func(n int) string { return "select group by " + around("grouping sets (", "a", ")", n) },
	"query in from":  func(n int) string { return "select * from " + around("(", "select 1", ")", n) },
	"query":          func(n int) string { return around("(", "select 1", ")", n) },
	"mixed":          func(n int) string { return "select " + around("((", "select 1", ") + 1)", n) },
	"sum":            func(n int) string { return "select 1" + strings.Repeat(" + 1", n) },
	"or":             func(n int) string { return "select a = 1" + strings.Repeat(" or a = 1", n) },
	"colons":         func(n int) string { return "select a" + strings.Repeat("::int", n) },
	"is null":        func(n int) string { return "select a" + strings.Repeat(" is null", n) },
	"union":          func(n int) string { return "select 1" + strings.Repeat(" union select 1", n) },
	"join":           func(n int) string { return "select * from a" + strings.Repeat(" join b using (c)", n) },
	"power":          func(n int) string { return "select a" + strings.Repeat(" ^ b", n) },
	"between":        func(n int) string { return "select a" + strings.Repeat(" between b and c and a", n) },
	"subscripts":     func(n int) string { return "select (a)" + strings.Repeat("[1]", n) },
}

func around(before, middle, after string, n int) string {
	return strings.Repeat(before, n) + middle + strings.Repeat(after, n)
}

// tooDeep reports whether a statement is refused as it should be.
func tooDeep(err error) bool {
	var e *sqlstate.Error
	return errors.As(err, &e) && (e.Code == sqlstate.TooComplex || e.Code == sqlstate.FeatureNotSupported)
}

func TestNesting(t *testing.T) {
	for name, build := range nestings {
		for _, n := range []int{1, 1000, 4000, 20000} {
			start := time.Now()
			stmt, err := Parse(build(n))
			if n <= 1000 && err != nil && !tooDeep(err) || n >= 20000 && !tooDeep(err) {
				t.Errorf("%s, %d deep: %v", name, n, err)
			}
			if err == nil {
				text := Format(stmt)
				if again, err := Parse(text); err != nil {
					t.Errorf("%s, %d deep, printed: %v", name, n, err)
				} else if Format(again) != text {
					t.Errorf("%s, %d deep: prints differently again", name, n)
				}
			}
			if d := time.Since(start); d > time.Minute {
				t.Errorf("%s, %d deep: %v", name, n, d)
			}
		}
	}
}

// long are statements that are long without being deep.
var long = map[string]func(n int) string{
	"items":   func(n int) string { return "select 1" + strings.Repeat(", a", n) },
	"in":      func(n int) string { return "select a in (1" + strings.Repeat(", 2", n) + ")" },
	"values":  func(n int) string { return "insert into t values (1, 'a')" + strings.Repeat(", (1, 'a')", n) },
	"string":  func(n int) string { return "select '" + strings.Repeat("a''", n) + "'" },
	"escapes": func(n int) string { return "select E'" + strings.Repeat(`\n`, n) + "'" },
	"dollars": func(n int) string { return "select $a$" + strings.Repeat("$b", n) + "$a$" },
	"name":    func(n int) string { return `select "` + strings.Repeat("ab", n) + `"` },
	"number":  func(n int) string { return "select 1" + strings.Repeat("23", n) },
	"hex":     func(n int) string { return "select 0x" + strings.Repeat("F", n/4) },
	"comment": func(n int) string { return "select 1 " + strings.Repeat("/*", n) + strings.Repeat("*/", n) },
	"case":    func(n int) string { return "select case" + strings.Repeat(" when a then 1", n) + " end" },
	"tables":  func(n int) string { return "select 1 from a" + strings.Repeat(", b", n) },
	"script":  func(n int) string { return "select 1" + strings.Repeat(";", n) },
	"blank":   func(n int) string { return "select 1" + strings.Repeat(" ", n) },
	"gaps":    func(n int) string { return "select 'a'" + strings.Repeat("\n'b'", n) },
}

func TestLong(t *testing.T) {
	for name, build := range long {
		text := build(50000)
		start := time.Now()
		stmt, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if printed := Format(stmt); outcome(printed) != printed {
			t.Errorf("%s: prints differently again", name)
		}
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: %v for %d bytes", name, d, len(text))
		}
	}
}
