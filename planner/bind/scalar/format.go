package scalar

import (
	"strconv"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/expression"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Format binds format(pattern, …): of a constant pattern to concat of its parts, unless it has
// names among them, and of any other to a routine.
func Format(x *scope.Exprs, e *sql.FuncCall) algebra.Expr {
	if len(e.Args) == 0 {
		panic(term.NoFunction("format", nil, e.Pos))
	}
	first, at := convert.Args(x, &sql.FuncCall{Args: e.Args[:1]})
	if !term.IsTextual(first[0]) {
		args, _ := convert.Args(x, e)
		panic(term.NoFunction("format", args, e.Pos))
	}
	pattern := convert.Coerce(x, first[0], algebra.TText, sqltype.Implicit, at[0])
	if c, ok := pattern.(*algebra.Const); ok && c.Val.Kind != value.Null {
		parts, err := sqlstate.Try(func() []sql.Expr { return (&constantFormat{e}).parts(c.Val.S) })
		switch {
		case err != nil:
			panic(value.At(err, int(e.Pos)))
		case parts != nil:
			return ConcatAll(x, &sql.FuncCall{Name: e.Name, Args: parts, Pos: e.Pos})
		}
	}
	args, positions := convert.Args(x, &sql.FuncCall{Args: e.Args[1:]})
	texts := make([]algebra.Expr, len(args))
	for i := range texts {
		texts[i] = outputText(x, args[i], positions[i])
	}
	return FormatArray(x, pattern, expression.ArrayOf(x, texts, algebra.TText, e.Pos), e.Pos)
}

// FormatArray is format of a pattern with the texts of an array.
func FormatArray(x *scope.Exprs, pattern, texts algebra.Expr, pos sql.Pos) algebra.Expr {
	return x.Folded(term.Call(value.Format, algebra.TText, pos, pattern, texts, term.TextConst(quotedWords())))
}

// quotedWords are the words that are names only in quotes.
var quotedWords = sync.OnceValue(func() string {
	return " " + strings.Join(dialect.QuotedWords(), " ") + " "
})

// constantFormat is a call of format whose pattern is constant.
type constantFormat struct{ call *sql.FuncCall }

// parts are what the call concatenates; nil where there are names, which NULL must not be. It
// panics with the error of the pattern.
func (f *constantFormat) parts(pattern string) []sql.Expr {
	parts, names := []sql.Expr{f.text("")}, false
	for part := range value.FormatParts(pattern, len(f.call.Args)-1) {
		parts = append(parts, f.text(part.Text))
		if names = names || part.Kind == 'I'; part.Kind != 0 {
			parts = append(parts, f.padded(f.argument(part.Kind, part.Arg), f.width(part), part.Left))
		}
	}
	if names {
		return nil
	}
	return parts
}

func (f *constantFormat) text(s string) sql.Expr {
	return &sql.Literal{Kind: sql.StringLiteral, Text: s, Pos: f.call.Args[0].Position()}
}

// width is the least number of characters of a part, nil for none. NULL is no width.
func (f *constantFormat) width(part value.FormatPart) sql.Expr {
	switch {
	case part.WidthArg == 0 && part.Width == 0:
		return nil
	case part.WidthArg == 0:
		return f.number(strconv.FormatInt(part.Width, 10))
	}
	width := f.call.Args[part.WidthArg]
	for _, name := range []string{"text", "integer"} {
		width = &sql.Cast{X: width, Type: sql.TypeName{Name: name, Pos: f.call.Pos}, Pos: f.call.Pos}
	}
	return f.apply("coalesce", width, f.number("0"))
}

func (f *constantFormat) number(digits string) sql.Expr {
	return &sql.Literal{Kind: sql.IntegerLiteral, Text: digits, Pos: f.call.Pos}
}

// argument is the argument of a part: as text, or as a literal.
func (f *constantFormat) argument(kind byte, i int) sql.Expr {
	arg := f.call.Args[i]
	if kind != 'L' {
		return arg
	}
	null := sql.When{Cond: &sql.Is{X: arg, What: "null", Pos: f.call.Pos}, Then: f.text("NULL")}
	quoted := f.apply("quote_literal", f.apply("concat", arg)) // with the blanks of character(n)
	return &sql.Case{Whens: []sql.When{null}, Else: quoted, Pos: f.call.Pos}
}

// padded is a part with blanks before or behind it, to so many characters at least. A width below 0 is one to the left.
func (f *constantFormat) padded(part, width sql.Expr, left bool) sql.Expr {
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
func (f *constantFormat) apply(name string, args ...sql.Expr) sql.Expr {
	return &sql.FuncCall{Name: sql.Name{{Name: name, Pos: f.call.Pos}}, Args: args, Pos: f.call.Pos}
}
