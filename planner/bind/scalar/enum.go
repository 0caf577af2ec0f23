package scalar

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/convert"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// EnumValues binds enum_first, enum_last and enum_range, whose arguments say the type.
func EnumValues(x *scope.Exprs, name string, e *sql.FuncCall) algebra.Expr {
	args, positions := convert.Args(x, e)
	i := slices.IndexFunc(args, func(arg algebra.Expr) bool { return arg.Type().Kind == algebra.Enum })
	if i < 0 || len(args) > 2 || len(args) == 2 && name != "enum_range" {
		panic(term.NoFunction(name, args, e.Pos))
	}
	typ := args[i].Type()
	for k, arg := range args {
		if t := arg.Type(); t != typ && t.Kind != algebra.Unknown {
			panic(term.NoFunction(name, args, e.Pos))
		}
		args[k] = convert.Coerce(x, arg, typ, sqltype.Implicit, positions[k])
	}
	labels := typ.Enum.Labels
	switch {
	case name == "enum_range":
		return enumRange(x, typ, args, e.Pos)
	case len(labels) == 0:
		panic(value.Errorf(value.CodeNotInState, "enum %s contains no values", typ))
	case name == "enum_first":
		labels = labels[:1]
	}
	return &algebra.Const{Val: value.Value{Kind: value.Int, I: int64(len(labels) - 1)}, Typ: typ}
}

// enumRange is the array of all values of a type, or of those between two of which each may be NULL.
func enumRange(x *scope.Exprs, typ algebra.Type, args []algebra.Expr, pos sql.Pos) algebra.Expr {
	labels := lists.Map(typ.Enum.Labels, func(label string) value.Item { return value.Item{Text: label} })
	all := &algebra.Const{Val: value.Value{Kind: value.Text, S: value.JoinArray(x.Opts.Meter, labels)}, Typ: algebra.TArray(typ)}
	if len(args) == 1 {
		return all
	}
	text := fmt.Sprintf("$1[coalesce(array_position($1, $2), 1):coalesce(array_position($1, $3), %d)]", len(labels))
	return x.SQLText("enum_range", text, append([]algebra.Expr{all}, args...), pos)
}
