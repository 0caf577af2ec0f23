package algebra

import "github.com/cubeloom/cubeloom/sql/value"

// LimitedBy is the name of the type whose length bounds a text, as value.Clip takes it.
func LimitedBy(t Type) string {
	if t.Padded {
		return value.LimitedChar
	}
	return value.LimitedVarchar
}

// routineTypes are the types that the letters of a value.Routine stand for.
var routineTypes = map[byte]Type{
	'b': TBool, 'w': TInt32, 'l': TInt64, 'f': TFloat64, 'r': TFloat32, 'n': TNumeric, 's': TText,
	'd': TDate, 't': TTimestamp, 'z': TTimestampTZ, 'i': TInterval, 'a': {Kind: Array}, 'j': TJSON, 'J': TJSONB,
}

// ElementOf is what package value knows of the type of an array's elements.
func ElementOf(array Type) value.Element {
	elem := array.Element()
	e := value.Element{Letter: 'n', Precision: elem.Precision, Scale: elem.Scale, Length: elem.Length}
	if elem.Kind == Int16 {
		e.Letter = 'h'
		return e
	}
	for letter, typ := range routineTypes {
		if typ.Kind == elem.Kind {
			e.Letter = letter
		}
	}
	return e
}

// RoutineType is the type that a letter of a value.Routine stands for.
func RoutineType(letter byte) Type { return routineTypes[letter] }

// Routine finds the value.Routine that a call is one of, and the letters of its
// parameters.
func Routine(e *Call) (r value.Routine, ok bool) {
	if value.Routines(string(e.Func)) == nil {
		return r, false
	}
	params := make([]byte, len(e.Args))
	for i, arg := range e.Args {
		for letter, typ := range routineTypes {
			if typ.Kind == arg.Type().Kind {
				params[i] = letter
			}
		}
	}
	return value.FindRoutine(string(e.Func), string(params))
}
