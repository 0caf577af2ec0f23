package pgcatalog

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/access"
)

// Function is a function that CREATE FUNCTION has made.
type Function struct {
	Schema, Name string
	Params       []Parameter
	Result       string // its type as SQL writes it
	Set          bool
	// Volatility and Parallel are letters of pg_proc; Cost and Rows are empty where none was given.
	Volatility, Parallel string
	Strict, Leakproof    bool
	Cost, Rows           string
	Source               string // a body that is a string
	Body                 string // any other as SQL has it, from RETURN or BEGIN on
	Object               access.Object
}

// Parameter is a parameter of a function. Mode is a letter of pg_proc, and Default is empty where there is none.
type Parameter struct {
	Name, Mode, Type, Default string
	Input                     bool // calls have an argument for it
}

// inputs are the parameters that calls have arguments for.
func (f *Function) inputs() []Parameter {
	return slices.DeleteFunc(slices.Clone(f.Params), func(p Parameter) bool { return !p.Input })
}

// arguments are the parameters as pg_get_function_arguments writes them.
func (f *Function) arguments() string { return f.parameters(true) }

// identity are they as pg_get_function_identity_arguments does.
func (f *Function) identity() string { return f.parameters(false) }

func (f *Function) parameters(defaults bool) string {
	var texts []string
	for _, p := range f.Params {
		text := map[string]string{"o": "OUT ", "b": "INOUT ", "v": "VARIADIC "}[p.Mode]
		if p.Name != "" {
			text += QuoteName(p.Name) + " "
		}
		text += p.Type
		if p.Default != "" && defaults {
			text += " DEFAULT " + p.Default
		}
		if p.Mode != "t" {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}

// returns is the result as pg_get_function_result writes it.
func (f *Function) returns() string {
	var columns []string
	for _, p := range f.Params {
		if p.Mode == "t" {
			columns = append(columns, QuoteName(p.Name)+" "+p.Type)
		}
	}
	switch {
	case columns != nil:
		return "TABLE(" + strings.Join(columns, ", ") + ")"
	case f.Set:
		return "SETOF " + f.Result
	}
	return f.Result
}

// Definition is the statement that makes the function, as pg_get_functiondef writes it but for its last line feed.
func (f *Function) Definition() string {
	text := "CREATE OR REPLACE FUNCTION " + QuoteName(f.Schema) + "." + QuoteName(f.Name) + "(" + f.arguments() + ")\n RETURNS " +
		f.returns() + "\n LANGUAGE sql\n"
	words := map[string]string{"i": " IMMUTABLE", "s": " STABLE"}[f.Volatility] +
		map[string]string{"s": " PARALLEL SAFE", "r": " PARALLEL RESTRICTED"}[f.Parallel]
	for _, w := range []struct {
		is   bool
		word string
	}{{f.Strict, " STRICT"}, {f.Leakproof, " LEAKPROOF"}, {f.Cost != "", " COST " + f.Cost}, {f.Rows != "", " ROWS " + f.Rows}} {
		if w.is {
			words += w.word
		}
	}
	if words != "" {
		text += words + "\n"
	}
	if f.Body != "" {
		return text + f.Body
	}
	tag := "$function$"
	for strings.Contains(f.Source, tag) {
		tag = "$x" + tag[1:]
	}
	return text + "AS " + tag + f.Source + tag
}

// proc is a function as pg_proc shows it.
type proc struct {
	oid       int64
	name      string
	letters   string
	defaults  int
	variadic  int64
	result    int64
	arguments string    // as oidvector
	made      *Function // nil: the system's
}

// object is the function as package access knows it.
func (f *proc) object() access.Object {
	if f.made != nil {
		return f.made.Object
	}
	return access.Object{Kind: access.Function, Name: f.name}
}
