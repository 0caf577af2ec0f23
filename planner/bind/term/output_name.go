package term

import "github.com/cubeloom/cubeloom/sql"

// NoName is what PostgreSQL calls a column that nothing names.
const NoName = "?column?"

// OutputName is the name that PostgreSQL gives a column of the select list
// that has no alias.
func OutputName(e sql.Expr) string {
	if name, _ := figureName(e); name != "" {
		return name
	}
	return NoName
}

// nameStrength says how well a name fits: that of a column or function beats
// that of a type, which beats none.
type nameStrength uint8

const (
	unnamed nameStrength = iota
	typeNamed
	named
)

// internalTypeNames are PostgreSQL's own names of types that SQL spells
// otherwise.
var internalTypeNames = map[string]string{
	"boolean": "bool", "smallint": "int2", "integer": "int4", "int": "int4", "bigint": "int8",
	"real": "float4", "double precision": "float8", "float": "float8", "decimal": "numeric", "dec": "numeric",
	"character varying": "varchar", "char": "bpchar", "character": "bpchar",
	"nchar": "bpchar", "national char": "bpchar", "national character": "bpchar", "timestamp without time zone": "timestamp",
	"timestamp with time zone": "timestamptz", "time without time zone": "time",
}

func figureName(e sql.Expr) (string, nameStrength) {
	switch e := e.(type) {
	case *sql.ColumnRef:
		return e.Name[len(e.Name)-1].Name, named
	case *sql.FuncCall:
		return functionName(e), named
	case *sql.Case:
		if name, strength := figureElse(e); strength == named {
			return name, strength
		}
		return "case", typeNamed
	case *sql.Cast:
		if name, strength := figureName(e.X); strength == named {
			return name, strength
		}
		return internalTypeName(e.Type), typeNamed
	case *sql.TypedLiteral:
		return internalTypeName(e.Type), typeNamed
	case *sql.Row:
		return "row", named
	case *sql.Array, *sql.ArrayQuery:
		return "array", named
	case *sql.Subscript:
		return figureName(e.X)
	case *sql.Field:
		return e.Name.Name, named
	case *sql.Star:
		return figureName(&sql.ColumnRef{Name: e.Qualifier})
	case *sql.Exists:
		return "exists", named
	case *sql.Subquery:
		return figureSubquery(e.Query)
	}
	return "", unnamed
}

func figureElse(e *sql.Case) (string, nameStrength) {
	if e.Else == nil {
		return "", unnamed
	}
	return figureName(e.Else)
}

// figureSubquery is the name of the first column of a scalar subquery.
func figureSubquery(body sql.QueryBody) (string, nameStrength) {
	switch body := body.(type) {
	case *sql.Query:
		return figureSubquery(body.Body)
	case *sql.SetOp:
		return figureSubquery(body.Left)
	case *sql.Values:
		return "column1", named
	case *sql.Select:
		if len(body.Items) > 0 && body.Items[0].Alias.Name != "" {
			return body.Items[0].Alias.Name, named
		}
		if len(body.Items) > 0 {
			return OutputName(body.Items[0].Expr), named
		}
	}
	return "", unnamed
}

func functionName(e *sql.FuncCall) string {
	name := e.Name[len(e.Name)-1].Name
	if name == "trim" {
		return "btrim"
	}
	return name
}

func internalTypeName(t sql.TypeName) string {
	if internal, ok := internalTypeNames[t.Name]; ok {
		return internal
	}
	if t.Path != nil {
		return t.Path[len(t.Path)-1]
	}
	return t.Name
}
