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

// part reads what stands behind a percent sign: %, or [n$][-][width] and s, I or L, with * or *n$ for the width that an
// argument is.
func (f *formatPattern) part() (sql.Expr, error) {
	if rest, ok := strings.CutPrefix(f.rest, "%"); ok {
		f.rest = rest
		return f.text("%"), nil
	}
	position, err := f.position()
	if err != nil {
		return nil, err
	}
	left := strings.HasPrefix(f.rest, "-")
	f.rest = strings.TrimLeft(f.rest, "-")
	width, err := f.width()
	if err != nil {
		return nil, err
	}
	if position > 0 {
		f.arg = position - 1
	}
	if f.rest == "" {
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "unterminated format() type specifier",
			Hint: "For a single \"%\" use \"%%\".", Pos: value.NoPos,
		}
	}
	kind := f.rest[0]
	f.rest = f.rest[1:]
	if kind != 's' && kind != 'I' && kind != 'L' {
		return nil, &value.Error{
			Code: value.CodeInvalidParameter, Message: "unrecognized format() type specifier \"" + string(kind) + "\"",
			Hint: "For a single \"%\" use \"%%\".", Pos: value.NoPos,
		}
	}
	if err := f.take(); err != nil {
		return nil, err
	}
	return f.padded(f.argument(kind), width, left), nil
}

// take makes the next argument the current one.
func (f *formatPattern) take() error {
	if f.arg++; f.arg >= len(f.call.Args) {
		return value.Errorf(value.CodeInvalidParameter, "too few arguments for format()")
	}
	return nil
}

// position reads the number of an argument before a dollar sign, 0 for none.
func (f *formatPattern) position() (int, error) {
	digits := f.digits()
	if digits == "" || !strings.HasPrefix(f.rest[len(digits):], "$") {
		return 0, nil
	}
	n, err := strconv.ParseInt(digits, 10, 32)
	switch {
	case err != nil:
		return 0, value.Errorf(value.CodeNumericOutOfRange, "number is out of range")
	case n == 0:
		return 0, value.Errorf(value.CodeInvalidParameter, "format specifies argument 0, but arguments are numbered from 1")
	}
	f.rest = f.rest[len(digits)+1:]
	return int(n), nil
}

// width reads the least number of characters of a part, nil for none.
func (f *formatPattern) width() (sql.Expr, error) {
	if rest, ok := strings.CutPrefix(f.rest, "*"); ok {
		f.rest = rest
		return f.widthOfArgument()
	}
	digits := f.digits()
	if digits == "" {
		return nil, nil
	}
	f.rest = f.rest[len(digits):]
	if _, err := strconv.ParseInt(digits, 10, 32); err != nil {
		return nil, value.Errorf(value.CodeNumericOutOfRange, "number is out of range")
	}
	return f.number(digits), nil
}

// widthOfArgument is the next argument, or that whose number comes; NULL is no width.
func (f *formatPattern) widthOfArgument() (sql.Expr, error) {
	digits := f.digits()
	if digits != "" && !strings.HasPrefix(f.rest[len(digits):], "$") {
		return nil, value.Errorf(value.CodeInvalidParameter, "width argument position must be ended by \"$\"")
	}
	position, err := f.position()
	if err != nil {
		return nil, err
	}
	if position > 0 {
		f.arg = position - 1
	}
	if err := f.take(); err != nil {
		return nil, err
	}
	width := f.call.Args[f.arg]
	for _, name := range []string{"text", "integer"} {
		width = &sql.Cast{X: width, Type: sql.TypeName{Name: name, Pos: f.call.Pos}, Pos: f.call.Pos}
	}
	return f.apply("coalesce", width, f.number("0")), nil
}

func (f *formatPattern) number(digits string) sql.Expr {
	return &sql.Literal{Kind: sql.IntegerLiteral, Text: digits, Pos: f.call.Pos}
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

// padded is a part with blanks before or behind it, to so many characters at least. A width below 0 is one to the left.
func (f *formatPattern) padded(part, width sql.Expr, left bool) sql.Expr {
	if width == nil {
		return part
	}
	text := f.apply("concat", part) // NULL is nothing
	padded := func(name string, width sql.Expr) sql.Expr {
		return f.apply(name, text, f.apply("greatest", f.apply("length", text), width))
	}
	toLeft := padded("rpad", f.apply("abs", width))
	if left {
		return toLeft
	}
	negative := &sql.Binary{Op: "<", L: width, R: f.number("0"), Pos: f.call.Pos}
	return &sql.Case{Whens: []sql.When{{Cond: negative, Then: toLeft}}, Else: padded("lpad", width), Pos: f.call.Pos}
}

// apply is a call of a function.
func (f *formatPattern) apply(name string, args ...sql.Expr) sql.Expr {
	return &sql.FuncCall{Name: sql.Name{{Name: name, Pos: f.call.Pos}}, Args: args, Pos: f.call.Pos}
}
