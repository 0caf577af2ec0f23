package dialect

import (
	"slices"
	"strings"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	End     Kind = iota
	Invalid      // what the lexer cannot read; always the last token
	Word         // an identifier or keyword, in lower case
	Quoted       // "identifier", U&"identifier"
	String       // any kind of string literal, escapes resolved
	Bits         // B'101', X'1F'
	Integer      // decimal digits, whatever base it was written in
	Decimal      // digits with a point or an exponent
	Param        // $1: the digits
	Symbol       // an operator or punctuation
)

// Token is one token of PostgreSQL's SQL.
type Token struct {
	Kind  Kind
	Class KeywordClass // of a Word
	Text  string
	Pos   int // byte offset of the first byte
	End   int // byte offset after the last byte
}

// Is reports whether the token is this keyword, operator or punctuation. A
// quoted identifier is never a keyword.
func (t Token) Is(text string) bool {
	return (t.Kind == Word || t.Kind == Symbol) && t.Text == text
}

// IsOneOf reports whether the token is one of these keywords or symbols.
func (t Token) IsOneOf(texts ...string) bool {
	return slices.ContainsFunc(texts, t.Is)
}

// IsName reports whether the token can be a column or table name.
func (t Token) IsName() bool {
	return t.Kind == Quoted || t.Kind == Word && t.Class <= ColumnName
}

// isTypeOrFunction reports whether the token can name a type or a function.
func (t Token) isTypeOrFunction() bool {
	return t.Kind == Quoted ||
		t.Kind == Word && (t.Class <= Unreserved || t.Class == TypeOrFunctionName)
}

// IsWord reports whether the token can stand where any keyword but a reserved one
// can.
func (t Token) IsWord() bool {
	return t.Kind == Quoted || t.Kind == Word && t.Class < Reserved
}

// isLabel reports whether the token can be an alias after AS.
func (t Token) isLabel() bool {
	return t.Kind == Quoted || t.Kind == Word && t.Class != Paired
}

// isBareLabel reports whether the token can be an alias without AS.
func (t Token) isBareLabel() bool {
	return t.isLabel() && (t.Kind == Quoted || !asLabels[t.Text])
}

// isGenericOperator reports whether the token is an operator that has no
// precedence of its own in PostgreSQL's grammar.
func (t Token) isGenericOperator() bool {
	if t.Kind != Symbol {
		return false
	}
	switch t.Text {
	case "+", "-", "*", "/", "%", "^", "<", ">", "=", "<=", ">=", "<>", "=>":
		return false
	}
	return isOperatorByte(t.Text[0])
}

func isOperatorByte(c byte) bool {
	return strings.IndexByte("~!@#^&|`?+-*/%<>=", c) >= 0
}
