package dialect

import "strings"

// special finds the reader of a function with a syntax of its own; nil when
// none stands here.
func (r callReader) special(t, next Token) func() *fragment {
	if t.Kind != Word {
		return nil
	}
	switch t.Text {
	case "current_date", "current_role", "current_user", "session_user", "system_user", "user",
		"current_catalog":
		return r.bareCall
	case "current_schema":
		if !next.Is("(") && next.Kind != String {
			return r.bareCall
		}
		return nil
	case "current_time", "current_timestamp", "localtime", "localtimestamp":
		return r.clockCall
	case "cast":
		return r.cast
	case "collation":
		if next.Is("for") {
			return r.refused
		}
	}
	if !next.Is("(") {
		return nil
	}
	switch t.Text {
	case "coalesce", "greatest", "least", "grouping", "json_object":
		return r.listCall
	case "nullif":
		return r.nullif
	case "extract":
		return r.extract
	case "overlay":
		return r.overlay
	case "position":
		return r.position
	case "substring":
		return r.substring
	case "trim":
		return r.trim
	case "normalize":
		return r.normalize
	case "treat", "merge_action":
		return r.refused
	}
	if t.Class == ColumnName && (strings.HasPrefix(t.Text, "xml") || strings.HasPrefix(t.Text, "json_")) {
		return r.refused
	}
	return nil
}

func (r callReader) refused() *fragment {
	t := r.Peek()
	panic(Unsupported(t, upper(t.Text)+" is"))
}

// plainCall calls a function by its name alone.
func (r callReader) plainCall(name string, t Token, args ...*fragment) *fragment {
	return r.call("f", &Call{Name: []Ident{{Name: name, Pos: t.Pos}}, Pos: t.Pos}, args...)
}

func (r callReader) bareCall() *fragment {
	t := r.Next()
	return r.plainCall(t.Text, t)
}

// clockCall reads CURRENT_TIMESTAMP and its kin with their precision.
func (r callReader) clockCall() *fragment {
	t := r.Next()
	if !r.Accept("(") {
		return r.plainCall(t.Text, t)
	}
	if r.Peek().Kind != Integer {
		panic(r.Unexpected())
	}
	precision := r.literal(IntegerValue)
	r.Expect(")")
	return r.plainCall(t.Text, t, precision)
}

func (r callReader) listCall() *fragment {
	t := r.Next()
	return r.plainCall(t.Text, t, r.exprsInParens()...)
}

// parts reads ( expression word expression word … ), and fails at the first
// other token.
func (r callReader) parts(words ...string) []*fragment {
	var parts []*fragment
	for _, w := range append([]string{"("}, words...) {
		r.Expect(w)
		parts = append(parts, r.expr(precLowest))
	}
	return parts
}

func (r callReader) nullif() *fragment {
	t := r.Next()
	args := r.parts(",")
	r.Expect(")")
	return r.plainCall(t.Text, t, args...)
}

// cast reads CAST(x AS type).
func (r callReader) cast() *fragment {
	t := r.Next()
	parts := r.parts()
	r.Expect("as")
	typ := r.TypeName()
	r.Expect(")")
	return r.call("x", &Cast{Type: typ, Pos: t.Pos}, parts[0])
}

// extract reads EXTRACT(field FROM x); the field is a string for the call.
func (r callReader) extract() *fragment {
	t := r.Next()
	r.Expect("(")
	field := r.Peek()
	if field.Kind != String && field.Kind != Quoted && (field.Kind != Word || field.Class != NotKeyword) &&
		!field.IsOneOf("year", "month", "day", "hour", "minute", "second") {
		panic(r.Unexpected())
	}
	name := r.literal(StringValue)
	r.Expect("from")
	x := r.expr(precLowest)
	r.Expect(")")
	return r.plainCall(t.Text, t, name, x)
}

// ordinary reads the rest of a call's arguments between commas, of which the
// first may be read already.
func (r callReader) ordinary(t Token, first *fragment) *fragment {
	args := []*fragment{first}
	for r.Accept(",") {
		arg := r.argument()
		args = append(args, arg)
	}
	r.Expect(")")
	return r.plainCall(t.Text, t, args...)
}

// firstArgument reads the parenthesis and the first argument of a function
// that can be called with commas too. The result is nil where the call ends
// without arguments.
func (r callReader) firstArgument() *fragment {
	r.Expect("(")
	if r.Accept(")") {
		return nil
	}
	return r.argument()
}

// overlay reads OVERLAY(x PLACING y FROM a [FOR b]) or overlay(x, y, a, b).
func (r callReader) overlay() *fragment {
	t := r.Next()
	x := r.firstArgument()
	if x == nil {
		return r.plainCall(t.Text, t)
	}
	if !r.NextIs("placing") {
		return r.ordinary(t, x)
	}
	args := []*fragment{x}
	for _, word := range []string{"placing", "from", "for"} {
		if word == "for" && r.NextIs(")") {
			break
		}
		r.Expect(word)
		args = append(args, r.expr(precLowest))
	}
	r.Expect(")")
	return r.plainCall(t.Text, t, args...)
}

// position reads POSITION(a IN b), which is position(b, a).
func (r callReader) position() *fragment {
	t := r.Next()
	r.Expect("(")
	what := r.exprIn(precLowest, true)
	r.Expect("in")
	where := r.exprIn(precLowest, true)
	r.Expect(")")
	return r.plainCall(t.Text, t, where, what)
}

// substring reads SUBSTRING(x FROM a FOR b), in either order and without
// either, SUBSTRING(x SIMILAR a ESCAPE b), or substring(x, a, b).
func (r callReader) substring() *fragment {
	t := r.Next()
	outer := r.substringArg
	r.substringArg = r.depth + 1
	x := r.firstArgument()
	r.substringArg = outer
	if x == nil {
		return r.plainCall(t.Text, t)
	}
	next := r.Peek()
	if r.Accept("similar") {
		pattern := r.expr(precLowest)
		r.Expect("escape")
		escape := r.expr(precLowest)
		r.Expect(")")
		return r.plainCall(t.Text, t, x, pattern, escape)
	}
	if !next.IsOneOf("from", "for") {
		return r.ordinary(t, x)
	}
	var from, length *fragment
	for r.Peek().IsOneOf("from", "for") {
		part := &from
		if r.NextIs("for") {
			part = &length
		}
		if *part != nil {
			panic(r.Unexpected())
		}
		r.Next()
		*part = r.expr(precLowest)
	}
	if from == nil {
		from = r.value(&Literal{Kind: IntegerValue, Text: "1", Pos: next.Pos})
	}
	args := []*fragment{x, from}
	if length != nil {
		args = append(args, length)
	}
	r.Expect(")")
	return r.plainCall(t.Text, t, args...)
}

// trim reads TRIM([BOTH|LEADING|TRAILING] [chars] [FROM] x, …), which is a
// call of btrim, ltrim or rtrim with the characters last.
func (r callReader) trim() *fragment {
	t := r.Next()
	r.Expect("(")
	name := "btrim"
	switch {
	case r.Accept("leading"):
		name = "ltrim"
	case r.Accept("trailing"):
		name = "rtrim"
	default:
		r.Accept("both")
	}
	var chars []*fragment
	if !r.Accept("from") {
		exprs := r.exprs()
		if len(exprs) > 1 || !r.Accept("from") {
			r.Expect(")")
			return r.plainCall(name, t, exprs...)
		}
		chars = exprs
	}
	exprs := r.exprs()
	r.Expect(")")
	return r.plainCall(name, t, append(exprs, chars...)...)
}

// normalize reads NORMALIZE(x [, form]); the form is a string for the call.
func (r callReader) normalize() *fragment {
	t := r.Next()
	args := r.parts()
	if r.Accept(",") {
		if !r.nextIsForm() {
			panic(r.Unexpected())
		}
		args = append(args, r.normalForm())
	}
	r.Expect(")")
	return r.plainCall(t.Text, t, args...)
}

// nextIsForm reports whether a normal form of Unicode comes next.
func (r *rewriter) nextIsForm() bool { return r.Peek().IsOneOf("nfc", "nfd", "nfkc", "nfkd") }

// normalForm reads a normal form as the string that it is for a call.
func (r *rewriter) normalForm() *fragment {
	t := r.Next()
	return r.value(&Literal{Kind: StringValue, Text: upper(t.Text), Pos: t.Pos})
}
