package pgcatalog

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"

	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// pgprocText has a line for each function of PostgreSQL 15 over the types that exist
// here: its OID, name, letters (prokind, provolatile, proparallel, s for strict, r for
// a set, l for leakproof), the number of its defaults, its variadic type, its result's
// and those of its arguments. tests/functions_postgres_test.go compares and renews it.
//
//go:embed pgproc.txt
var pgprocText string

// functionList holds what procs and functionsByName give.
var functionList struct {
	once   sync.Once
	all    []proc
	byName map[string][]*proc
}

// procs are the functions of PostgreSQL that exist here, in the order of their
// OIDs.
func procs() []proc {
	functionList.once.Do(listFunctions)
	return functionList.all
}

// functionsByName are the functions of each name.
func functionsByName() map[string][]*proc {
	functionList.once.Do(listFunctions)
	return functionList.byName
}

// listFunctions fills functionList.
func listFunctions() {
	internal := map[string]bool{"array_subscript_handler": true, "array_typanalyze": true, "enum_in": true, "enum_out": true, "enum_recv": true, "enum_send": true}
	for _, types := range [][]pgType{columnTypes, pseudoTypes} {
		for _, t := range types {
			for _, suffix := range []string{"in", "out", "recv", "send"} {
				internal[t.io+suffix], internal["array_"+suffix] = true, true
			}
			internal[t.name+"typmodin"], internal[t.name+"typmodout"] = true, true
		}
	}
	for line := range strings.Lines(pgprocText) {
		words := strings.SplitN(strings.TrimRight(line, "\n"), " ", 7)
		if name := words[1]; !internal[name] && !HasFunction(name) {
			continue
		}
		number := func(i int) int64 {
			n, _ := strconv.ParseInt(words[i], 10, 64) // a line that is wrong fails the test that compares them
			return n
		}
		functionList.all = append(functionList.all, proc{number(0), words[1], words[2], int(number(3)), number(4), number(5), words[6], nil})
	}
	functionList.byName = map[string][]*proc{}
	for i := range functionList.all {
		f := &functionList.all[i]
		functionList.byName[f.name] = append(functionList.byName[f.name], f)
	}
}

// functionNamed is the OID of the only function of a name; 0 where there is none.
func functionNamed(name string) int64 {
	if named := functionsByName()[name]; len(named) == 1 {
		return named[0].oid
	}
	return 0
}

// schema is the schema that the function is in.
func (f *proc) schema() string {
	if f.made != nil {
		return f.made.Schema
	}
	return Schema
}

// types are the OIDs of the arguments.
func (f *proc) types() []int64 {
	var types []int64
	for word := range strings.FieldsSeq(f.arguments) {
		oid, _ := strconv.ParseInt(word, 10, 64)
		types = append(types, oid)
	}
	return types
}

// signature are the types of the arguments as SQL writes them.
func (f *proc) signature() string {
	if f.made != nil {
		return strings.Join(lists.Map(f.made.inputs(), func(p Parameter) string { return p.Type }), ", ")
	}
	var names []string
	for i, oid := range f.types() {
		name := typeText(columnTypes, oid)
		if f.variadic != 0 && i == len(f.types())-1 {
			name = "VARIADIC " + name
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// text is the function as a regprocedure is written.
func (f *proc) text() string {
	return QuoteName(f.name) + "(" + strings.ReplaceAll(strings.ReplaceAll(f.signature(), "VARIADIC ", ""), ", ", ",") + ")"
}

func languageRows(*View) []Row {
	return []Row{{"oid": 12, "lanname": "internal"}, {"oid": 13, "lanname": "c"}, {"oid": 14, "lanname": "sql", "lanpltrusted": true}}
}
