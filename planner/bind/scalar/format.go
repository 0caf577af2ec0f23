package scalar

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Format binds format(pattern, …) of a constant pattern to concat of its parts.
func Format(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) == 0 {
		panic(term.NoFunction("format", nil, e.Pos))
	}
	pattern := convert.ExprAs(x, e.Args[0], algebra.TText, sqltype.Implicit)
	c, ok := pattern.(*algebra.Const)
	switch {
	case !ok:
		panic(term.NotSupported(e.Args[0].Position(), "format of a pattern that is not constant is"))
	case c.Val.Kind == value.Null:
		return c
	}
	parts, err := (&formatPattern{call: e, rest: c.Val.S}).parts()
	if err != nil {
		panic(value.At(err, int(e.Pos)))
	}
	return ConcatAll(x, &sql.FuncCall{Name: e.Name, Args: parts, Pos: e.Pos})
}

// formatPattern is a pattern of format that is taken apart.
type formatPattern struct {
	call *sql.FuncCall
	rest string
	arg  int // of the last part; arguments count from 1
}

func (f *formatPattern) parts() ([]sql.Expr, error) {
	parts := []sql.Expr{f.text("")}
	for f.rest != "" {
		text, rest, found := strings.Cut(f.rest, "%")
		parts = append(parts, f.text(text))
		if f.rest = rest; !found {
			break
		}
		part, err := f.part()
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

func (f *formatPattern) text(s string) sql.Expr {
	return &sql.Literal{Kind: sql.StringLiteral, Text: s, Pos: f.call.Args[0].Position()}
}

// part reads what stands behind a percent sign: [n$]s, L or %.
func (f *formatPattern) part() (sql.Expr, error) {
	digits := f.rest[:len(f.rest)-len(strings.TrimLeft(f.rest, "0123456789"))]
	if strings.HasPrefix(f.rest[len(digits):], "$") && digits != "" {
		n, err := strconv.Atoi(digits)
		switch {
		case err != nil:
			return nil, value.Errorf(value.CodeNumericOutOfRange, "number is out of range")
		case n == 0:
			return nil, value.Errorf(value.CodeInvalidParameter, "format specifies argument 0, but arguments are numbered from 1")
		}
		f.arg, f.rest = n-1, f.rest[len(digits)+1:]
		digits = ""
	}
	if f.rest == "" {
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "unterminated format() type specifier",
			Hint: "For a single \"%\" use \"%%\".", Pos: value.NoPos,
		}
	}
	kind := f.rest[0]
	f.rest = f.rest[1:]
	switch {
	case kind == '%':
		return f.text("%"), nil
	case digits != "" || kind == '-' || kind == '*':
		return nil, value.Errorf(value.CodeFeatureNotSupported, "a width in the pattern of format is not supported")
	case kind == 'I':
		return nil, value.Errorf(value.CodeFeatureNotSupported, "%%I in the pattern of format is not supported")
	case kind != 's' && kind != 'L':
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "unrecognized format() type specifier \"" + string(kind) + "\"",
			Hint: "For a single \"%\" use \"%%\".", Pos: value.NoPos,
		}
	}
	if f.arg++; f.arg >= len(f.call.Args) {
		return nil, value.Errorf(value.CodeInvalidParameter, "too few arguments for format()")
	}
	arg := f.call.Args[f.arg]
	if kind == 's' {
		return arg, nil
	}
	text := &sql.Cast{X: arg, Type: sql.TypeName{Name: "text", Pos: arg.Position()}, Pos: arg.Position()}
	return &sql.FuncCall{Name: sql.Name{{Name: "quote_nullable", Pos: f.call.Pos}}, Args: []sql.Expr{text}, Pos: f.call.Pos}, nil
}
