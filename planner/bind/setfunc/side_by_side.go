package setfunc

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/planner/bind/term"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/sql"
)

// SideBySide binds ROWS FROM of several functions: their rows side by side, with NULL behind
// the ends of the shorter ones.
func SideBySide(x *scope.Exprs, t *sql.TableFunc, name string) algebra.Node {
	calls := functionRows(x, t.Call)
	for _, call := range t.Beside {
		calls = append(calls, functionRows(x, call)...)
	}
	return RowsInFrom(x.Binder, calls, name, t)
}

// functionRows are the columns of a function in ROWS FROM.
func functionRows(x *scope.Exprs, call *sql.FuncCall) (columns []*scope.SetCall) {
	name := call.Name[len(call.Name)-1].Name
	f := function.Find(function.Set, name)
	switch {
	case name == "unnest":
		for _, array := range unnested(x, call) {
			c := elementRows(array, call.Pos)
			c.Col.Name = name
			columns = append(columns, c)
		}
		return columns
	case f != nil && f.Form == "json_each":
		return jsonMembers(x, call, name)
	case f != nil && f.Query != "" || strings.HasSuffix(name, "_to_record") || strings.HasSuffix(name, "_to_recordset"):
		panic(term.NotSupported(call.Pos, "the function "+name+" in ROWS FROM is"))
	}
	c := Rows(x, name, call)
	if strings.Contains(name, "_array_elements") {
		c.Col.Name = "value"
	}
	return []*scope.SetCall{c}
}
