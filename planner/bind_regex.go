package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// regexOps are the operators that match regular expressions.
var regexOps = map[string]sql.Like{"~": {}, "!~": {Not: true}, "~*": {Fold: true}, "!~*": {Not: true, Fold: true}}

// regex binds a match of a regular expression that says no more than a pattern
// of LIKE can, such as ^(name)$ or ^pg_; others are refused.
func (x *exprBinder) regex(e *sql.Binary, like sql.Like) (algebra.Expr, error) {
	pattern := e.R
	if c, ok := pattern.(*sql.Collate); ok {
		pattern = c.X
	}
	lit, ok := pattern.(*sql.Literal)
	if !ok || lit.Kind != sql.StringLiteral {
		return nil, notSupported(e.Pos, "the operator "+e.Op+" with a pattern that is not constant is")
	}
	text, ok := likePattern(lit.Text)
	if !ok {
		return nil, notSupported(e.Pos, "the operator "+e.Op+" with this regular expression is")
	}
	like.X, like.Pos = e.L, e.Pos
	like.Pattern = &sql.Literal{Kind: sql.StringLiteral, Text: text, Pos: lit.Pos}
	return x.like(&like)
}

// likePattern gives the pattern of LIKE that matches what a regular expression
// does.
func likePattern(regex string) (string, bool) {
	body, start := strings.CutPrefix(regex, "^")
	body, end := cutEnd(body)
	if inner, ok := strings.CutPrefix(body, "("); ok && start && end {
		if body, ok = strings.CutSuffix(inner, ")"); !ok {
			return "", false
		}
	}
	var out strings.Builder
	if !start {
		out.WriteByte('%')
	}
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '.' && i+1 < len(body) && body[i+1] == '*':
			out.WriteByte('%')
			i++
		case c == '.':
			out.WriteByte('_')
		case c == '\\' && i+1 < len(body) && !isWordByte(body[i+1]):
			i++
			writeLiteral(&out, body[i])
		case strings.IndexByte(`\^$()[]{}|?*+`, c) >= 0:
			return "", false
		default:
			if i+1 < len(body) && strings.IndexByte("?*+{", body[i+1]) >= 0 {
				return "", false
			}
			writeLiteral(&out, c)
		}
	}
	if !end {
		out.WriteByte('%')
	}
	return out.String(), true
}

// cutEnd cuts the anchor at the end.
func cutEnd(body string) (string, bool) {
	if strings.HasSuffix(body, `\$`) {
		return body, false
	}
	return strings.CutSuffix(body, "$")
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// writeLiteral writes a byte that stands for itself.
func writeLiteral(out *strings.Builder, c byte) {
	if c == '%' || c == '_' || c == '\\' {
		out.WriteByte('\\')
	}
	out.WriteByte(c)
}

// collate binds x COLLATE name: the one order of texts is that of "C", which
// the database's default is too.
func (x *exprBinder) collate(e *sql.Collate) (algebra.Expr, error) {
	switch name := e.Name[len(e.Name)-1].Name; name {
	case "default", "C", "POSIX", "ucs_basic", "C.UTF-8", "C.utf8":
		return x.expr(e.X)
	default:
		return nil, value.ErrorAt(int(e.Pos), value.CodeFeatureNotSupported, "the collation %q is not supported", name)
	}
}
