package expression

import (
	"math"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// ArrayForms bind the functions of arrays, whose types depend on those of the
// elements.
var ArrayForms = map[function.Form]func(c *CallSite, args []algebra.Expr) algebra.Expr{
	"cardinality":     OfArray(value.Cardinality, algebra.TInt32),
	"array_length":    OfArray(value.ArrayLength, algebra.TInt32, algebra.TInt32),
	"array_upper":     OfArray(value.ArrayUpper, algebra.TInt32, algebra.TInt32),
	"array_lower":     OfArray(value.ArrayLower, algebra.TInt32, algebra.TInt32),
	"array_ndims":     arrayDimensions,
	"array_dims":      OfArray(value.ArrayDims, algebra.TText),
	"trim_array":      OfArray(value.ArrayTrim, algebra.Type{Kind: algebra.Array}, algebra.TInt32),
	"array_append":    arrayAppend,
	"array_prepend":   arrayPrepend,
	"array_cat":       arrayCat,
	"array_position":  arrayPosition,
	"array_positions": arrayPositions,
	"width_bucket":    widthBucket,
	"array_remove":    arrayRemove,
	"array_fill":      arrayFill,
	"array_replace":   arrayReplace,
	"array_to_string": arrayToString,
	"string_to_array": stringToArray,

	"parse_ident":           parseIdent,
	"regexp_match":          ofRegexp(value.RegexpMatch),
	"regexp_split_to_array": ofRegexp(value.RegexpSplit),
}

// OfArray is a routine of an array and further arguments. A result of type Array
// has the type of the argument.
func OfArray(routine algebra.Func, result algebra.Type, more ...algebra.Type) func(*CallSite, []algebra.Expr) algebra.Expr {
	return func(c *CallSite, args []algebra.Expr) algebra.Expr {
		if len(args) != 1+len(more) || !c.takeTypes(args[1:], more) {
			panic(term.NoFunction(c.Name, args, c.Pos))
		}
		c.wantArray(args, 0)
		typ := result
		if typ.Kind == algebra.Array {
			typ = args[0].Type()
		}
		return term.Call(routine, typ, c.Pos, args...)
	}
}

// ofRegexp is a routine of a text, a pattern and, where they are given, flags that
// returns an array of texts.
func ofRegexp(routine algebra.Func) func(*CallSite, []algebra.Expr) algebra.Expr {
	return func(c *CallSite, args []algebra.Expr) algebra.Expr {
		texts := []algebra.Type{algebra.TText, algebra.TText, algebra.TText}
		if len(args) < 2 || len(args) > 3 || !c.takeTypes(args, texts[:len(args)]) {
			panic(term.NoFunction(c.Name, args, c.Pos))
		}
		return term.Call(routine, algebra.TArray(algebra.TText), c.Pos, args...)
	}
}

// parseIdent takes a name apart: strictly, unless the second argument says otherwise.
func parseIdent(c *CallSite, args []algebra.Expr) algebra.Expr {
	types := []algebra.Type{algebra.TText, algebra.TBool}
	if len(args) < 1 || len(args) > 2 || !c.takeTypes(args, types[:len(args)]) {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	if len(args) == 1 {
		args = append(args, &algebra.Const{Val: value.Value{Kind: value.Bool, B: true}, Typ: algebra.TBool})
	}
	return term.Call(value.IdentParts, algebra.TArray(algebra.TText), c.Pos, args...)
}

// takeTypes converts arguments to types, or returns false where one has another.
func (c *CallSite) takeTypes(args []algebra.Expr, types []algebra.Type) bool {
	for i, typ := range types {
		if sqltype.CastNeeds(args[i].Type().Kind, typ.Kind) != sqltype.Implicit {
			return false
		}
		converted, err := sqlstate.Try(func() algebra.Expr { return convert.Coerce(c.Exprs, args[i], typ, sqltype.Implicit, c.Pos) })
		if err != nil {
			return false
		}
		args[i] = converted
	}
	return true
}

// wantArray checks that an argument is an array; an untyped literal could be one
// of any type.
func (c *CallSite) wantArray(args []algebra.Expr, i int) {
	switch args[i].Type().Kind {
	case algebra.Array:
		return
	case algebra.Unknown:
		panic(value.Errorf(value.CodeDatatypeMismatch, "could not determine polymorphic type because input has type unknown"))
	}
	panic(term.NoFunction(c.Name, args, c.Pos))
}

// arrayDimensions is array_ndims: 1, or NULL for an empty array.
func arrayDimensions(c *CallSite, args []algebra.Expr) algebra.Expr {
	one := &algebra.Const{Val: value.Value{Kind: value.Int, I: 1}, Typ: algebra.TInt32}
	length := OfArray(value.ArrayLength, algebra.TInt32, algebra.TInt32)(c, append(args, one))
	return &algebra.Case{Whens: []algebra.When{{Cond: term.IsNull(length), Then: &algebra.Const{Typ: algebra.TInt32}}}, Else: one, Typ: algebra.TInt32}
}

// withElements converts an array and the values beside it to the type of elements that
// they have in common, the first one's where texts are of several; the values become items.
func (c *CallSite) withElements(args []algebra.Expr, array int) {
	common := algebra.TUnknown
	for i, arg := range args {
		t := arg.Type()
		if isArray := t.Kind == algebra.Array; isArray != (i == array) && (i != array || t.Kind != algebra.Unknown) {
			panic(term.NoFunction(c.Name, args, c.Pos))
		} else if isArray {
			t = t.Element()
		}
		k, isConst := arg.(*algebra.Const)
		var ok bool
		if common, ok = sqltype.Wider(common, t); !ok {
			panic(term.NoFunction(c.Name, args, c.Pos))
		}
		if t.Kind == algebra.Unknown && isConst && k.Val.Kind != value.Null && common.Kind == algebra.Decimal {
			common = algebra.TNumeric // a literal keeps its digits
		}
	}
	switch common.Kind {
	case algebra.Unknown:
		common = algebra.TText
	case algebra.Text:
		common = algebra.Type{Kind: algebra.Text, Padded: common.Padded}
	}
	for i, arg := range args {
		if i == array {
			args[i] = convert.Coerce(c.Exprs, arg, algebra.TArray(common), sqltype.Implicit, c.Positions[i])
		} else {
			args[i] = ArrayItem(c.Exprs, convert.Coerce(c.Exprs, arg, common, sqltype.Implicit, c.Positions[i]), c.Pos)
		}
	}
}

func arrayAppend(c *CallSite, args []algebra.Expr) algebra.Expr {
	if len(args) != 2 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	c.withElements(args, 0)
	return c.Folded(term.Call(value.ArrayAppend, args[0].Type(), c.Pos, orEmpty(c.Exprs.Binder, args[0]), args[1]))
}

func arrayPrepend(c *CallSite, args []algebra.Expr) algebra.Expr {
	if len(args) != 2 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	c.withElements(args, 1)
	return c.Folded(term.Call(value.ArrayPrepend, args[1].Type(), c.Pos, args[0], orEmpty(c.Exprs.Binder, args[1])))
}

// sameArrays converts two arrays to their common type, without the lengths of elements. An
// untyped literal takes that of the other one.
func (c *CallSite) sameArrays(args []algebra.Expr) algebra.Type {
	if len(args) != 2 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	typ, ok := sqltype.Wider(args[0].Type(), args[1].Type())
	if typ.Kind == algebra.Unknown {
		typ = algebra.TArray(algebra.TText)
	}
	if !ok || typ.Kind != algebra.Array {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	typ = sqltype.Unlimited(typ)
	for i := range args {
		args[i] = convert.Coerce(c.Exprs, args[i], typ, sqltype.Implicit, c.Positions[i])
	}
	return typ
}

// arrayCat is the other array where one is NULL.
func arrayCat(c *CallSite, args []algebra.Expr) algebra.Expr {
	typ := c.sameArrays(args)
	return c.Folded(term.Coalesce([]algebra.Expr{term.Call(value.ArrayCat, typ, c.Pos, args...), args[0], args[1]}, typ))
}

func arrayPosition(c *CallSite, args []algebra.Expr) algebra.Expr {
	from := algebra.Expr(&algebra.Const{Val: value.Value{Kind: value.Int, I: minIndex}, Typ: algebra.TInt32})
	if len(args) == 3 && c.takeTypes(args[2:], []algebra.Type{algebra.TInt32}) {
		args, from = args[:2], args[2]
	}
	return c.search(value.ArrayPosition, algebra.TInt32, args, 1, from)
}

func arrayPositions(c *CallSite, args []algebra.Expr) algebra.Expr {
	return c.search(value.ArrayPositions, algebra.TArray(algebra.TInt32), args, 1)
}

// widthBucket is the bucket of a value between the thresholds in an array.
func widthBucket(c *CallSite, args []algebra.Expr) algebra.Expr {
	if len(args) != 2 {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	c.withElements(args, 1)
	return c.Folded(term.Call(value.ArrayBucket, algebra.TInt32, c.Pos, convert.ElementText(args[1].Type()), args[1], args[0]))
}

func arrayRemove(c *CallSite, args []algebra.Expr) algebra.Expr {
	return c.search(value.ArrayRemove, algebra.TUnknown, args, 1)
}

func arrayReplace(c *CallSite, args []algebra.Expr) algebra.Expr {
	return c.search(value.ArrayReplace, algebra.TUnknown, args, 2)
}

// search binds a routine of an array and items. A result of type Unknown has the
// array's type.
func (c *CallSite) search(routine algebra.Func, result algebra.Type, args []algebra.Expr, items int, more ...algebra.Expr) algebra.Expr {
	if len(args) != 1+items {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	c.withElements(args, 0)
	if result.Kind == algebra.Unknown {
		result = args[0].Type()
	}
	all := append([]algebra.Expr{convert.ElementText(args[0].Type())}, args...)
	return c.Folded(term.Call(routine, result, c.Pos, append(all, more...)...))
}

func arrayToString(c *CallSite, args []algebra.Expr) algebra.Expr {
	if len(args) != 2 && len(args) != 3 || !c.takeTypes(args[1:], []algebra.Type{algebra.TText, algebra.TText}[:len(args)-1]) {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	c.wantArray(args, 0)
	args[0] = convert.ShownTexts(c.Exprs, args[0], c.Opts.Style, c.Pos)
	return c.unlessNull(value.ArrayText, algebra.TText, args, 2)
}

func stringToArray(c *CallSite, args []algebra.Expr) algebra.Expr {
	texts := []algebra.Type{algebra.TText, algebra.TText, algebra.TText}
	if len(args) != 2 && len(args) != 3 || !c.takeTypes(args, texts[:len(args)]) {
		panic(term.NoFunction(c.Name, args, c.Pos))
	}
	typ := algebra.TArray(algebra.TText)
	if len(args) == 2 {
		return c.unlessNull(value.TextArray, typ, args, 1)
	}
	// Without a separator NULL's text counts as well: each character is compared.
	if k, ok := args[1].(*algebra.Const); !ok || k.Val.Kind == value.Null {
		panic(term.NotSupported(c.Pos, "string_to_array with a text of NULL and a separator that can be NULL is"))
	}
	return c.unlessNull(value.TextArray, typ, args, 2)
}

// unlessNull is a routine of which argument i is left out where it is NULL.
func (c *CallSite) unlessNull(routine algebra.Func, typ algebra.Type, args []algebra.Expr, i int) algebra.Expr {
	all := term.Call(routine, typ, c.Pos, args...)
	if len(args) <= i {
		return c.Folded(all)
	}
	fewer := term.Call(routine, typ, c.Pos, args[:i:i]...)
	return c.Folded(&algebra.Case{Whens: []algebra.When{{Cond: term.NotNull(args[i]), Then: all}}, Else: fewer, Typ: typ})
}

// maxIndex is the upper bound of a slice that has none.
const maxIndex = math.MaxInt32

// minIndex is the lower bound of a slice that has none.
const minIndex = math.MinInt32
