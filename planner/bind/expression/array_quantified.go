package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// quantifiedArray binds x op ANY (array) as an OR of comparisons, and what means
// IN or NOT IN as that, where the elements are known: the array is ARRAY[…], or it
// is constant. Any other array is searched when the query runs.
func quantifiedArray(x *scope.Exprs, e *sql.Quantified) algebra.Expr {
	elements, constructed := arrayElements(x, e.Array)
	if elements == nil || maybeKey(x, e.Array) {
		return quantifiedValue(x, e)
	}
	if !constructed && isMembership(e) {
		return in(x, &sql.In{X: e.X, List: elements, Not: e.All, Pos: e.Pos})
	}
	l := x.Expr(e.X)
	bound, _ := convert.ExprList(x, elements)
	return testElements(x, l, bound, e)
}

// isMembership reports whether a test of an array is IN or NOT IN.
func isMembership(e *sql.Quantified) bool { return !e.All && e.Op == "=" || e.All && e.Op == "<>" }

// testElements connects the tests of some elements.
func testElements(x *scope.Exprs, l algebra.Expr, elements []algebra.Expr, e *sql.Quantified) algebra.Expr {
	tests := lists.Map(elements, func(element algebra.Expr) algebra.Expr { return quantifiedTest(x, l, element, e.X.Position(), e) })
	return term.NegateIf(e.All, term.Connect(algebra.Or, tests, e.Pos))
}

// quantifiedValue binds a test of an array that is a value.
func quantifiedValue(x *scope.Exprs, e *sql.Quantified) algebra.Expr {
	l, array := convert.Pair(x, e.X, e.Array)
	array = convert.AsArray(array, e.Pos)
	if array.Type().Kind == algebra.Unknown {
		elem := l.Type()
		switch elem.Kind {
		case algebra.Unknown, algebra.Text:
			elem = algebra.TText
		case algebra.Decimal:
			elem = algebra.TNumeric
		}
		array = convert.Coerce(x, array, algebra.TArray(elem), sqltype.Implicit, e.Array.Position())
	}
	if array.Type().Kind != algebra.Array {
		panic(value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "op ANY/ALL (array) requires array on right side"))
	}
	k, ok := array.(*algebra.Const)
	if !ok {
		return anyElement(x, l, array, e)
	}
	elements, err := ConstantElements(x.Binder, k)
	switch {
	case err != nil:
		panic(value.At(err, int(e.Array.Position())))
	case k.Val.Kind == value.Null:
		return &algebra.Const{Typ: algebra.TBool}
	case len(elements) == 0:
		return &algebra.Const{Val: value.Value{Kind: value.Bool, B: e.All}, Typ: algebra.TBool}
	case !isMembership(e):
		return testElements(x, l, elements, e)
	}
	positions := make([]sql.Pos, len(elements)+1)
	for i := range positions {
		positions[i] = e.Array.Position()
	}
	positions[0] = e.X.Position()
	return inList(x, &sql.In{X: e.X, Not: e.All, Pos: e.Pos}, append([]algebra.Expr{l}, elements...), positions)
}

// constBytes is what a constant of a plan takes, beside the bytes of its text.
const constBytes = 192

// ConstantElements are the elements of a constant array.
func ConstantElements(b *scope.Binder, array *algebra.Const) ([]algebra.Expr, error) {
	if array.Val.Kind == value.Null {
		return nil, nil
	}
	typ, element := array.Typ.Element(), algebra.ElementOf(array.Typ)
	items := value.SplitArray(b.Opts.Meter, array.Val.S)
	elements := make([]algebra.Expr, len(items))
	for i, item := range items {
		k := &algebra.Const{Typ: typ}
		elements[i] = k
		if err := b.Opts.Meter.Grow(constBytes); err != nil {
			return nil, err
		}
		if item.Null {
			continue
		}
		var err error
		if k.Val, err = element.Parse(item.Text, false); err != nil {
			return nil, err
		}
	}
	return elements, nil
}

// arrayElements are the elements of ARRAY[…], of a literal like '{1,2}', of
// either with a cast, each of the array's type, and of a function of the embedder
// whose text is such an array; nil for others, and where there are none.
// constructed reports whether they stand in ARRAY[…] itself.
func arrayElements(x *scope.Exprs, array sql.Expr) (elements []sql.Expr, constructed bool) {
	switch array := array.(type) {
	case *sql.Array:
		return array.Exprs, true
	case *sql.Literal:
		if array.Kind == sql.StringLiteral {
			elements = literalElements(x.Binder, array)
		}
	case *sql.Cast:
		if array.Type.Array {
			elements = castElements(x, array)
		}
	case *sql.FuncCall:
		elements = calledElements(x, array)
	}
	return elements, false
}

// castElements are the elements of an array that is cast to T[], each cast to T.
func castElements(x *scope.Exprs, e *sql.Cast) []sql.Expr {
	elements, _ := arrayElements(x, e.X)
	if elements == nil {
		return nil
	}
	typ := e.Type
	typ.Array = false
	return lists.Map(elements, func(element sql.Expr) sql.Expr { return &sql.Cast{X: element, Type: typ, Pos: element.Position()} })
}

// calledElements are the elements of a function of the embedder, such as
// current_schemas(true); nil where the call is not one of those.
func calledElements(x *scope.Exprs, e *sql.FuncCall) []sql.Expr {
	if x.Opts.SQLFunctions == nil {
		return nil
	}
	args := lists.Map(e.Args, x.Expr)
	text, err := x.Opts.SQLFunctions(e.Name[len(e.Name)-1].Name, args)
	if err != nil {
		panic(value.At(err, int(e.Pos)))
	}
	if text == "" {
		return nil
	}
	x.Momentary = true
	stmt, err := sql.Parse("SELECT " + text)
	if err != nil {
		panic(scope.InFunction(err, e.Name.Dotted(), e.Pos))
	}
	array, ok := stmt.(*sql.Query).Body.(*sql.Select).Items[0].Expr.(*sql.Array)
	if !ok {
		return nil
	}
	return array.Exprs
}

// literalElements reads an array literal like {1,2,NULL,"a b"}. Its elements have
// no type yet.
func literalElements(b *scope.Binder, literal *sql.Literal) []sql.Expr {
	_, items, err := value.ReadArray(b.Opts.Meter, literal.Text)
	if err != nil {
		panic(value.At(err, int(literal.Pos)))
	}
	var elements []sql.Expr
	for _, item := range items {
		if err := b.Opts.Meter.Grow(constBytes); err != nil {
			panic(err)
		}
		kind := sql.StringLiteral
		if item.Null {
			kind = sql.NullLiteral
		}
		elements = append(elements, &sql.Literal{Kind: kind, Text: item.Text, Pos: literal.Pos})
	}
	return elements
}
