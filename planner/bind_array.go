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
	elements, err := x.arrayElements(e.Array, e.Pos)
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

// arrayElements are the elements of ARRAY[…], of a literal like '{1,2}', of
// either with a cast, each of the array's type, and of a function of the embedder
// whose text is such an array.
func (x *exprBinder) arrayElements(array sql.Expr, pos sql.Pos) ([]sql.Expr, error) {
	switch array := array.(type) {
	case *sql.Array:
		if len(array.Exprs) > 0 {
			return array.Exprs, nil
		}
	case *sql.Literal:
		if array.Kind == sql.StringLiteral {
			return literalElements(array)
		}
	case *sql.Cast:
		if array.Type.Array {
			return x.castElements(array, pos)
		}
	case *sql.FuncCall:
		if elements, err := x.calledElements(array); elements != nil || err != nil {
			return elements, err
		}
	}
	return nil, notSupported(pos, "ANY and ALL of anything but a subquery, an ARRAY[…] with elements or a literal of an array are")
}

// castElements are the elements of an array that is cast to T[], each cast to T.
func (x *exprBinder) castElements(e *sql.Cast, pos sql.Pos) ([]sql.Expr, error) {
	elements, err := x.arrayElements(e.X, pos)
	if err != nil {
		return nil, err
	}
	typ := e.Type
	typ.Array = false
	casts := make([]sql.Expr, len(elements))
	for i, element := range elements {
		casts[i] = &sql.Cast{X: element, Type: typ, Pos: element.Position()}
	}
	return casts, nil
}

// calledElements are the elements of a function of the embedder, such as
// current_schemas(true); nil where the call is not one of those.
func (x *exprBinder) calledElements(e *sql.FuncCall) ([]sql.Expr, error) {
	if x.opts.SQLFunctions == nil {
		return nil, nil
	}
	args := make([]algebra.Expr, len(e.Args))
	for i, arg := range e.Args {
		var err error
		if args[i], err = x.expr(arg); err != nil {
			return nil, err
		}
	}
	text, err := x.opts.SQLFunctions(e.Name[len(e.Name)-1].Name, args)
	if text == "" || err != nil {
		return nil, value.At(err, int(e.Pos))
	}
	stmt, err := sql.Parse("SELECT " + text)
	if err != nil {
		return nil, inFunction(err, nameText(e.Name), e.Pos)
	}
	array, ok := stmt.(*sql.Query).Body.(*sql.Select).Items[0].Expr.(*sql.Array)
	if !ok {
		return nil, nil
	}
	return array.Exprs, nil
}

// literalElements reads an array literal like {1,2,NULL,"a b"}. Its elements have
// no type yet.
func literalElements(literal *sql.Literal) ([]sql.Expr, error) {
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
			elements = append(elements, &sql.Literal{Kind: sql.NullLiteral, Text: text, Pos: literal.Pos})
		case !quoted && strings.HasPrefix(text, "{"):
			return nil, notSupported(literal.Pos, "arrays of several dimensions are")
		case !quoted && text == "":
			return nil, malformed
		default:
			elements = append(elements, &sql.Literal{Kind: sql.StringLiteral, Text: text, Pos: literal.Pos})
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
