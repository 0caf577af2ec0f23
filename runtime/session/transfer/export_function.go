package transfer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// functions writes the statements that make functions: first those that need no relation to be there, which
// tables may call, then the others.
func (e *exporting) functions(out *strings.Builder, first bool) {
	for _, f := range e.state.AllFunctions() {
		if e.needsRelation(f) == first {
			continue
		}
		if path := f.Path; path != nil {
			fmt.Fprintf(out, "\nSET search_path = %s;", quotedNames(slices.DeleteFunc(slices.Clone(path), func(s string) bool { return s == store.TemporarySchema })))
		}
		made := catalog.MadeFunction(f, e.functionType)
		fmt.Fprintf(out, "\n%s;\n", made.Definition())
		if f.Path != nil {
			out.WriteString("SET search_path = DEFAULT;\n")
		}
		if text := e.state.Access().Grants(store.AccessTo(store.KindFunction, f.Key())).Comment; text != "" {
			fmt.Fprintf(out, "COMMENT ON FUNCTION %s IS %s;\n", e.signature(f), pgcatalog.QuoteText(text))
		}
	}
}

// needsRelation reports whether a relation must be there before the function.
func (e *exporting) needsRelation(f *store.Function) bool {
	return f.Returns.Row != "" || slices.ContainsFunc(f.Depends, func(key string) bool {
		kind := store.KindOf(e.state.Lookup(key))
		return kind != store.KindFunction && kind != store.KindType
	})
}

func functionName(f *store.Function) string {
	return pgcatalog.QuoteName(f.Schema()) + "." + pgcatalog.QuoteName(f.Name())
}

// signature is a function with the types of its arguments.
func (e *exporting) signature(f *store.Function) string {
	types := lists.Map(f.Inputs(), func(p store.FunctionParam) string { return e.functionType(&p.Type) })
	return functionName(f) + "(" + strings.Join(types, ", ") + ")"
}

// functionType is the name of a type, with the schema that it is in unless it is one of the system.
func (e *exporting) functionType(t *store.FunctionType) string {
	if t.Row != "" {
		return exportedName(t.Row)
	}
	return t.Text(func(oid uint32) string { return e.state.UserTypeOf(oid).ID().Qualified() })
}
