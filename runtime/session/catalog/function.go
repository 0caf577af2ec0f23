package catalog

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/function"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Functions implements planner.Catalog.
func (c *Catalog) Functions(name []string) (list []*planner.UserFunction, err error) {
	if c.local != nil {
		if name, err = c.local(name); err != nil {
			return nil, err
		}
	}
	if len(name) == 2 && c.access != nil && !c.access.HasSchema(name[0]) && !access.IsSystemSchema(name[0]) && name[0] != store.TemporarySchema {
		return nil, session.NoSchema(name[0])
	}
	for _, f := range c.functions(name) {
		described, err := c.Describe(f)
		if err != nil {
			return nil, err
		}
		described.Called = func() {
			if c.access != nil && !c.access.Can(c.user, store.AccessTo(store.KindFunction, f.Key()), access.Execute) {
				panic(session.Denied("permission denied for function %s", f.Name()))
			}
			c.use(f)
		}
		list = append(list, described)
	}
	return list, nil
}

// functions are what a name of functions stands for.
func (c *Catalog) functions(name []string) (list []*store.Function) {
	state := c.state
	if c.types != nil {
		state = c.types
	}
	last := name[len(name)-1]
	if len(name) == 2 {
		if c.access != nil && c.access.HasSchema(name[0]) && !c.access.Can(c.user, access.SchemaObject(name[0]), access.Usage) {
			return nil
		}
		return state.Functions(name[0], last)
	}
	path := c.path
	if c.view != nil {
		path = c.view.SearchPath()
	}
	for _, schema := range path {
		list = append(list, state.Functions(schema, last)...)
	}
	if c.view == nil {
		return list
	}
	return slices.DeleteFunc(list, func(f *store.Function) bool { return !slices.Contains(c.view.Depends, f.Key()) })
}

// Describe is a function as the planner knows it.
func (c *Catalog) Describe(f *store.Function) (*planner.UserFunction, error) {
	described := &planner.UserFunction{Key: f.Key(), Name: f.Name(), Set: f.Set, Strict: f.Strict, Form: f.Form, Text: f.Text, Within: c.inFunction(f)}
	for _, p := range f.Inputs() {
		typ, d, err := c.TypeOf(&p.Type)
		if err != nil {
			return nil, err
		}
		described.Params = append(described.Params, planner.Parameter{Name: p.Name, Default: p.Default, Type: typ, Domain: d})
	}
	outputs := f.Outputs()
	switch {
	case len(outputs) > 1:
		for _, p := range outputs {
			typ, d, err := c.TypeOf(&p.Type)
			if err != nil {
				return nil, err
			}
			described.Columns = append(described.Columns, planner.Parameter{Name: p.Name, Type: typ, Domain: d})
		}
		return described, nil
	case f.Returns.Row != "":
		return described, c.describeRow(described, f.Returns.Row)
	}
	typ, d, err := c.TypeOf(&f.Returns)
	if described.Returns, described.Domain = typ, d; err == nil && len(outputs) == 1 {
		described.Result = outputs[0].Name
	}
	return described, err
}

// describeRow gives a function the columns of a relation.
func (c *Catalog) describeRow(f *planner.UserFunction, key string) error {
	of := *c
	of.view, of.local, of.Used = nil, nil, nil
	rel, err := of.Relation([]string{store.SchemaOf(key), store.NameOf(key)})
	if err != nil || rel == nil {
		return err
	}
	for _, column := range rel.Columns {
		f.Columns = append(f.Columns, planner.Parameter{Name: column.Name, Type: sqltype.Unlimited(column.Type)})
	}
	return nil
}

// inFunction is the catalog as the text of a function sees it.
func (c *Catalog) inFunction(f *store.Function) *Catalog {
	inner := *c
	inner.view, inner.Used = nil, nil
	if f.Form != "" {
		inner.view = &store.View{Depends: f.Depends, Path: f.Path}
	}
	return &inner
}

// TypeOf is the type of a parameter or a result: of a domain that of its values, and the domain.
func (c *Catalog) TypeOf(t *store.FunctionType) (algebra.Type, *algebra.Domain, error) {
	switch made := cmp.Or(c.types, c.state).UserTypeOf(t.Made).(type) {
	case *algebra.EnumType:
		if t.Array {
			return algebra.TArray(algebra.TEnum(made)), nil, nil
		}
		return algebra.TEnum(made), nil, nil
	case *algebra.Domain:
		return made.Base, made, nil
	}
	switch t.Name {
	case "":
		return algebra.Type{}, nil, value.Errorf(value.CodeUndefinedObject, "type with OID %d does not exist", t.Made)
	case "character":
		return algebra.TBPChar, nil, nil
	}
	name, err := sql.ParseType(t.Name)
	if err != nil {
		return algebra.Type{}, nil, err
	}
	return sqltype.ResolveDomain(name, nil)
}

// FindFunction finds the function that a statement names. It fails with 42883 where there is none, and with
// 42725 where there are several of a name without parameters.
func FindFunction(s *session.Session, ref sql.FunctionRef) *store.Function {
	cat := Of(s)
	parts := sqlstate.Must(s.LocalName(ref.Name.Parts()))
	if len(parts) == 2 && !s.Access().HasSchema(parts[0]) {
		panic(session.NoSchema(parts[0]))
	}
	list := cat.functions(parts)
	text := ref.Name.Dotted()
	if ref.Params == nil {
		list = slices.DeleteFunc(list, func(f *store.Function) bool { return f.Schema() != list[0].Schema() })
		switch len(list) {
		case 0:
			panic(value.Errorf(value.CodeUndefinedFunction, "could not find a function named %q", text))
		case 1:
			return list[0]
		}
		e := value.Errorf(value.CodeAmbiguousFunction, "function name %q is not unique", text)
		e.Hint = "Specify the argument list to select the function unambiguously."
		panic(e)
	}
	var names []string
	for _, p := range ref.Params {
		if p.Mode != "o" && p.Mode != "t" {
			names = append(names, session.TypeText(s.State(), FunctionType(cat, p.Type)))
		}
	}
	for _, f := range list {
		if types := lists.Map(f.Inputs(), func(p store.FunctionParam) string { return session.TypeText(s.State(), &p.Type) }); slices.Equal(types, names) {
			return f
		}
	}
	panic(value.Errorf(value.CodeUndefinedFunction, "function %s(%s) does not exist", text, strings.Join(names, ", ")))
}

// FunctionType is what a name of a type in the definition of a function stands for, without its modifier.
func FunctionType(cat *Catalog, name sql.TypeName) *store.FunctionType {
	typ, d, err := sqltype.ResolveDomain(name, cat.Type)
	var e *value.Error
	if errors.As(err, &e) && e.Code == value.CodeUndefinedObject && name.Path != nil && !name.Array {
		if o := cat.resolve(name.Path); o != nil && (store.KindOf(o) == store.KindTable || store.QueryOf(o) != nil) {
			return &store.FunctionType{Row: store.KeyOf(o)}
		}
	}
	sqlstate.Check(err)
	switch {
	case d != nil:
		return &store.FunctionType{Made: d.OID}
	case typ.Enum != nil:
		return &store.FunctionType{Made: typ.Enum.OID, Array: typ.Kind == algebra.Array}
	}
	written := sqltype.Name(sqltype.Unlimited(typ.Plain()))
	if slices.Contains(varyingNames, name.Name) {
		written = "character varying"
		if name.Array {
			written += "[]"
		}
	}
	return &store.FunctionType{Name: written}
}

// varyingNames are the names of character varying, which the planner knows as text.
var varyingNames = []string{"varchar", "character varying", "char varying", "national character varying", "national char varying", "nchar varying"}

// QualifiedCalls is the text of an expression with the schemas of functions that CREATE FUNCTION has made.
func QualifiedCalls(s *session.Session, text string) string {
	cat := Of(s)
	return sql.RenameCallsIn(text, sqlstate.Must(sql.ParseExpr(text)), func(name sql.Name) string {
		if len(name) != 1 || function.Has(name[0].Name) {
			return ""
		}
		if list := cat.functions(name.Parts()); len(list) > 0 {
			return pgcatalog.QuoteName(list[0].Schema()) + "." + pgcatalog.QuoteName(name[0].Name)
		}
		return ""
	})
}
