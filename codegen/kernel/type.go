package kernel

var typeNames = [...]string{
	Invalid: "invalid", Bool: "bool", I32: "i32", I64: "i64", I128: "i128", F64: "f64",
	Num: "num", Interval: "interval", Str: "str", Code: "code",
}

// String is the type's name in a printed kernel.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "invalid"
}

// IsInteger reports whether values of the type are machine integers.
func (t Type) IsInteger() bool { return t == I32 || t == I64 || t == I128 }

// IsNumber reports whether arithmetic is defined on the type.
func (t Type) IsNumber() bool { return t.IsInteger() || t == F64 || t == Num }
