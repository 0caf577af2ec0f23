package store

import (
	"slices"
	"strconv"
	"strings"
)

// Function is a function that CREATE FUNCTION has made of SQL, as an object of the catalog.
type Function struct {
	key string
	FunctionDef
}

// FunctionDef is what a function is beside its name and its schema.
type FunctionDef struct {
	Params  []FunctionParam `json:",omitempty"`
	Returns FunctionType
	Set     bool `json:",omitempty"`
	// Volatility and Parallel are letters of pg_proc.
	Volatility, Parallel string
	Strict, Leakproof    bool   `json:",omitempty"`
	Cost, Rows           string `json:",omitempty"` // as they were given; "" for the default
	// Form is "return" where Text is an expression, "atomic" where it is the queries of BEGIN
	// ATOMIC, and "" where it is a string. The names in the text of a string are looked up when
	// the function is called; those of the others stand for what they did when it was made, as
	// in View.
	Form, Text    string   `json:",omitempty"`
	Depends, Path []string `json:",omitempty"`
}

// FunctionParam is a parameter of a function. Mode is a letter of pg_proc, and Default the text of an
// expression, "" where there is none.
type FunctionParam struct {
	Name    string `json:",omitempty"`
	Mode    string
	Type    FunctionType
	Default string `json:",omitempty"`
}

// FunctionType is the type of a parameter or a result by its name, one that a statement has made by its OID, or the rows of
// a relation by its key.
type FunctionType struct {
	Name  string `json:",omitempty"`
	Made  uint32 `json:"Enum,omitempty"`
	Array bool   `json:",omitempty"` // of the type that is made
	Row   string `json:",omitempty"`
}

// NewFunction makes a function of a key.
func NewFunction(key string, def FunctionDef) *Function { return &Function{key, def} }

// functionMark stands in the key of a function before its name.
const functionMark = schemaEnd + schemaEnd + schemaEnd

// FunctionKey is what states and transactions call the function of a name, in a schema, with some
// parameters. No relation or type has such a key.
func FunctionKey(schema, name string, params []FunctionParam) string {
	var types []string
	for _, p := range params {
		if p.IsInput() {
			types = append(types, p.Type.Text(nil))
		}
	}
	return schema + functionMark + name + "(" + strings.Join(types, ",") + ")"
}

// IsInput reports whether a call has an argument for the parameter.
func (p *FunctionParam) IsInput() bool { return p.Mode == "i" || p.Mode == "b" || p.Mode == "v" }

// Text is the type as SQL writes it; named gives the names of types that statements have made, or is nil for their numbers.
func (t *FunctionType) Text(named func(oid uint32) string) string {
	name := t.Name
	switch {
	case t.Row != "":
		name = NameOf(t.Row)
	case t.Made != 0 && named == nil:
		name = "#" + strconv.FormatUint(uint64(t.Made), 10)
	case t.Made != 0:
		name = named(t.Made)
	}
	if t.Array {
		name += "[]"
	}
	return name
}

// Key is what states call the function.
func (f *Function) Key() string { return f.key }

// Name is the function's name.
func (f *Function) Name() string {
	signature := NameOf(f.key)
	return signature[:strings.LastIndexByte(signature, '(')] // names of types have no parentheses
}

// Schema is the function's schema.
func (f *Function) Schema() string { return SchemaOf(f.key) }

func (*Function) object() {}

// Inputs are the parameters that calls have arguments for.
func (f *Function) Inputs() []FunctionParam {
	return slices.DeleteFunc(slices.Clone(f.Params), func(p FunctionParam) bool { return !p.IsInput() })
}

// Outputs are the parameters that are columns of the result.
func (f *Function) Outputs() []FunctionParam {
	return slices.DeleteFunc(slices.Clone(f.Params), func(p FunctionParam) bool { return p.Mode == "i" || p.Mode == "v" })
}
