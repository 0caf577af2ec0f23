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

// part reads what stands behind a percent sign: %, or [n$][-][width] and s, I or L.
func (f *formatPattern) part() (sql.Expr, error) {
	if rest, ok := strings.CutPrefix(f.rest, "%"); ok {
		f.rest = rest
		return f.text("%"), nil
	}
	if err := f.position(); err != nil {
		return nil, err
	}
	left := strings.HasPrefix(f.rest, "-")
	f.rest = strings.TrimLeft(f.rest, "-")
	width, err := f.width()
	if err != nil {
		return nil, err
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
	case kind == '*':
		return nil, value.Errorf(value.CodeFeatureNotSupported, "a width of an argument in the pattern of format is not supported")
	case kind != 's' && kind != 'I' && kind != 'L':
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "unrecognized format() type specifier \"" + string(kind) + "\"",
			Hint: "For a single \"%\" use \"%%\".", Pos: value.NoPos,
		}
	}
	if f.arg++; f.arg >= len(f.call.Args) {
		return nil, value.Errorf(value.CodeInvalidParameter, "too few arguments for format()")
	}
	return f.padded(f.argument(kind), width, left), nil
}

// position reads the number of an argument before a dollar sign.
func (f *formatPattern) position() error {
	digits := f.digits()
	if digits == "" || !strings.HasPrefix(f.rest[len(digits):], "$") {
		return nil
	}
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return value.Errorf(value.CodeNumericOutOfRange, "number is out of range")
	case n == 0:
		return value.Errorf(value.CodeInvalidParameter, "format specifies argument 0, but arguments are numbered from 1")
	}
	f.arg, f.rest = n-1, f.rest[len(digits)+1:]
	return nil
}

// width reads the least number of characters of a part.
func (f *formatPattern) width() (int, error) {
	digits := f.digits()
	if digits == "" {
		return 0, nil
	}
	f.rest = f.rest[len(digits):]
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil {
		return 0, value.Errorf(value.CodeNumericOutOfRange, "number is out of range")
	}
	return int(n), nil
}

// digits are those that come next.
func (f *formatPattern) digits() string {
	return f.rest[:len(f.rest)-len(strings.TrimLeft(f.rest, "0123456789"))]
}

// argument is the argument of a part: as text, as an identifier, or as a literal.
func (f *formatPattern) argument(kind byte) sql.Expr {
	arg := f.call.Args[f.arg]
	shown := f.apply("concat", arg) // with the blanks of character(n)
	switch kind {
	case 'I':
		return f.apply("quote_ident", shown)
	case 'L':
		null := sql.When{Cond: &sql.Is{X: arg, What: "null", Pos: f.call.Pos}, Then: f.text("NULL")}
		return &sql.Case{Whens: []sql.When{null}, Else: f.apply("quote_literal", shown), Pos: f.call.Pos}
	}
	return arg
}

// padded is a part with blanks before or behind it, to so many characters at least.
func (f *formatPattern) padded(part sql.Expr, width int, left bool) sql.Expr {
	if width == 0 {
		return part
	}
	text := f.apply("concat", part) // NULL is nothing
	least := &sql.Literal{Kind: sql.IntegerLiteral, Text: strconv.Itoa(width), Pos: f.call.Pos}
	characters := f.apply("greatest", f.apply("length", text), least)
	if left {
		return f.apply("rpad", text, characters)
	}
	return f.apply("lpad", text, characters)
}

// apply is a call of a function.
func (f *formatPattern) apply(name string, args ...sql.Expr) sql.Expr {
	return &sql.FuncCall{Name: sql.Name{{Name: name, Pos: f.call.Pos}}, Args: args, Pos: f.call.Pos}
}
