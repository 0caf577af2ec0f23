package sql

import (
	"strconv"

	"github.com/cubeloom/cubeloom/sql/dialect"
)

func (f *formatter) expr(e Expr) {
	switch e := e.(type) {
	case *Literal:
		f.literal(e)
	case *TypedLiteral:
		f.typedLiteral(e)
	case *ColumnRef:
		f.name(e.Name)
	case *Star:
		f.name(e.Qualifier)
		f.putIf(e.Qualifier != nil, ".")
		f.put("*")
	case *Param:
		f.put("$", strconv.Itoa(e.Index))
	case *Default:
		f.put("default")
	case *Unary:
		f.put("(", prefix(e.Op), " ")
		f.expr(e.X)
		f.put(")")
	case *Binary:
		f.infix(e.L, e.Op, e.R)
	case *FuncCall:
		f.call(e)
	case *NamedArg:
		f.put(quoteName(e.Name.Name), " => ")
		f.expr(e.Value)
	case *Row:
		f.put("row(")
		f.exprs(e.Exprs)
		f.put(")")
	case *Array:
		f.put("array[")
		f.exprs(e.Exprs)
		f.put("]")
	case *ArrayQuery:
		f.put("array(")
		f.query(e.Query)
		f.put(")")
	case *Subscript:
		f.subscript(e)
	case *Field:
		f.put("(")
		f.expr(e.X)
		f.put(").")
		if e.Star {
			f.put("*")
		} else {
			f.put(quoteName(e.Name.Name))
		}
	case *Exists:
		f.put("exists (")
		f.query(e.Query)
		f.put(")")
	case *Subquery:
		f.put("(")
		f.query(e.Query)
		f.put(")")
	case *Cast:
		f.put("cast(")
		f.expr(e.X)
		f.put(" as ")
		f.typeName(e.Type)
		f.put(")")
	case *Case:
		f.caseExpr(e)
	default:
		f.predicate(e)
	}
}

func (f *formatter) subscript(e *Subscript) {
	f.put("(")
	f.expr(e.X)
	f.put(")")
	for _, b := range e.Bounds {
		f.put("[")
		if b.Lower != nil {
			f.expr(b.Lower)
		}
		f.putIf(b.Slice, ":")
		if b.Upper != nil {
			f.expr(b.Upper)
		}
		f.put("]")
	}
}

// predicate writes the forms with keywords between the operands.
func (f *formatter) predicate(e Expr) {
	f.put("(")
	switch e := e.(type) {
	case *Is:
		f.expr(e.X)
		f.put(" is ", not(e.Not), e.What)
	case *IsDistinct:
		f.expr(e.L)
		f.put(" is ", not(e.Not), "distinct from ")
		f.expr(e.R)
	case *Between:
		f.expr(e.X)
		f.put(" ", not(e.Not), "between ")
		f.putIf(e.Symmetric, "symmetric ")
		f.expr(e.Lo)
		f.put(" and ")
		f.expr(e.Hi)
	case *In:
		f.in(e)
	case *Like:
		f.like(e)
	case *Quantified:
		f.quantified(e)
	case *Collate:
		f.expr(e.X)
		f.put(" collate ")
		f.name(e.Name)
	}
	f.put(")")
}

func not(not bool) string {
	if not {
		return "not "
	}
	return ""
}

func (f *formatter) infix(l Expr, op string, r Expr) {
	f.put("(")
	f.expr(l)
	f.put(" ", op, " ")
	f.expr(r)
	f.put(")")
}

func (f *formatter) literal(l *Literal) {
	switch l.Kind {
	case NullLiteral:
		f.put("null")
	case StringLiteral:
		f.put(quoteString(l.Text))
	default:
		f.put(l.Text)
	}
}

// typedLiteral writes the fields of an interval behind the text.
func (f *formatter) typedLiteral(l *TypedLiteral) {
	if l.Type.Field == "" {
		f.typeName(l.Type)
		f.put(" ", quoteString(l.Text))
		return
	}
	f.put(l.Type.Name, " ", quoteString(l.Text), " ", l.Type.Field)
	f.typeArgs(l.Type.Args)
}

func (f *formatter) caseExpr(c *Case) {
	f.put("case")
	f.clause(" ", c.Operand)
	for _, w := range c.Whens {
		f.clause(" when ", w.Cond)
		f.clause(" then ", w.Then)
	}
	f.clause(" else ", c.Else)
	f.put(" end")
}

func (f *formatter) in(e *In) {
	f.expr(e.X)
	f.put(" ", not(e.Not), "in (")
	if e.Query != nil {
		f.query(e.Query)
	} else {
		f.exprs(e.List)
	}
	f.put(")")
}

func (f *formatter) like(e *Like) {
	word := "like "
	switch {
	case e.Fold:
		word = "ilike "
	case e.Similar:
		word = "similar to "
	}
	f.expr(e.X)
	f.put(" ", not(e.Not), word)
	f.expr(e.Pattern)
	f.clause(" escape ", e.Escape)
}

func (f *formatter) quantified(e *Quantified) {
	word := " any ("
	if e.All {
		word = " all ("
	}
	f.expr(e.X)
	f.put(" ", e.Op, word)
	if e.Query != nil {
		f.query(e.Query)
	} else {
		f.expr(e.Array)
	}
	f.put(")")
}

// call writes a call in the syntax that its name asks for.
func (f *formatter) call(c *FuncCall) {
	if f.special(c) {
		return
	}
	f.functionName(c.Name)
	f.put("(")
	f.putIf(c.Star, "*")
	f.putIf(c.Distinct, "distinct ")
	f.exprs(c.Args)
	if c.OrderBy != nil {
		f.put(" ")
		f.orderBy(c.OrderBy)
	}
	f.put(")")
	if c.WithinGroup != nil {
		f.put(" within group (")
		f.orderBy(c.WithinGroup)
		f.put(")")
	}
	if c.Filter != nil {
		f.put(" filter (where ")
		f.expr(c.Filter)
		f.put(")")
	}
	if c.Over != nil {
		f.put(" over ")
		f.window(c.Over)
	}
}

// bareFunctions are called without parentheses where they have no arguments.
var bareFunctions = map[string]bool{
	"current_date": true, "current_role": true, "current_user": true, "session_user": true,
	"system_user": true, "user": true, "current_catalog": true, "current_time": true,
	"current_timestamp": true, "localtime": true, "localtimestamp": true,
}

// special writes the functions that have a syntax of their own and no other.
func (f *formatter) special(c *FuncCall) bool {
	if len(c.Name) != 1 || c.Over != nil || c.Filter != nil || c.OrderBy != nil || c.Distinct {
		return false
	}
	switch name := c.Name[0].Name; {
	case bareFunctions[name] && len(c.Args) == 0 && !c.Star:
		f.put(name)
	case name == "extract" && len(c.Args) == 2:
		f.put("extract(")
		f.expr(c.Args[0])
		f.put(" from ")
		f.expr(c.Args[1])
		f.put(")")
	case name == "normalize" && len(c.Args) == 2:
		f.put("normalize(")
		f.expr(c.Args[0])
		f.put(", " + c.Args[1].(*Literal).Text + ")")
	case name == "position" && len(c.Args) == 2:
		f.put("position((")
		f.expr(c.Args[1])
		f.put(") in (")
		f.expr(c.Args[0])
		f.put("))")
	default:
		return false
	}
	return true
}

// listFunctions are keywords that are called with a plain list of arguments.
var listFunctions = map[string]bool{
	"coalesce": true, "greatest": true, "least": true, "grouping": true, "nullif": true,
	"substring": true, "overlay": true, "normalize": true,
	"current_time": true, "current_timestamp": true, "localtime": true, "localtimestamp": true,
}

func (f *formatter) functionName(n Name) {
	if len(n) == 1 {
		name := n[0].Name
		class := dialect.Keyword(name)
		if listFunctions[name] || dialect.IsPlain(name) && class == dialect.TypeOrFunctionName {
			f.put(name)
			return
		}
	}
	f.name(n)
}

// prefix is an operator before its operand. Those that stand bare between
// operands only need OPERATOR.
func prefix(op string) string {
	switch op {
	case "*", "/", "%", "^", "<", ">", "=", "<=", ">=", "<>":
		return "operator(" + op + ")"
	}
	return op
}
