package dialect

import "strings"

// special finds the reader of a function with a syntax of its own; nil when
// none stands here.
func (r *rewriter) special(t, next Token) func() (*fragment, error) {
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
	case "coalesce", "greatest", "least", "grouping":
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

func (r *rewriter) refused() (*fragment, error) {
	t := r.Peek()
	return nil, Unsupported(t, upper(t.Text)+" is")
}

// plainCall calls a function by its name alone.
func (r *rewriter) plainCall(name string, t Token, args ...*fragment) *fragment {
	return r.call("f", &Call{Name: []Ident{{Name: name, Pos: t.Pos}}, Pos: t.Pos}, args...)
}

func (r *rewriter) bareCall() (*fragment, error) {
	t := r.Next()
	return r.plainCall(t.Text, t), nil
}

// clockCall reads CURRENT_TIMESTAMP and its kin with their precision.
func (r *rewriter) clockCall() (*fragment, error) {
	t := r.Next()
	if !r.Accept("(") {
		return r.plainCall(t.Text, t), nil
	}
	if r.Peek().Kind != Integer {
		return nil, r.Unexpected()
	}
	return r.plainCall(t.Text, t, r.literal(IntegerValue)), r.Expect(")")
}

func (r *rewriter) listCall() (*fragment, error) {
	t := r.Next()
	exprs, err := r.exprsInParens()
	if err != nil {
		return nil, err
	}
	return r.plainCall(t.Text, t, exprs...), nil
}

// parts reads ( expression word expression word … ), and fails at the first
// other token.
func (r *rewriter) parts(words ...string) ([]*fragment, error) {
	var parts []*fragment
	for _, w := range append([]string{"("}, words...) {
		if err := r.Expect(w); err != nil {
			return nil, err
		}
		e, err := r.expr(precLowest)
		if err != nil {
			return nil, err
		}
		parts = append(parts, e)
	}
	return parts, nil
}

func (r *rewriter) nullif() (*fragment, error) {
	t := r.Next()
	args, err := r.parts(",")
	if err != nil {
		return nil, err
	}
	return r.plainCall(t.Text, t, args...), r.Expect(")")
}

// cast reads CAST(x AS type).
func (r *rewriter) cast() (*fragment, error) {
	t := r.Next()
	parts, err := r.parts()
	if err != nil {
		return nil, err
	}
	if err := r.Expect("as"); err != nil {
		return nil, err
	}
	typ, err := r.TypeName()
	if err != nil {
		return nil, err
	}
	return r.call("x", &Cast{Type: typ, Pos: t.Pos}, parts[0]), r.Expect(")")
}

// extract reads EXTRACT(field FROM x); the field is a string for the call.
func (r *rewriter) extract() (*fragment, error) {
	t := r.Next()
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	field := r.Peek()
	if field.Kind != String && field.Kind != Quoted && (field.Kind != Word || field.Class != NotKeyword) &&
		!field.IsOneOf("year", "month", "day", "hour", "minute", "second") {
		return nil, r.Unexpected()
	}
	name := r.literal(StringValue)
	if err := r.Expect("from"); err != nil {
		return nil, err
	}
	x, err := r.expr(precLowest)
	if err != nil {
		return nil, err
	}
	return r.plainCall(t.Text, t, name, x), r.Expect(")")
}

// ordinary reads the rest of a call's arguments between commas, of which the
// first may be read already.
func (r *rewriter) ordinary(t Token, first *fragment) (*fragment, error) {
	args := []*fragment{first}
	for r.Accept(",") {
		arg, err := r.argument()
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	return r.plainCall(t.Text, t, args...), r.Expect(")")
}

// firstArgument reads the parenthesis and the first argument of a function
// that can be called with commas too. The result is nil where the call ends
// without arguments.
func (r *rewriter) firstArgument() (*fragment, error) {
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	if r.Accept(")") {
		return nil, nil
	}
	return r.argument()
}

// overlay reads OVERLAY(x PLACING y FROM a [FOR b]) or overlay(x, y, a, b).
func (r *rewriter) overlay() (*fragment, error) {
	t := r.Next()
	x, err := r.firstArgument()
	if err != nil {
		return nil, err
	}
	if x == nil {
		return r.plainCall(t.Text, t), nil
	}
	if !r.NextIs("placing") {
		return r.ordinary(t, x)
	}
	args := []*fragment{x}
	for _, word := range []string{"placing", "from", "for"} {
		if word == "for" && r.NextIs(")") {
			break
		}
		if err := r.Expect(word); err != nil {
			return nil, err
		}
		e, err := r.expr(precLowest)
		if err != nil {
			return nil, err
		}
		args = append(args, e)
	}
	return r.plainCall(t.Text, t, args...), r.Expect(")")
}

// position reads POSITION(a IN b), which is position(b, a).
func (r *rewriter) position() (*fragment, error) {
	t := r.Next()
	if err := r.Expect("("); err != nil {
		return nil, err
	}
	what, err := r.exprIn(precLowest, true)
	if err != nil {
		return nil, err
	}
	if err := r.Expect("in"); err != nil {
		return nil, err
	}
	where, err := r.exprIn(precLowest, true)
	if err != nil {
		return nil, err
	}
	return r.plainCall(t.Text, t, where, what), r.Expect(")")
}

// substring reads SUBSTRING(x FROM a FOR b), in either order and without
// either, or substring(x, a, b).
func (r *rewriter) substring() (*fragment, error) {
	t := r.Next()
	outer := r.substringArg
	r.substringArg = r.depth + 1
	x, err := r.firstArgument()
	r.substringArg = outer
	if err != nil {
		return nil, err
	}
	if x == nil {
		return r.plainCall(t.Text, t), nil
	}
	next := r.Peek()
	if next.Is("similar") {
		return nil, Unsupported(next, "SUBSTRING with SIMILAR is")
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
			return nil, r.Unexpected()
		}
		r.Next()
		if *part, err = r.expr(precLowest); err != nil {
			return nil, err
		}
	}
	if from == nil {
		from = r.value(&Literal{Kind: IntegerValue, Text: "1", Pos: next.Pos})
	}
	args := []*fragment{x, from}
	if length != nil {
		args = append(args, length)
	}
	return r.plainCall(t.Text, t, args...), r.Expect(")")
}

// trim reads TRIM([BOTH|LEADING|TRAILING] [chars] [FROM] x, …), which is a
// call of btrim, ltrim or rtrim with the characters last.
func (r *rewriter) trim() (*fragment, error) {
	t := r.Next()
	if err := r.Expect("("); err != nil {
		return nil, err
	}
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
		exprs, err := r.exprs()
		if err != nil {
			return nil, err
		}
		if len(exprs) > 1 || !r.Accept("from") {
			return r.plainCall(name, t, exprs...), r.Expect(")")
		}
		chars = exprs
	}
	exprs, err := r.exprs()
	if err != nil {
		return nil, err
	}
	return r.plainCall(name, t, append(exprs, chars...)...), r.Expect(")")
}

func (r *rewriter) normalize() (*fragment, error) {
	t := r.Next()
	parts, err := r.parts()
	if err != nil {
		return nil, err
	}
	if next := r.Peek(); next.Is(",") {
		return nil, Unsupported(next, "NORMALIZE with a form is")
	}
	return r.plainCall(t.Text, t, parts...), r.Expect(")")
}
