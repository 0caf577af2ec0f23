package sql

import (
	"reflect"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// Parsed is a statement of a script, with its own text and where that begins.
// The positions in the tree are offsets into the whole script.
type Parsed struct {
	Statement Statement
	Text      string
	Offset    int
	Cut       []dialect.CutName // names that were too long
	Locks     bool              // it may have locking clauses
}

// Parse parses one statement; a semicolon may end it. The error is a
// *sqlstate.Error, whose position is a byte offset into the text.
func Parse(text string) (Statement, error) {
	list, err := ParseScript(text, nil)
	if err != nil {
		return nil, err
	}
	switch len(list) {
	case 0:
		return nil, sqlstate.ErrorAt(len(text), sqlstate.Syntax, "syntax error at end of input")
	case 1:
		return list[0].Statement, nil
	}
	return nil, sqlstate.ErrorAt(list[1].Offset, sqlstate.Syntax,
		"cannot insert multiple commands into a prepared statement")
}

// ParseExpr parses an expression, as the default of a column is one.
func ParseExpr(text string) (Expr, error) { return parseAlone(text, parts.expr) }

// ParseName parses a possibly qualified name.
func ParseName(text string) (Name, error) { return parseAlone(text, parts.tableName) }

// NameLength is the length in bytes of the possibly qualified name at the start of a text; 0
// where there is none.
func NameLength(text string) int {
	return lengthOf(text, func(c *dialect.Cursor) { c.QualifiedName() })
}

// IdentLength is the length in bytes of the identifier at the start of a text; 0 where there is
// none.
func IdentLength(text string) int {
	return lengthOf(text, func(c *dialect.Cursor) { c.Next() })
}

// lengthOf is the length of what is read at the start of a text.
func lengthOf(text string, read func(*dialect.Cursor)) int {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return 0
	}
	end, err := sqlstate.Try(func() int {
		read(cursor)
		return cursor.LastEnd()
	})
	if err != nil {
		return 0
	}
	return end
}

// RenameColumnIn is the text of an expression with another name for a column.
func RenameColumnIn(text, from, to string) (string, error) {
	return columnAs(text, from, dialect.QuoteName(to))
}

// DomainCondition is the text of a condition of a domain with VALUE in capital letters.
func DomainCondition(text string) (string, error) { return columnAs(text, "value", "VALUE") }

// columnAs is the text of an expression with another text for the name of a column.
func columnAs(text, from, to string) (string, error) {
	e, err := ParseExpr(text)
	if err != nil {
		return "", err
	}
	for _, name := range columnsOf(e).lastFirst() {
		if last := name[len(name)-1]; last.Name == from {
			text = text[:last.Pos] + to + text[int(last.Pos)+IdentLength(text[last.Pos:]):]
		}
	}
	return text, nil
}

// Unqualified is the text of an expression without what stands before the names of columns.
func Unqualified(text string) (string, error) {
	e, err := ParseExpr(text)
	if err != nil {
		return "", err
	}
	for _, name := range columnsOf(e).lastFirst() {
		text = text[:name[0].Pos] + text[name[len(name)-1].Pos:]
	}
	return text, nil
}

// RenameTypesIn is a text with other names for types that are no keywords of the grammar: with what
// named gives for the parts of one, unless that is "". Parsed is the tree of the text.
func RenameTypesIn(text string, parsed any, named func(path []string) string) string {
	for _, t := range TypesIn(parsed) {
		if to := named(t.Path); to != "" {
			text = text[:t.Pos] + to + text[int(t.Pos)+NameLength(text[t.Pos:]):]
		}
	}
	return text
}

// RenameCallsIn is a text with other names for the functions that it calls, as RenameTypesIn has them for types.
func RenameCallsIn(text string, parsed any, named func(name Name) string) string {
	for _, name := range CallsIn(parsed) {
		if to, start := named(name), int(name[0].Pos); to != "" {
			text = text[:start] + to + text[start+NameLength(text[start:]):]
		}
	}
	return text
}

// CallsIn are the names of functions that a tree calls by their names, each place once, the last one of the
// text first.
func CallsIn(parsed any) []Name {
	s := &Sources{CTEs: map[string]bool{}}
	s.visit(reflect.ValueOf(parsed))
	return slices.DeleteFunc(s.calls.lastFirst(), func(n Name) bool { return n[0].Pos < 0 })
}

// TypesIn are the names of types in a tree that are no keywords of the grammar, each place once, the last
// one of the text first.
func TypesIn(parsed any) []TypeName {
	s := &Sources{CTEs: map[string]bool{}}
	s.visit(reflect.ValueOf(parsed))
	types := slices.DeleteFunc(s.types, func(t TypeName) bool { return t.Path == nil })
	slices.SortFunc(types, func(a, b TypeName) int { return int(b.Pos - a.Pos) })
	return slices.CompactFunc(types, func(a, b TypeName) bool { return a.Pos == b.Pos })
}

// parseAlone parses a text that is one part of a statement.
func parseAlone[T any](text string, read func(parts) T) (part T, err error) {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return part, err
	}
	return sqlstate.Try(func() T {
		p := parts{cursor}
		part := read(p)
		if p.Peek().Kind != dialect.End {
			panic(p.Unexpected())
		}
		return part
	})
}

// ParseScript parses the statements between semicolons. As in PostgreSQL, an
// error in any of them is an error of all. Text without a statement has none. Check,
// which may be nil, is called now and then; its error ends the parsing.
func ParseScript(text string, check func() error) ([]Parsed, error) {
	cursor, err := dialect.NewCursor(text, check)
	if err != nil {
		return nil, err
	}
	cursor.Write = writeParser{parts{cursor}}.inWith
	return sqlstate.Try(func() []Parsed { return parser{parts{cursor}}.script(check) })
}

// script reads the statements between semicolons.
func (p parser) script(check func() error) []Parsed {
	var list []Parsed
	for {
		for p.Accept(";") {
		}
		first := p.Peek()
		if first.Kind == dialect.End {
			return list
		}
		if check != nil && len(list)%checkStatements == checkStatements-1 {
			if err := check(); err != nil {
				panic(err)
			}
		}
		p.Locks = false
		stmt := p.statement()
		if end := p.Peek(); end.Kind != dialect.End && !end.Is(";") {
			panic(p.Unexpected())
		}
		list = append(list, Parsed{
			Statement: stmt,
			Text:      p.Text(first.Pos, p.LastEnd()),
			Offset:    first.Pos,
			Cut:       p.Cut(first.Pos, p.LastEnd()),
			Locks:     p.Locks,
		})
	}
}

// checkStatements is how many statements are parsed between two looks at whether to go
// on.
const checkStatements = 64

// ScriptPart is the text of one statement, which need not be valid.
type ScriptPart struct {
	Text       string
	Offset     int
	Terminated bool // by a semicolon
}

// Split cuts a text at the semicolons between statements, and leaves out what
// is blank or comment. The last part is not Terminated where its semicolon is
// missing, or a quote or comment in it has no end.
func Split(text string) ([]ScriptPart, error) {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return nil, err
	}
	var list []ScriptPart
	for {
		for cursor.Accept(";") {
		}
		first := cursor.Peek()
		if first.Kind == dialect.End {
			return list, nil
		}
		t := first
		for t.Kind != dialect.End && t.Kind != dialect.Invalid && !t.Is(";") {
			cursor.Next()
			t = cursor.Peek()
		}
		part := ScriptPart{Offset: first.Pos, Terminated: t.Is(";")}
		if t.Kind == dialect.Invalid {
			part.Text = text[first.Pos:]
			return append(list, part), nil
		}
		part.Text = text[first.Pos:cursor.LastEnd()]
		list = append(list, part)
	}
}

// OneLine writes statements in one line: comments and line breaks become blanks. It
// reports false where that cannot be done, because a literal goes over several lines
// or the text is not complete.
func OneLine(text string) (string, bool) {
	cursor, err := dialect.NewCursor(text, nil)
	if err != nil {
		return "", false
	}
	var line strings.Builder
	end := 0
	for t := cursor.Peek(); t.Kind != dialect.End; t = cursor.Peek() {
		cursor.Next()
		if t.Kind == dialect.Invalid || strings.ContainsAny(text[t.Pos:t.End], "\r\n") {
			return "", false
		}
		if gap := text[end:t.Pos]; line.Len() > 0 && strings.Trim(gap, " ") != "" {
			line.WriteByte(' ')
		} else if line.Len() > 0 {
			line.WriteString(gap)
		}
		line.WriteString(text[t.Pos:t.End])
		end = t.End
	}
	return line.String(), true
}
