package value

// Routine is a scalar function that needs nothing of its engine but the values of
// its arguments: planner, folding and the CPU backend call it by its name and the
// kinds of its arguments. It is not called where an argument is NULL, and the
// result is NULL then.
type Routine struct {
	// Params and Result are letters: b boolean, w integer, l bigint, f double
	// precision, r real, n numeric, s text, d date, t timestamp, z timestamp with time
	// zone, i interval, a array, j json, J jsonb, u uuid,
	// k time, y bytea, e enum, R a row, p jsonpath.
	Params string
	Result byte
	// Call computes a routine whose cost does not grow with its arguments; Metered is
	// that of the others. It may give NULL only where Nullable is set.
	Call    func(args []Value) (Value, error)
	Metered func(m *Meter, args []Value) (Value, error)
	// Remembering makes a Metered for one goroutine that is quick where its arguments
	// are like those of the call before.
	Remembering func() func(m *Meter, args []Value) (Value, error)
	// Element makes, for one goroutine, what takes a text out of an array; it is all that the routine is.
	Element  func() func(m *Meter, array string, i int64) (text string, ok bool)
	Nullable bool
}

// Func is what computes the routine, for one goroutine.
func (r *Routine) Func() func(m *Meter, args []Value) (Value, error) {
	switch {
	case r.Remembering != nil:
		return r.Remembering()
	case r.Element != nil:
		element := r.Element()
		return func(m *Meter, args []Value) (Value, error) {
			text, ok := element(m, args[0].S, args[1].I)
			if !ok {
				return Value{}, nil
			}
			return textValue(text), nil
		}
	case r.Metered != nil:
		return r.Metered
	}
	return func(_ *Meter, args []Value) (Value, error) { return r.Call(args) }
}

func boolValue(b bool) Value         { return Value{Kind: Bool, B: b} }
func intValue(i int64) Value         { return Value{Kind: Int, I: i} }
func floatValue(f float64) Value     { return Value{Kind: Float, F: f} }
func numValue(n Num) Value           { return Value{Kind: Decimal, Num: n} }
func textValue(s string) Value       { return Value{Kind: Text, S: s} }
func intervalValue(i Interval) Value { return Value{Kind: Intervals, Interval: i} }
