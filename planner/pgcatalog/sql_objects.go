package pgcatalog

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// ObjectNames returns the text of an object identifier that is written as a name.
type ObjectNames func(kind algebra.Alias, oid int64) string

// ObjectNames are the names of what the columns of a result identify as it is now; nil
// where no column does.
func (v *View) ObjectNames(columns int, typeOf func(i int) algebra.Type) ObjectNames {
	names := map[algebra.Alias]map[int64]string{}
	for i := range columns {
		if alias := typeOf(i).Alias; alias.IsName() && names[alias] == nil {
			names[alias] = v.namesOf(alias)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return func(kind algebra.Alias, oid int64) string {
		if name, ok := names[kind][oid]; ok {
			return name
		}
		return strconv.FormatInt(oid, 10)
	}
}

// namesOf are the names of all that a kind of identifier may stand for, as they are
// written, by OID.
func (v *View) namesOf(kind algebra.Alias) map[int64]string {
	names := map[int64]string{0: "-"}
	switch kind {
	case algebra.Regclass:
		for name, oid := range systemOIDs {
			names[oid] = name
		}
		for i := range v.Objects() {
			names[v.Objects()[i].oid] = v.written(&v.Objects()[i])
		}
	case algebra.Regtype:
		for _, types := range [][]pgType{v.types(), pseudoTypes} {
			for _, t := range types {
				names[t.oid] = typeText(v.types(), t.oid)
				if t.array != 0 {
					names[t.array] = typeText(v.types(), t.array)
				}
			}
		}
	case algebra.Regproc:
		for _, f := range v.procs() {
			names[f.oid] = QuoteName(f.name)
			if len(v.procsNamed(f.name)) > 1 {
				names[f.oid] = QuoteName(f.schema()) + "." + QuoteName(f.name)
			}
		}
	case algebra.Regprocedure:
		for _, f := range v.procs() {
			names[f.oid] = f.text()
		}
	case algebra.Regnamespace:
		for _, n := range v.schemas() {
			names[n.oid] = QuoteName(n.name)
		}
	case algebra.Regrole:
		for _, r := range v.Access.All() {
			names[int64(r.OID)] = QuoteName(r.Name)
		}
	}
	return names
}

// objectFunction is the text of the functions that make identifiers of names, such as
// regclass and to_regclass, and names of identifiers, such as regclass_name; "" for
// others.
func (v *View) objectFunction(name string, args []algebra.Expr) (string, error) {
	if len(args) != 1 {
		return "", nil
	}
	base, written := strings.CutSuffix(name, "_name")
	base, lenient := strings.CutPrefix(base, "to_")
	kind := algebra.AliasNamed(base)
	switch {
	case !kind.IsName():
		return "", nil
	case written:
		return v.nameText(kind, args[0]), nil
	case isText(args[0]):
		text, err := v.identifierText(kind, args[0], lenient)
		if lenient && text != "" {
			text = "(" + text + ")::" + base
		}
		return text, err
	case lenient:
		return "", nil
	}
	return "$1::bigint", nil
}

// nameText is the text of an identifier.
func (v *View) nameText(kind algebra.Alias, arg algebra.Expr) string {
	names := v.namesOf(kind)
	if c, ok := constantOf(arg); ok {
		switch name, known := names[c.I]; {
		case c.Kind == value.Null:
			return nullText
		case known:
			return QuoteText(name)
		}
		return QuoteText(strconv.FormatInt(c.I, 10))
	}
	var whens strings.Builder
	for _, oid := range slices.Sorted(maps.Keys(names)) {
		fmt.Fprintf(&whens, " WHEN $1 = %d THEN %s", oid, QuoteText(names[oid]))
	}
	return "CASE" + whens.String() + " ELSE $1::bigint::text END"
}

// identifierText is the identifier of what a text names. Where it is not known before
// the statement runs, a name that nothing has ends it with an error, or is NULL.
func (v *View) identifierText(kind algebra.Alias, arg algebra.Expr, lenient bool) (string, error) {
	c, constant := constantOf(arg)
	switch {
	case constant && c.Kind == value.Null:
		return "NULL::bigint", nil
	case constant:
		oid, err := v.lookUp(kind, c.S)
		if err != nil && lenient {
			return "NULL::bigint", nil
		}
		return fmt.Sprintf("%d::bigint", oid), err
	}
	var whens strings.Builder
	for _, sp := range v.spellings(kind) {
		fmt.Fprintf(&whens, " WHEN %s THEN %d", sp.condition(), sp.oid)
	}
	unknown := fmt.Sprintf("('%s \"' || $1 || '\" does not exist')::bigint", objectWords[kind])
	if lenient {
		unknown = "NULL"
	}
	return "CASE WHEN $1 IS NULL THEN NULL::bigint" + whens.String() + " ELSE " + unknown + " END", nil
}

// spelling is how the name of an object may be written.
type spelling struct {
	oid   int64
	plain []string // which any quotes do not change
	exact []string // with their quotes
}

// condition is that $1 is so written.
func (sp *spelling) condition() string {
	literals := func(texts []string) string {
		list := lists.Map(texts, QuoteText)
		return strings.Join(list, ", ")
	}
	if len(sp.plain) > 0 {
		return "replace($1, '\"', '') IN (" + literals(sp.plain) + ")"
	}
	return "$1 IN (" + literals(sp.exact) + ")"
}

// spellings are the names of the objects of a kind, with and without what they lie in.
func (v *View) spellings(kind algebra.Alias) []spelling {
	var list []spelling
	add := func(oid int64, name string, within ...string) {
		sp := spelling{oid: oid, exact: []string{Quote(name)}}
		if isLower(name) {
			sp.plain = []string{name}
		}
		for i := range within {
			prefix := strings.Join(within[i:], ".") + "."
			if sp.plain != nil {
				sp.plain = append(sp.plain, prefix+name)
			}
			quoted := `"` + strings.Join(within[i:], `"."`) + `".`
			sp.exact = append(sp.exact, prefix+Quote(name), quoted+Quote(name))
		}
		list = append(list, sp)
	}
	switch kind {
	case algebra.Regclass:
		for i := range v.Objects() {
			o := &v.Objects()[i]
			add(o.oid, o.Name, v.Database, o.Schema)
			if sp := &list[len(list)-1]; !v.isFound(o) {
				sp.exact, sp.plain = sp.exact[1:], sp.plain[min(1, len(sp.plain)):]
			}
		}
		for name, oid := range systemOIDs {
			add(oid, name, v.Database, Schema)
		}
	case algebra.Regtype:
		for _, t := range v.types() {
			add(t.oid, t.name, t.schema())
			list[len(list)-1].plain = append(list[len(list)-1].plain, t.sql)
			if t.array != 0 {
				add(t.array, "_"+t.name, t.schema())
				list[len(list)-1].plain = append(list[len(list)-1].plain, t.sql+"[]", t.name+"[]")
			}
		}
	default:
		for oid, name := range v.namesOf(kind) {
			list = append(list, spelling{oid: oid, exact: []string{name, Quote(name)}})
		}
	}
	slices.SortFunc(list, func(a, b spelling) int { return cmp.Compare(a.oid, b.oid) })
	return list
}

// objectWords are what messages call what a kind of identifier stands for.
var objectWords = map[algebra.Alias]string{
	algebra.Regclass: "relation", algebra.Regtype: "type", algebra.Regproc: "function", algebra.Regprocedure: "function",
	algebra.Regnamespace: "schema", algebra.Regrole: "role",
}

// objectCodes are the SQLSTATEs of such that does not exist.
var objectCodes = map[algebra.Alias]string{
	algebra.Regclass: value.CodeUndefinedTable, algebra.Regtype: value.CodeUndefinedObject, algebra.Regproc: value.CodeUndefinedFunction,
	algebra.Regprocedure: value.CodeUndefinedFunction, algebra.Regnamespace: value.CodeUndefinedSchema, algebra.Regrole: value.CodeUndefinedObject,
}

// lookUp finds the OID of what a text names, or is.
func (v *View) lookUp(kind algebra.Alias, text string) (int64, error) {
	if text == "-" {
		return 0, nil
	}
	if n, err := strconv.ParseUint(text, 10, 32); err == nil {
		return int64(n), nil
	}
	oid, found, err := v.find(kind, text)
	switch {
	case err != nil:
		return 0, err
	case !found && kind == algebra.Regrole:
		return 0, ErrNoRole(unqualified(text))
	case !found:
		return 0, value.Errorf(objectCodes[kind], "%s %q does not exist", objectWords[kind], text)
	}
	return oid, nil
}

// find finds the OID of what a text names.
func (v *View) find(kind algebra.Alias, text string) (oid int64, found bool, err error) {
	name := unqualified(text)
	switch kind {
	case algebra.Regclass:
		if parts := nameOf(text); len(parts) > 1 && v.schemaOID(parts[len(parts)-2]) == 0 {
			return 0, false, value.Errorf(value.CodeUndefinedSchema, "schema %q does not exist", parts[len(parts)-2])
		}
		oid, found = v.findRelation(text)
	case algebra.Regtype:
		oid, found = v.findTypeNamed(text, name)
	case algebra.Regproc:
		switch functions := v.procsNamed(name); len(functions) {
		case 0:
		case 1:
			oid, found = functions[0].oid, true
		default:
			err = value.Errorf("42725", "more than one function named %q", text)
		}
	case algebra.Regprocedure:
		oid, found, err = v.findProcedure(text)
	case algebra.Regnamespace:
		oid = v.schemaOID(name)
		found = oid != 0
	case algebra.Regrole:
		if r := v.Access.Named(name); r != nil {
			oid, found = int64(r.OID), true
		}
	}
	return oid, found, err
}

// findRelation finds the OID of a relation, in its schema where the name has one.
func (v *View) findRelation(text string) (oid int64, found bool) {
	parts := nameOf(text)
	name := parts[len(parts)-1]
	inCatalog := len(parts) == 1 || parts[len(parts)-2] == Schema
	if oid := systemOIDs[name]; oid != 0 && inCatalog {
		return oid, true
	}
	for i := range v.Objects() {
		o := &v.Objects()[i]
		if o.Name == name && (len(parts) == 1 && v.isFound(o) || len(parts) > 1 && o.Schema == parts[len(parts)-2]) {
			return o.oid, true
		}
	}
	return 0, false
}

// findProcedure finds the OID of a function by its name and the types of its arguments.
func (v *View) findProcedure(text string) (oid int64, found bool, err error) {
	name, arguments, ok := strings.Cut(strings.TrimSuffix(strings.TrimSpace(text), ")"), "(")
	if !ok {
		return 0, false, value.Errorf("22P02", "expected a left parenthesis")
	}
	var types []string
	for argument := range strings.SplitSeq(arguments, ",") {
		if argument = strings.TrimSpace(argument); argument == "" {
			continue
		}
		oid, ok := v.findTypeNamed(argument, unqualified(argument))
		if !ok {
			return 0, false, value.Errorf(value.CodeUndefinedObject, "type %q does not exist", argument)
		}
		types = append(types, strconv.FormatInt(oid, 10))
	}
	for _, f := range v.procsNamed(unqualified(name)) {
		if f.arguments == strings.Join(types, " ") {
			return f.oid, true, nil
		}
	}
	return 0, false, nil
}
