package expression

import (
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// quantifiedArray binds x op ANY (array) as an OR of comparisons, and what means
// IN or NOT IN as that, where the elements are known: the array is ARRAY[…], or it
// is constant. Any other array is searched when the query runs.
func quantifiedArray(x *scope.Exprs, e *sql.Quantified) (algebra.Expr, error) {
	elements, constructed, err := arrayElements(x, e.Array)
	if err != nil {
		return nil, err
	}
	if elements == nil || maybeKey(x, e.Array) {
		return quantifiedValue(x, e)
	}
	if !constructed && isMembership(e) {
		return in(x, &sql.In{X: e.X, List: elements, Not: e.All, Pos: e.Pos})
	}
	l, err := x.Expr(e.X)
	if err != nil {
		return nil, err
	}
	bound, _, err := convert.ExprList(x, elements)
	if err != nil {
		return nil, err
	}
	return testElements(x, l, bound, e)
}

// isMembership reports whether a test of an array is IN or NOT IN.
func isMembership(e *sql.Quantified) bool { return !e.All && e.Op == "=" || e.All && e.Op == "<>" }

// testElements connects the tests of some elements.
func testElements(x *scope.Exprs, l algebra.Expr, elements []algebra.Expr, e *sql.Quantified) (algebra.Expr, error) {
	tests := make([]algebra.Expr, len(elements))
	for i, element := range elements {
		var err error
		if tests[i], err = quantifiedTest(x, l, element, e.X.Position(), e); err != nil {
			return nil, err
		}
	}
	return term.NegateIf(e.All, term.Connect(algebra.Or, tests, e.Pos)), nil
}

// quantifiedValue binds a test of an array that is a value.
func quantifiedValue(x *scope.Exprs, e *sql.Quantified) (algebra.Expr, error) {
	l, array, err := convert.Pair(x, e.X, e.Array)
	if err != nil {
		return nil, err
	}
	array = convert.AsArray(array, e.Pos)
	if array.Type().Kind == algebra.Unknown {
		elem := l.Type()
		switch elem.Kind {
		case algebra.Unknown, algebra.Text:
			elem = algebra.TText
		case algebra.Decimal:
			elem = algebra.TNumeric
		}
		if array, err = convert.Coerce(x, array, algebra.TArray(elem), sqltype.Implicit, e.Array.Position()); err != nil {
			return nil, err
		}
	}
	if array.Type().Kind != algebra.Array {
		return nil, value.ErrorAt(int(e.Pos), value.CodeWrongObjectType, "op ANY/ALL (array) requires array on right side")
	}
	k, ok := array.(*algebra.Const)
	if !ok {
		return anyElement(x, l, array, e)
	}
	elements, err := ConstantElements(x.Binder, k)
	switch {
	case err != nil:
		return nil, value.At(err, int(e.Array.Position()))
	case k.Val.Kind == value.Null:
		return &algebra.Const{Typ: algebra.TBool}, nil
	case len(elements) == 0:
		return &algebra.Const{Val: value.Value{Kind: value.Bool, B: e.All}, Typ: algebra.TBool}, nil
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
	items, err := value.SplitArray(b.Opts.Meter, array.Val.S)
	if err != nil {
		return nil, err
	}
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
func arrayElements(x *scope.Exprs, array sql.Expr) (elements []sql.Expr, constructed bool, err error) {
	switch array := array.(type) {
	case *sql.Array:
		return array.Exprs, true, nil
	case *sql.Literal:
		if array.Kind == sql.StringLiteral {
			elements, err = literalElements(x.Binder, array)
		}
	case *sql.Cast:
		if array.Type.Array {
			elements, err = castElements(x, array)
		}
	case *sql.FuncCall:
		elements, err = calledElements(x, array)
	}
	return elements, false, err
}

// castElements are the elements of an array that is cast to T[], each cast to T.
func castElements(x *scope.Exprs, e *sql.Cast) ([]sql.Expr, error) {
	elements, _, err := arrayElements(x, e.X)
	if elements == nil || err != nil {
		return nil, err
	}
	typ := e.Type
	typ.Array = false
	casts := make([]sql.Expr, len(elements))
	for i, element := range elements {
		casts[i] = &sql.Cast{X: element, Type: typ, Pos: element.Position()}
	}
	return casts, nil
}

// calledElements are the elements of a function of the embedder, such as
// current_schemas(true); nil where the call is not one of those.
func calledElements(x *scope.Exprs, e *sql.FuncCall) ([]sql.Expr, error) {
	if x.Opts.SQLFunctions == nil {
		return nil, nil
	}
	args := make([]algebra.Expr, len(e.Args))
	for i, arg := range e.Args {
		var err error
		if args[i], err = x.Expr(arg); err != nil {
			return nil, err
		}
	}
	text, err := x.Opts.SQLFunctions(e.Name[len(e.Name)-1].Name, args)
	if text == "" || err != nil {
		return nil, value.At(err, int(e.Pos))
	}
	x.Momentary = true
	stmt, err := sql.Parse("SELECT " + text)
	if err != nil {
		return nil, scope.InFunction(err, term.NameText(e.Name), e.Pos)
	}
	array, ok := stmt.(*sql.Query).Body.(*sql.Select).Items[0].Expr.(*sql.Array)
	if !ok {
		return nil, nil
	}
	return array.Exprs, nil
}

// literalElements reads an array literal like {1,2,NULL,"a b"}. Its elements have
// no type yet.
func literalElements(b *scope.Binder, literal *sql.Literal) ([]sql.Expr, error) {
	_, items, err := value.ReadArray(b.Opts.Meter, literal.Text)
	if err != nil {
		return nil, value.At(err, int(literal.Pos))
	}
	var elements []sql.Expr
	for _, item := range items {
		if err := b.Opts.Meter.Grow(constBytes); err != nil {
			return nil, err
		}
		kind := sql.StringLiteral
		if item.Null {
			kind = sql.NullLiteral
		}
		elements = append(elements, &sql.Literal{Kind: kind, Text: item.Text, Pos: literal.Pos})
	}
	return elements, nil
}
