package value

// Extract and date_trunc of fields whose names are not constant. Those of constant ones are operations of the algebra, and
// those of moments are TZExtract and TZTrunc.
const (
	FieldOf      = "field of"
	TruncToField = "trunc to field"
)

var fieldRoutines = map[string][]Routine{
	FieldOf: {
		{Params: "sd", Result: 'n', Call: fieldOf(DateType, fieldOfDate), Nullable: true},
		{Params: "st", Result: 'n', Call: fieldOf(TimestampType, fieldOfTimestamp), Nullable: true},
		{Params: "si", Result: 'n', Call: fieldOf(IntervalType, func(f Field, v Value) (Value, error) {
			return numValue(ExtractInterval(f, v.Interval)), nil
		})},
		{Params: "sk", Result: 'n', Call: fieldOf(TimeType, func(f Field, v Value) (Value, error) {
			return numValue(ExtractInterval(f, Interval{Micros: v.I})), nil
		})},
	},
	TruncToField: {
		{Params: "st", Result: 't', Call: func(a []Value) (Value, error) {
			f, err := ParseTruncField(a[0].S, TimestampType)
			if err != nil {
				return Value{}, err
			}
			return micros(TruncTimestamp(f, a[1].I))
		}},
		{Params: "si", Result: 'i', Call: func(a []Value) (Value, error) {
			f, err := ParseTruncField(a[0].S, IntervalType)
			if err != nil {
				return Value{}, err
			}
			return intervalValue(TruncInterval(f, a[1].Interval)), nil
		}},
	},
}

// fieldOf finds the field that the first argument names of a type, and extracts it from the second.
func fieldOf(typ string, extract func(Field, Value) (Value, error)) func([]Value) (Value, error) {
	return func(a []Value) (Value, error) {
		f, err := ParseExtractField(a[0].S, typ)
		if err != nil {
			return Value{}, err
		}
		return extract(f, a[1])
	}
}

func fieldOfDate(f Field, v Value) (Value, error) {
	if !IsFiniteDate(int32(v.I)) {
		return Value{}, CheckExtracted(f)
	}
	return numValue(NumOf(ExtractDate(f, int32(v.I)))), nil
}

func fieldOfTimestamp(f Field, v Value) (Value, error) {
	if !IsFiniteTimestamp(v.I) {
		return Value{}, CheckExtracted(f)
	}
	return numValue(ExtractTimestampNum(f, v.I)), nil
}
