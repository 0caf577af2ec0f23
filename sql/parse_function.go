package sql

import (
	"strings"

	"github.com/cubeloom/cubeloom/sql/dialect"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// createFunction reads what follows CREATE FUNCTION.
func (p tableParser) createFunction(pos Pos, orReplace bool) Statement {
	f := &CreateFunction{Name: p.tableName(), OrReplace: orReplace, Pos: pos}
	f.Params = p.functionParams(true)
	switch {
	case p.Accept("returns", "table"):
		f.Returns = &FunctionReturn{Set: true, Table: true}
		p.Expect("(")
		f.Params = append(f.Params, dialect.CommaListTo(p.Cursor, ")", p.tableColumn)...)
	case p.NextIs("returns") && !p.NextIs("returns", "null"):
		p.Next()
		f.Returns = &FunctionReturn{Set: p.Accept("setof")}
		f.Returns.Type = typeName(p.TypeName())
	}
	o := &functionOptions{tableParser: p, f: f, seen: map[string]bool{}}
	for o.option() {
	}
	if f.Body != nil && (p.NextIs("return") || p.NextIs("begin", "atomic")) {
		panic(sqlstate.Errorf(sqlstate.InvalidFunction, "duplicate function body specified"))
	}
	switch {
	case p.Accept("return"):
		start := p.Peek().Pos
		p.expr()
		f.Body = &FunctionBody{Form: "return", Start: Pos(start)}
		f.Body.Text = p.Text(start, p.LastEnd())
	case p.NextIs("begin", "atomic"):
		o.atomic()
	}
	return f
}

// tableColumn reads a column of RETURNS TABLE.
func (p tableParser) tableColumn() FunctionParam {
	c := FunctionParam{Mode: "t", Name: p.parameterName()}
	c.Type = typeName(p.TypeName())
	return c
}

// parameterName reads the name of a parameter.
func (p tableParser) parameterName() Ident {
	if !p.Peek().IsWord() || p.Peek().Class == dialect.ColumnName {
		panic(p.Unexpected())
	}
	return p.label()
}

// functionParams reads the parameters in parentheses; defaults says that they may have some.
func (p tableParser) functionParams(defaults bool) []FunctionParam {
	p.Expect("(")
	if p.Accept(")") {
		return []FunctionParam{}
	}
	return dialect.CommaListTo(p.Cursor, ")", func() FunctionParam { return p.functionParam(defaults) })
}

// functionParam reads a parameter: its mode, before or behind its name, and its type.
func (p tableParser) functionParam(defaults bool) FunctionParam {
	param := FunctionParam{Mode: p.parameterMode()}
	if p.namesParameter() {
		param.Name = p.parameterName()
		if param.Mode == "" {
			param.Mode = p.parameterMode()
		}
	}
	if param.Mode == "" {
		param.Mode = "i"
	}
	param.Type = typeName(p.TypeName())
	if defaults && (p.Accept("default") || p.Accept("=")) {
		param.Default = p.exprText()
	}
	return param
}

// parameterMode reads the mode of a parameter; "" where none stands.
func (p tableParser) parameterMode() string {
	switch {
	case p.Accept("in"):
		if p.Accept("out") {
			return "b"
		}
		return "i"
	case p.Accept("out"):
		return "o"
	case p.Accept("inout"):
		return "b"
	case p.Accept("variadic"):
		return "v"
	}
	return ""
}

// namesParameter reports whether the next word is the name of a parameter, and not its type.
func (p tableParser) namesParameter() bool {
	t, behind := p.Peek(), p.PeekAt(1)
	switch {
	case !t.IsWord() || t.Class == dialect.ColumnName:
		return false
	case t.Is("double"):
		return !behind.Is("precision")
	}
	return behind.IsWord() || behind.IsOneOf("in", "out", "inout", "variadic") && behind.Kind != dialect.End
}

// functionOptions reads the options of CREATE FUNCTION.
type functionOptions struct {
	tableParser
	f    *CreateFunction
	seen map[string]bool
}

// once fails where an option of a kind stands a second time.
func (o *functionOptions) once(kind string, at dialect.Token) {
	if o.seen[kind] {
		panic(sqlstate.ErrorAt(at.Pos, sqlstate.Syntax, "conflicting or redundant options"))
	}
	o.seen[kind] = true
}

// option reads one option; false where there is none.
func (o *functionOptions) option() bool {
	t := o.Peek()
	switch {
	case o.Accept("language"):
		o.once("language", t)
		o.language()
	case t.IsOneOf("immutable", "stable", "volatile"):
		o.once("volatility", t)
		o.f.Volatility = o.Next().Text[:1]
	case o.Accept("strict"), o.Accept("returns", "null", "on", "null", "input"):
		o.once("strict", t)
		o.f.Strict = true
	case o.Accept("called", "on", "null", "input"):
		o.once("strict", t)
	case o.Accept("leakproof"):
		o.once("leakproof", t)
		o.f.Leakproof = true
	case o.Accept("not", "leakproof"):
		o.once("leakproof", t)
	case o.Accept("external", "security", "invoker"), o.Accept("security", "invoker"):
		o.once("security", t)
	case o.Accept("parallel"):
		o.once("parallel", t)
		o.parallel()
	case o.Accept("cost"):
		o.once("cost", t)
		o.f.Cost = o.figure("COST")
	case o.Accept("rows"):
		o.once("rows", t)
		o.f.Rows = o.figure("ROWS")
	case o.Accept("as"):
		o.once("as", t)
		o.f.Body = o.text()
	case t.IsOneOf("window", "security", "external", "set", "support", "transform"):
		panic(o.refuse(strings.ToUpper(t.Text) + " of a function"))
	default:
		return false
	}
	return true
}

// language reads the name of a language.
func (o *functionOptions) language() {
	t := o.Peek()
	if t.Kind != dialect.String && !t.IsWord() {
		panic(o.Unexpected())
	}
	o.Next()
	o.f.Language, o.f.LanguagePos = strings.ToLower(t.Text), Pos(t.Pos)
}

// parallel reads what stands behind PARALLEL.
func (o *functionOptions) parallel() {
	switch id := o.ident().Name; id {
	case "safe", "restricted", "unsafe":
		o.f.Parallel = id[:1]
	default:
		panic(sqlstate.Errorf(sqlstate.InvalidParameter, "parameter \"parallel\" must be SAFE, RESTRICTED, or UNSAFE"))
	}
}

// figure reads the number of COST or ROWS, which must be positive.
func (o *functionOptions) figure(what string) string {
	o.Accept("+")
	negative := o.Accept("-")
	t := o.Peek()
	if t.Kind != dialect.Integer && t.Kind != dialect.Decimal {
		panic(o.Unexpected())
	}
	o.Next()
	if negative || strings.Trim(t.Text, "0.") == "" {
		panic(sqlstate.Errorf(sqlstate.InvalidParameter, "%s must be positive", what))
	}
	return t.Text
}

// text reads the string of AS.
func (o *functionOptions) text() *FunctionBody {
	t := o.Peek()
	if t.Kind != dialect.String {
		panic(o.Unexpected())
	}
	o.Next()
	if o.Accept(",") {
		panic(sqlstate.Errorf(sqlstate.InvalidFunction, "only one AS item needed for language \"%s\"", o.f.Language))
	}
	body := &FunctionBody{Text: t.Text, Start: NoPos}
	written := o.Text(t.Pos, t.End)
	if at := strings.Index(written, t.Text); at >= 0 && t.Text != "" {
		body.Start = Pos(t.Pos + at)
	}
	return body
}

// atomic reads BEGIN ATOMIC up to its END.
func (o *functionOptions) atomic() {
	o.Expect("begin", "atomic")
	body := &FunctionBody{Form: "atomic", Start: Pos(o.Peek().Pos)}
	end, queries := int(body.Start), 0
	for !o.NextIs("end") {
		if o.Accept(";") {
			continue
		}
		if o.Accept("return") {
			body.Form, body.Start = "return", Pos(o.Peek().Pos)
			o.expr()
		} else {
			o.atomicQuery()
			queries++
		}
		end = o.LastEnd()
		o.Expect(";")
	}
	o.Next()
	body.Text = o.Text(int(body.Start), end)
	if body.Form == "return" && queries > 0 {
		panic(o.refuse("a function of several statements"))
	}
	o.f.Body = body
}

// atomicQuery reads a query of BEGIN ATOMIC.
func (o *functionOptions) atomicQuery() {
	if !startsQuery(o.Peek()) {
		panic(o.refuse("a statement other than a query in a function"))
	}
	o.query()
}

// functionRef reads the name of a function, with the list of its parameters or without.
func (p tableParser) functionRef() FunctionRef {
	ref := FunctionRef{Name: p.tableName()}
	if p.NextIs("(") {
		ref.Params = p.functionParams(false)
	}
	return ref
}

// dropFunction reads what follows DROP FUNCTION.
func (p tableParser) dropFunction(pos Pos) Statement {
	s := &DropFunction{IfExists: p.Accept("if", "exists"), Pos: pos}
	s.Functions = dialect.CommaList(p.Cursor, p.functionRef)
	if s.Cascade = p.Accept("cascade"); !s.Cascade {
		p.Accept("restrict")
	}
	return s
}

// alterFunction reads what follows ALTER FUNCTION.
func (p tableParser) alterFunction(pos Pos) Statement {
	s := &AlterFunction{Function: p.functionRef(), Pos: pos}
	switch {
	case p.Accept("rename", "to"):
		s.Rename = p.ident()
	case p.Accept("set", "schema"):
		s.Schema = p.ident()
	case p.Accept("owner", "to"):
		to := p.roleRef()
		s.Owner = &to
	case p.Peek().IsWord():
		panic(p.refuse("this action of ALTER FUNCTION"))
	default:
		panic(p.Unexpected())
	}
	return s
}

// ParseFunction parses the body of a function that has no Form, or that has the form atomic: its
// statements.
func ParseFunction(text string) ([]Statement, error) {
	list, err := ParseScript(text, nil)
	if err != nil {
		return nil, err
	}
	statements := make([]Statement, len(list))
	for i := range list {
		statements[i] = list[i].Statement
	}
	return statements, nil
}

// ParseType parses the name of a type.
func ParseType(text string) (TypeName, error) {
	return parseAlone(text, func(p parts) TypeName { return typeName(p.TypeName()) })
}
