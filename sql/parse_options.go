package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// optionStyle is what the options of a statement may look like.
type optionStyle uint8

const (
	explainStyle optionStyle = iota // name [value]
	copyStyle                       // name [value], name *, name (list)
	tableStyle                      // name [= value]
)

// options reads (name [value], …).
func (p parts) options(style optionStyle) []Option {
	p.Expect("(")
	return dialect.CommaListTo(p.Cursor, ")", func() Option { return p.option(style) })
}

// option reads one option, whose value is a word, a string or a number.
func (p parts) option(style optionStyle) Option {
	if t := p.Peek(); style == explainStyle && !t.IsWord() && !t.IsOneOf("analyze", "analyse", "format") {
		panic(p.Unexpected())
	}
	o := Option{Name: p.Peek().Text, Pos: Pos(p.Peek().Pos)}
	if !p.Accept("format") {
		p.Label()
	}
	if o.Name == "analyse" {
		o.Name = "analyze"
	}
	bare := p.Peek().IsOneOf(",", ")")
	if style == tableStyle {
		bare = !p.Accept("=")
	}
	switch {
	case bare:
		o.Bare = true
	case style == copyStyle && p.NextIs("("):
		o.List = p.valueList()
	case style == copyStyle && p.NextIs("*"):
		o.Value = p.Next().Text
		if !strings.HasPrefix(o.Name, "force_") {
			panic(sqlstate.ErrorAt(int(o.Pos), sqlstate.InvalidParameter,
				"invalid argument of COPY option %q", o.Name))
		}
	case style == tableStyle && p.Peek().Kind == dialect.Word:
		o.Value = p.Next().Text
	case style == tableStyle && isOperator(p.Peek()):
		panic(p.refuse("an operator as the value of an option"))
	default:
		o.Value = p.value()
	}
	return o
}

func (p parts) valueList() []string {
	p.Next()
	return dialect.CommaListTo(p.Cursor, ")", func() string {
		if k := p.Peek().Kind; k == dialect.Integer || k == dialect.Decimal {
			panic(p.Unexpected())
		}
		return p.value()
	})
}

func isOperator(t dialect.Token) bool {
	return t.Kind == dialect.Symbol && strings.Contains("+-*/<>=~!@#%^&|`?", t.Text[:1]) &&
		!t.IsOneOf("+", "-")
}

// value reads a word, a string or a number with an optional sign.
func (p parts) value() string {
	t := p.Peek()
	switch t.Kind {
	case dialect.String, dialect.Integer, dialect.Decimal:
		return p.Next().Text
	}
	if t.IsWord() || t.IsOneOf("true", "false", "on") {
		return p.Next().Text
	}
	if !t.IsOneOf("-", "+") {
		panic(p.Unexpected())
	}
	p.Next()
	number := p.Peek()
	if number.Kind != dialect.Integer && number.Kind != dialect.Decimal {
		panic(p.Unexpected())
	}
	p.Next()
	if t.Is("-") {
		return "-" + number.Text
	}
	return number.Text
}

// stringValue reads a string.
func (p parts) stringValue() string {
	if p.Peek().Kind != dialect.String {
		panic(p.Unexpected())
	}
	return p.Next().Text
}
