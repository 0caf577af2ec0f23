package planner

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/cubeloom/cubeloom/sql"
)

// quantifiedArray binds x op ANY (array) as an OR of comparisons, and what means
// IN or NOT IN as that. The array is ARRAY[…] or a literal of an array type, as
// postgres_fdw writes lists.
func (x *exprBinder) quantifiedArray(e *sql.Quantified) (algebra.Expr, error) {
	elements, err := arrayElements(e)
	if err != nil {
		return nil, err
	}
	_, constructed := e.Array.(*sql.Array)
	switch {
	case len(elements) == 0:
		return x.emptyArray(e)
	case !constructed && !e.All && e.Op == "=", !constructed && e.All && e.Op == "<>":
		return x.in(&sql.In{X: e.X, List: elements, Not: e.All, Pos: e.Pos})
	}
	l, err := x.expr(e.X)
	if err != nil {
		return nil, err
	}
	tests := make([]algebra.Expr, len(elements))
	for i, element := range elements {
		r, err := x.expr(element)
		if err != nil {
			return nil, err
		}
		if tests[i], err = x.quantifiedTest(l, r, e.X.Position(), e); err != nil {
			return nil, err
		}
	}
	return negateIf(e.All, connect(algebra.Or, tests, e.Pos)), nil
}

// emptyArray binds a test against no elements: ANY fails it, ALL passes.
func (x *exprBinder) emptyArray(e *sql.Quantified) (algebra.Expr, error) {
	if _, err := x.expr(e.X); err != nil {
		return nil, err
	}
	return &algebra.Const{Val: value.Value{Kind: value.Bool, B: e.All}, Typ: algebra.TBool}, nil
}

// arrayElements are the elements of the array of e, each of the array's type.
func arrayElements(e *sql.Quantified) ([]sql.Expr, error) {
	refused := notSupported(e.Pos, "ANY and ALL of anything but a subquery, an ARRAY[…] with elements or a literal of an array type are")
	switch array := e.Array.(type) {
	case *sql.Array:
		if len(array.Exprs) > 0 {
			return array.Exprs, nil
		}
	case *sql.Cast:
		literal, ok := array.X.(*sql.Literal)
		if !ok || literal.Kind != sql.StringLiteral || !array.Type.Array {
			return nil, refused
		}
		typ := array.Type
		typ.Array = false
		return literalElements(literal, typ)
	}
	return nil, refused
}

// literalElements reads an array literal like {1,2,NULL,"a b"} of elements of a
// type.
func literalElements(literal *sql.Literal, typ sql.TypeName) ([]sql.Expr, error) {
	malformed := value.ErrorAt(int(literal.Pos), value.CodeInvalidText, "malformed array literal: \"%s\"", literal.Text)
	inner, opened := strings.CutPrefix(strings.TrimSpace(literal.Text), "{")
	inner, closed := strings.CutSuffix(inner, "}")
	if !opened || !closed {
		return nil, malformed
	}
	if strings.TrimSpace(inner) == "" {
		return nil, nil
	}
	var elements []sql.Expr
	for rest, more := inner, true; more; {
		var text string
		var quoted bool
		var ok bool
		if text, quoted, rest, more, ok = cutElement(rest); !ok {
			return nil, malformed
		}
		switch {
		case !quoted && strings.EqualFold(text, "null"):
			null := &sql.Literal{Kind: sql.NullLiteral, Text: text, Pos: literal.Pos}
			elements = append(elements, &sql.Cast{X: null, Type: typ, Pos: literal.Pos})
		case !quoted && strings.HasPrefix(text, "{"):
			return nil, notSupported(literal.Pos, "arrays of several dimensions are")
		case !quoted && text == "":
			return nil, malformed
		default:
			elements = append(elements, &sql.TypedLiteral{Type: typ, Text: text, Pos: literal.Pos})
		}
	}
	return elements, nil
}

// cutElement reads the first element of the inside of an array literal, and tells
// what follows the comma behind it, if there is one.
func cutElement(s string) (text string, quoted bool, rest string, more, ok bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	var out strings.Builder
	within := strings.HasPrefix(s, `"`)
	quoted = within
	i := 0
	if quoted {
		i = 1
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s):
			i++
			out.WriteByte(s[i])
		case c == '"' && !within, c == '\\':
			return "", false, "", false, false
		case c == '"':
			within = false
			tail := strings.TrimLeft(s[i+1:], " \t\n\v\f\r")
			if tail != "" && tail[0] != ',' {
				return "", false, "", false, false
			}
			return out.String(), true, strings.TrimPrefix(tail, ","), tail != "", true
		case !within && (c == '}' || c == '{' && strings.TrimSpace(out.String()) != ""):
			return "", false, "", false, false
		case c == ',' && !within:
			return strings.TrimRight(out.String(), " \t\n\v\f\r"), false, s[i+1:], true, true
		default:
			out.WriteByte(c)
		}
	}
	return strings.TrimRight(out.String(), " \t\n\v\f\r"), false, "", false, !within
}
