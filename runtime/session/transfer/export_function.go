package transfer

import (
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner/pgcatalog"
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
		fmt.Fprintf(out, "\nCREATE FUNCTION %s(%s)\n%s;\n", functionName(f), e.parameters(f), e.functionRest(f))
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
	return t.Text(func(oid uint32) string { return e.state.EnumOf(oid).Qualified() })
}

// parameters are the parameters of a function, but for the columns of RETURNS TABLE.
func (e *exporting) parameters(f *store.Function) string {
	var params []string
	for _, p := range f.Params {
		if p.Mode == "t" {
			continue
		}
		words := map[string]string{"o": "OUT ", "b": "INOUT "}[p.Mode]
		if p.Name != "" {
			words += pgcatalog.QuoteName(p.Name) + " "
		}
		words += e.functionType(&p.Type)
		if p.Default != "" {
			words += " DEFAULT " + p.Default
		}
		params = append(params, words)
	}
	return strings.Join(params, ", ")
}

// returns is what a function returns.
func (e *exporting) returns(f *store.Function) string {
	var columns []string
	for _, p := range f.Params {
		if p.Mode == "t" {
			columns = append(columns, pgcatalog.QuoteName(p.Name)+" "+e.functionType(&p.Type))
		}
	}
	switch {
	case len(columns) > 0:
		return "TABLE (" + strings.Join(columns, ", ") + ")"
	case f.Set:
		return "SETOF " + e.functionType(&f.Returns)
	}
	return e.functionType(&f.Returns)
}

// functionRest is what stands behind the parameters of a function.
func (e *exporting) functionRest(f *store.Function) string {
	words := map[string]string{"i": " IMMUTABLE", "s": " STABLE"}[f.Volatility] + map[string]string{"s": " PARALLEL SAFE", "r": " PARALLEL RESTRICTED"}[f.Parallel]
	if f.Strict {
		words += " STRICT"
	}
	if f.Leakproof {
		words += " LEAKPROOF"
	}
	if f.Cost != "" {
		words += " COST " + f.Cost
	}
	if f.Rows != "" {
		words += " ROWS " + f.Rows
	}
	text := "\nAS " + pgcatalog.QuoteText(f.Text)
	switch f.Form {
	case "return":
		text = "\nRETURN " + f.Text
	case "atomic":
		text = "\nBEGIN ATOMIC\n" + f.Text + ";\nEND"
	}
	return "RETURNS " + e.returns(f) + " LANGUAGE sql" + words + text
}
