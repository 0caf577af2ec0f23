package algebra

import "github.com/cubeloom/cubeloom/planner/value"

// routineTypes are the types that the letters of a value.Routine stand for.
var routineTypes = map[byte]Type{
	'b': TBool, 'w': TInt32, 'l': TInt64, 'f': TFloat64, 'n': TNumeric, 's': TText,
	'd': TDate, 't': TTimestamp, 'i': TInterval,
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
