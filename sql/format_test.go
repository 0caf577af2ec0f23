package sql

import (
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

// Format writes a statement as SQL: operators in parentheses, keywords in
// lower case, names quoted where they must be. Parsing the text again gives
// the same tree but for its positions.
func Format(s Statement) string {
	f := &formatter{}
	f.statement(s)
	return f.String()
}

// formatter collects the text.
type formatter struct{ strings.Builder }

// put writes texts one after the other.
func (f *formatter) put(texts ...string) {
	for _, s := range texts {
		f.WriteString(s)
	}
}

// putIf writes the text if cond holds.
func (f *formatter) putIf(cond bool, text string) {
	if cond {
		f.WriteString(text)
	}
}

// each writes n things with commas between.
func (f *formatter) each(n int, write func(i int)) {
	for i := range n {
		f.putIf(i > 0, ", ")
		write(i)
	}
}

// quoteName quotes a name unless it reads back as it is as a column, a table
// and an alias.
func quoteName(name string) string {
	if dialect.IsPlain(name) && dialect.Keyword(name) <= dialect.Unreserved {
		return name
	}
	return dialect.QuoteIdent(name)
}

// quoteLabel quotes a name unless it reads back as it is where any keyword may
// stand.
func quoteLabel(name string) string {
	if dialect.IsPlain(name) {
		return name
	}
	return dialect.QuoteIdent(name)
}

func quoteString(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func (f *formatter) name(n Name) {
	for i, id := range n {
		f.putIf(i > 0, ".")
		f.put(quoteName(id.Name))
	}
}

// relation writes a table's name, with ONLY before it or not.
func (f *formatter) relation(n Name, only bool) {
	f.putIf(only, "only ")
	f.name(n)
}

func (f *formatter) idents(list []Ident) {
	f.put("(")
	f.each(len(list), func(i int) { f.put(quoteName(list[i].Name)) })
	f.put(")")
}

func (f *formatter) exprs(list []Expr) {
	f.each(len(list), func(i int) { f.expr(list[i]) })
}

func (f *formatter) typeName(t TypeName) {
	name, zone, _ := strings.Cut(t.Name, " with")
	f.put(name)
	if len(t.Args) > 0 && t.Field == "" {
		f.typeArgs(t.Args)
	}
	f.putIf(zone != "", " with"+zone)
	if t.Field != "" {
		f.put(" ", t.Field)
		f.typeArgs(t.Args)
	}
	f.putIf(t.Array, "[]")
}

func (f *formatter) typeArgs(args []int) {
	if len(args) == 0 {
		return
	}
	f.put("(")
	f.each(len(args), func(i int) { f.put(strconv.Itoa(args[i])) })
	f.put(")")
}
