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
func (p parts) options(style optionStyle) ([]Option, error) {
	if err := p.Expect("("); err != nil {
		return nil, err
	}
	return dialect.CommaListTo(p.Cursor, ")", func() (Option, error) { return p.option(style) })
}

// option reads one option, whose value is a word, a string or a number.
func (p parts) option(style optionStyle) (Option, error) {
	if t := p.Peek(); style == explainStyle && !t.IsWord() && !t.IsOneOf("analyze", "analyse", "format") {
		return Option{}, p.Unexpected()
	}
	o := Option{Name: p.Peek().Text, Pos: Pos(p.Peek().Pos)}
	if !p.Accept("format") {
		if _, err := p.Label(); err != nil {
			return o, err
		}
	}
	if o.Name == "analyse" {
		o.Name = "analyze"
	}
	bare := p.Peek().IsOneOf(",", ")")
	if style == tableStyle {
		bare = !p.Accept("=")
	}
	var err error
	switch {
	case bare:
		o.Bare = true
	case style == copyStyle && p.NextIs("("):
		o.List, err = p.valueList()
	case style == copyStyle && p.NextIs("*"):
		o.Value = p.Next().Text
		if !strings.HasPrefix(o.Name, "force_") {
			err = sqlstate.ErrorAt(int(o.Pos), sqlstate.InvalidParameter,
				"invalid argument of COPY option %q", o.Name)
		}
	case style == tableStyle && p.Peek().Kind == dialect.Word:
		o.Value = p.Next().Text
	case style == tableStyle && isOperator(p.Peek()):
		err = p.refuse("an operator as the value of an option")
	default:
		o.Value, err = p.value()
	}
	return o, err
}

func (p parts) valueList() ([]string, error) {
	p.Next()
	return dialect.CommaListTo(p.Cursor, ")", func() (string, error) {
		if k := p.Peek().Kind; k == dialect.Integer || k == dialect.Decimal {
			return "", p.Unexpected()
		}
		return p.value()
	})
}

func isOperator(t dialect.Token) bool {
	return t.Kind == dialect.Symbol && strings.Contains("+-*/<>=~!@#%^&|`?", t.Text[:1]) &&
		!t.IsOneOf("+", "-")
}

// value reads a word, a string or a number with an optional sign.
func (p parts) value() (string, error) {
	t := p.Peek()
	switch t.Kind {
	case dialect.String, dialect.Integer, dialect.Decimal:
		return p.Next().Text, nil
	}
	if t.IsWord() || t.IsOneOf("true", "false", "on") {
		return p.Next().Text, nil
	}
	if !t.IsOneOf("-", "+") {
		return "", p.Unexpected()
	}
	p.Next()
	number := p.Peek()
	if number.Kind != dialect.Integer && number.Kind != dialect.Decimal {
		return "", p.Unexpected()
	}
	p.Next()
	if t.Is("-") {
		return "-" + number.Text, nil
	}
	return number.Text, nil
}

// stringValue reads a string.
func (p parts) stringValue() (string, error) {
	if p.Peek().Kind != dialect.String {
		return "", p.Unexpected()
	}
	return p.Next().Text, nil
}
