package algebra

import (
	"strconv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// String implements Expr.
func (e *Const) String() string { return exprText(e, false) }

// String implements Expr.
func (e *ColumnRef) String() string { return exprText(e, false) }

// String implements Expr.
func (e *Call) String() string { return exprText(e, false) }

// String implements Expr.
func (e *Case) String() string { return exprText(e, false) }

// String implements Expr.
func (e *Subquery) String() string { return exprText(e, false) }

func exprText(e Expr, ids bool) string {
	p := exprPrinter{ids: ids}
	p.print(e, precLowest)
	return p.String()
}

// Binding strengths of SQL's operators, weakest first.
const (
	precLowest = iota
	precOr
	precAnd
	precNot
	precIs
	precCompare
	precLike
	precOther
	precAdd
	precMul
	precUnary
	precPostfix
)

type infixOp struct {
	text string
	prec int
}

var infix = map[Func]infixOp{
	Or: {" OR ", precOr}, And: {" AND ", precAnd},
	Eq: {" = ", precCompare}, Ne: {" <> ", precCompare},
	Lt: {" < ", precCompare}, Le: {" <= ", precCompare},
	Gt: {" > ", precCompare}, Ge: {" >= ", precCompare},
	Distinct: {" IS DISTINCT FROM ", precIs},
	Concat:   {" || ", precOther},
	Add:      {" + ", precAdd}, Sub: {" - ", precAdd},
	AddDays: {" + ", precAdd}, SubDates: {" - ", precAdd},
	AddInterval: {" + ", precAdd}, SubInterval: {" - ", precAdd}, SubTimes: {" - ", precAdd},
	Mul: {" * ", precMul}, Div: {" / ", precMul}, Mod: {" % ", precMul},
	MulInterval: {" * ", precMul}, DivInterval: {" / ", precMul},
}

type exprPrinter struct {
	strings.Builder
	ids bool
}

// print writes e, in parentheses where it binds weaker than prec.
func (p *exprPrinter) print(e Expr, prec int) {
	switch e := e.(type) {
	case *Const:
		p.WriteString(constText(e))
	case *ColumnRef:
		p.WriteString(columnText(e.Column, p.ids))
	case *Call:
		p.call(e, prec)
	case *Case:
		p.caseExpr(e)
	case *Subquery:
		p.subquery(e)
	}
}

func columnText(c Column, ids bool) string {
	if ids {
		return c.Name + "#" + strconv.Itoa(int(c.ID))
	}
	return c.Name
}

func (p *exprPrinter) call(e *Call, prec int) {
	if op, ok := infix[e.Func]; ok {
		p.parens(op.prec, prec, func() {
			for i, arg := range e.Args {
				if i > 0 {
					p.WriteString(op.text)
				}
				p.print(arg, op.prec+min(i, 1))
			}
		})
		return
	}
	switch e.Func {
	case Neg:
		p.parens(precUnary, prec, func() { p.WriteByte('-'); p.print(e.Args[0], precPostfix) })
	case Not:
		if inner, ok := e.Args[0].(*Call); ok && inner.Func == IsNull {
			p.parens(precIs, prec, func() { p.print(inner.Args[0], precIs+1); p.WriteString(" IS NOT NULL") })
			return
		}
		p.parens(precNot, prec, func() { p.WriteString("NOT "); p.print(e.Args[0], precNot) })
	case IsNull, IsTrue, IsFalse:
		what := map[Func]string{IsNull: " IS NULL", IsTrue: " IS TRUE", IsFalse: " IS FALSE"}[e.Func]
		p.parens(precIs, prec, func() { p.print(e.Args[0], precIs+1); p.WriteString(what) })
	case Like, ILike:
		p.parens(precLike, prec, func() { p.like(e) })
	case In:
		p.parens(precLike, prec, func() {
			p.print(e.Args[0], precLike+1)
			p.WriteString(" IN (")
			p.list(e.Args[1:])
			p.WriteByte(')')
		})
	case Cast:
		p.parens(precPostfix, prec, func() {
			p.print(e.Args[0], precPostfix)
			p.WriteString("::" + e.Typ.String())
		})
	default:
		p.WriteString(string(e.Func) + "(")
		p.list(e.Args)
		p.WriteByte(')')
	}
}

func (p *exprPrinter) parens(own, outer int, body func()) {
	if own < outer {
		p.WriteByte('(')
		defer p.WriteByte(')')
	}
	body()
}

func (p *exprPrinter) list(exprs []Expr) {
	for i, e := range exprs {
		if i > 0 {
			p.WriteString(", ")
		}
		p.print(e, precLowest)
	}
}

func (p *exprPrinter) like(e *Call) {
	p.print(e.Args[0], precLike+1)
	p.WriteString(map[Func]string{Like: " LIKE ", ILike: " ILIKE "}[e.Func])
	p.print(e.Args[1], precLike+1)
	if c, ok := e.Args[2].(*Const); !ok || c.Val.S != `\` {
		p.WriteString(" ESCAPE ")
		p.print(e.Args[2], precLike+1)
	}
}

func (p *exprPrinter) caseExpr(e *Case) {
	p.WriteString("CASE")
	for _, when := range e.Whens {
		p.WriteString(" WHEN ")
		p.print(when.Cond, precLowest)
		p.WriteString(" THEN ")
		p.print(when.Then, precLowest)
	}
	if e.Else != nil {
		p.WriteString(" ELSE ")
		p.print(e.Else, precLowest)
	}
	p.WriteString(" END")
}

// subquery prints the plan on one line, the inputs of each node in brackets.
func (p *exprPrinter) subquery(e *Subquery) {
	p.WriteString(string(e.Kind))
	if e.Test != nil {
		p.WriteByte(' ')
		p.print(e.Test, precPostfix)
	}
	p.WriteString(" of (")
	p.plan(e.Plan)
	p.WriteByte(')')
}

func (p *exprPrinter) plan(n Node) {
	p.WriteString(describe(n, p.ids))
	inputs := Inputs(n)
	for i, in := range inputs {
		p.WriteString(map[bool]string{true: " [", false: ", "}[i == 0])
		p.plan(in)
	}
	if len(inputs) > 0 {
		p.WriteByte(']')
	}
}

func constText(c *Const) string {
	v := c.Val
	switch {
	case v.Kind == value.Null:
		return "NULL"
	case v.Kind == value.Bool:
		return strconv.FormatBool(v.B)
	case c.Typ.Kind == Date:
		return "date '" + value.FormatDate(int32(v.I)) + "'"
	case c.Typ.Kind == Timestamp:
		return "timestamp '" + value.FormatTimestamp(v.I) + "'"
	case c.Typ.Kind == Time:
		return "time '" + value.FormatTime(v.I) + "'"
	case c.Typ.Kind == TimestampTZ:
		return "timestamp with time zone '" + string(value.AppendTimestampTZ(nil, v.I, time.UTC)) + "'"
	case c.Typ.Kind == Enum:
		return quotedText(c.Typ.Enum.Label(v.I)) + "::" + c.Typ.String()
	case v.Kind == value.Int:
		return strconv.FormatInt(v.I, 10)
	case v.Kind == value.Float:
		return value.FormatFloat64(v.F)
	case v.Kind == value.Decimal:
		return v.Num.String()
	case v.Kind == value.Intervals:
		return "interval '" + v.Interval.String() + "'"
	}
	return quotedText(v.S)
}

func quotedText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
