package sqltype

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// plainTypes are the type names without parameters.
var plainTypes = map[string]algebra.Type{
	"boolean": algebra.TBool, "bool": algebra.TBool,
	"smallint": algebra.TInt16, "int2": algebra.TInt16,
	"integer": algebra.TInt32, "int": algebra.TInt32, "int4": algebra.TInt32,
	"bigint": algebra.TInt64, "int8": algebra.TInt64,
	"real": algebra.TFloat32, "float4": algebra.TFloat32,
	"double precision": algebra.TFloat64, "float8": algebra.TFloat64, "float": algebra.TFloat64,
	"numeric": algebra.TNumeric, "decimal": algebra.TNumeric, "dec": algebra.TNumeric,
	"text": algebra.TText, "varchar": algebra.TText, "character varying": algebra.TText, "name": algebra.TAlias(algebra.Name),
	"char": char, "character": char, "bpchar": algebra.TBPChar,
	"nchar": char, "national char": char, "national character": char,
	`"char"`:    {Kind: algebra.Text, Length: 1, Alias: algebra.Char},
	"date":      algebra.TDate,
	"timestamp": algebra.TTimestamp, "timestamp without time zone": algebra.TTimestamp,
	"timestamptz": algebra.TTimestampTZ, "timestamp with time zone": algebra.TTimestampTZ,
	"time": algebra.TTime, "time without time zone": algebra.TTime,
	"interval": algebra.TInterval,
	"oid":      algebra.TOID, "void": algebra.TAlias(algebra.Void),
	"json": algebra.TJSON, "jsonb": algebra.TJSONB, "uuid": algebra.TUUID, "bytea": algebra.TBytea, "jsonpath": algebra.TJSONPath,
}

// char is character(1), which is meant where no length is named.
var char = algebra.Type{Kind: algebra.Text, Padded: true, Length: 1}

// otherTypes are types of PostgreSQL that the engine does not have.
var otherTypes = map[string]bool{
	"time with time zone": true, "timetz": true,
	"xml": true, "money": true, "bit": true, "bit varying": true, "varbit": true,
	"inet": true, "cidr": true, "macaddr": true, "point": true, "line": true, "box": true, "path": true,
	"polygon": true, "circle": true, "tsvector": true, "tsquery": true, "regclass": true,
	"regtype": true, "regnamespace": true, "regproc": true, "regprocedure": true, "regrole": true, "serial": true, "bigserial": true, "smallserial": true,
}

// MaxPrecision is the largest number of digits of a numeric.
const MaxPrecision = 38

// maxTextLength is PostgreSQL's largest n of varchar(n).
const maxTextLength = 10485760

// Made finds the type that a statement has made of a name, outermost qualifier first; nil where
// there is none.
type Made func(name []string) (algebra.UserType, error)

// Resolve returns the type that a type name stands for, which must be no domain; made may be nil:
// there are only the types of the system then.
func Resolve(name sql.TypeName, made Made) (algebra.Type, error) {
	typ, d, err := ResolveDomain(name, made)
	if err == nil && d != nil {
		err = value.ErrorAt(int(name.Pos), value.CodeFeatureNotSupported, "the domain %s is not supported here", d)
	}
	return typ, err
}

// ResolveDomain returns the type that a type name stands for: of a domain that of its values, and the
// domain.
func ResolveDomain(name sql.TypeName, made Made) (algebra.Type, *algebra.Domain, error) {
	typ, d, err := resolve(name, made)
	if err == nil && name.Collation != nil {
		err = checkColumn(typ, name.Collation)
	}
	return typ, d, err
}

func resolve(name sql.TypeName, made Made) (algebra.Type, *algebra.Domain, error) {
	pos := int(name.Pos)
	if name.Array {
		name.Array = false
		elem, d, err := resolve(name, made)
		switch {
		case err == nil && d != nil:
			err = value.ErrorAt(pos, value.CodeFeatureNotSupported, "an array of the domain %s is not supported", d)
		case err == nil && elem != elem.Plain():
			err = value.ErrorAt(pos, value.CodeFeatureNotSupported, "an array of %s is not supported", elem)
		}
		return algebra.TArray(elem), nil, err
	}
	if typ, ok := plainTypes[name.Name]; ok || otherTypes[name.Name] || name.Path == nil || made == nil {
		typ, err := modified(name, typ, ok)
		return typ, nil, err
	}
	switch t, err := made(name.Path); t := t.(type) {
	case *algebra.EnumType:
		typ, err := modified(name, algebra.TEnum(t), true)
		return typ, nil, err
	case *algebra.Domain:
		_, err := modified(name, algebra.TBool, true) // which takes no modifier either
		return t.Base, t, err
	default:
		if err != nil {
			return algebra.Type{}, nil, value.At(err, pos)
		}
	}
	typ, err := modified(name, algebra.Type{}, false)
	return typ, nil, err
}

// modified is a type that a name stands for with its modifier; ok says that there is one.
func modified(name sql.TypeName, typ algebra.Type, ok bool) (algebra.Type, error) {
	pos := int(name.Pos)
	switch {
	case !ok && otherTypes[name.Name]:
		return typ, value.ErrorAt(pos, value.CodeFeatureNotSupported, "type %s is not supported", name.Name)
	case !ok && name.Path != nil:
		return typ, value.ErrorAt(pos, value.CodeUndefinedObject, "type %q does not exist", strings.Join(name.Path, "."))
	case !ok:
		return typ, value.ErrorAt(pos, value.CodeUndefinedObject, "type %q does not exist", name.Name)
	case len(name.Args) == 0 && name.Field == "":
		return typ, nil
	}
	switch {
	case typ.Kind == algebra.Numeric:
		return decimalType(name.Args, pos)
	case typ.Kind == algebra.Text && name.Name != "text" && name.Name != "name":
		return textType(name.Name, typ.Padded, name.Args, pos)
	case name.Name == "float":
		return floatType(name.Args, pos)
	case typ.HasTimeModifier():
		return timeType(typ, name)
	}
	return typ, value.ErrorAt(pos, value.CodeSyntax, "type modifier is not allowed for type %q", name.Name)
}

// timeType is a time type with its modifier. PostgreSQL takes too many digits for all.
func timeType(typ algebra.Type, name sql.TypeName) (algebra.Type, error) {
	digits := -1
	if len(name.Args) > 1 {
		return typ, value.ErrorAt(int(name.Pos), value.CodeSyntax, "syntax error at or near \",\"")
	}
	if len(name.Args) == 1 {
		digits = min(name.Args[0], algebra.MaxSecondDigits)
	}
	return typ.WithTime(digits, name.Field), nil
}

func decimalType(args []int, pos int) (algebra.Type, error) {
	scale := 0
	if len(args) == 2 {
		scale = args[1]
	}
	switch precision := args[0]; {
	case len(args) > 2:
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter, "invalid NUMERIC type modifier")
	case precision < 1 || precision > MaxPrecision:
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter,
			"NUMERIC precision %d must be between 1 and %d", precision, MaxPrecision)
	case scale < 0 || scale > precision:
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter,
			"NUMERIC scale %d must be between 0 and precision %d", scale, precision)
	default:
		return algebra.TDecimal(uint8(precision), uint8(scale)), nil
	}
}

// floatType is FLOAT(n), of at least n bits.
func floatType(args []int, pos int) (algebra.Type, error) {
	switch bits := args[0]; {
	case len(args) > 1:
		return algebra.Type{}, value.ErrorAt(pos, value.CodeSyntax, "type modifier is not allowed for type %q", "float")
	case bits < 1:
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter, "precision for type float must be at least 1 bit")
	case bits > 53:
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter, "precision for type float must be less than 54 bits")
	case bits <= 24:
		return algebra.TFloat32, nil
	}
	return algebra.TFloat64, nil
}

func textType(name string, padded bool, args []int, pos int) (algebra.Type, error) {
	if args[0] < 1 {
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter, "length for type %s must be at least 1", name)
	}
	if args[0] > maxTextLength || len(args) > 1 {
		return algebra.Type{}, value.ErrorAt(pos, value.CodeInvalidParameter,
			"length for type %s cannot exceed %d", name, maxTextLength)
	}
	return algebra.Type{Kind: algebra.Text, Padded: padded, Length: int32(args[0])}, nil
}

// Named is the type of a name without parameters.
func Named(name string) (algebra.Type, bool) {
	typ, ok := plainTypes[name]
	return typ, ok
}
