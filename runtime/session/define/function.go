package define

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/query"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateFunction runs CREATE FUNCTION.
func CreateFunction(ctx context.Context, s *session.Session, stmt *sql.CreateFunction) *result.Result {
	res := &result.Result{Tag: "CREATE FUNCTION"}
	checkLanguage(stmt)
	at, err := s.CreatedName(stmt.Name, false)
	sqlstate.Check(value.WithoutPos(err))
	if store.IsTemporary(at) {
		panic(value.Errorf(value.CodeFeatureNotSupported, "a function of the temporary schema is not supported"))
	}
	if err := catalog.MayCreateIn(s, store.SchemaOf(at)); err != nil && !s.Superuser() {
		panic(value.WithoutPos(err))
	}
	d := &functionDefinition{Session: s, stmt: stmt}
	s.Change(res.Tag, func(tx *store.Tx) {
		d.tx = tx
		def := d.define()
		key := store.FunctionKey(store.SchemaOf(at), store.NameOf(at), def.Params)
		if old, ok := tx.State().Lookup(key).(*store.Function); ok && stmt.OrReplace {
			sqlstate.Check(catalog.MustOwn(s, key))
			checkReplacement(s, old, store.NewFunction(key, def))
		}
		sqlstate.Check(tx.Create(ctx, store.NewFunction(key, def), stmt.OrReplace))
		d.checkBody(ctx, key, def)
	})
	return res
}

// checkLanguage fails for a function that is not in SQL, or has no text.
func checkLanguage(stmt *sql.CreateFunction) {
	switch language := stmt.Language; {
	case stmt.Body == nil:
		panic(value.Errorf(value.CodeInvalidFunction, "no function body specified"))
	case language == "" && stmt.Body.Form == "":
		panic(value.Errorf(value.CodeInvalidFunction, "no language specified"))
	case language == "sql", language == "":
	case language == "plpgsql", language == "c", language == "internal":
		panic(value.Errorf(value.CodeFeatureNotSupported, "functions in language \"%s\" are not supported", language))
	default:
		panic(value.Errorf(value.CodeUndefinedObject, "language \"%s\" does not exist", language))
	}
}

// functionDefinition is a CREATE FUNCTION while it runs.
type functionDefinition struct {
	*session.Session
	tx   *store.Tx
	stmt *sql.CreateFunction
}

// define is the function but for what its text depends on.
func (d *functionDefinition) define() store.FunctionDef {
	stmt := d.stmt
	def := store.FunctionDef{
		Volatility: "v", Parallel: "u", Strict: stmt.Strict, Leakproof: stmt.Leakproof, Cost: stmt.Cost, Rows: stmt.Rows,
		Form: stmt.Body.Form, Text: stmt.Body.Text,
	}
	if stmt.Volatility != "" {
		def.Volatility = stmt.Volatility
	}
	if stmt.Parallel != "" {
		def.Parallel = stmt.Parallel
	}
	d.params(&def)
	d.result(&def)
	if def.Rows != "" && !def.Set {
		panic(value.Errorf(value.CodeInvalidParameter, "ROWS is not applicable when function does not return a set"))
	}
	return def
}

// typeOf is the type of a parameter or a result.
func (d *functionDefinition) typeOf(name sql.TypeName) store.FunctionType {
	if len(name.Path) == 1 && slices.Contains(polymorphic, name.Path[0]) {
		panic(value.ErrorAt(int(name.Pos), value.CodeFeatureNotSupported, "a function with the pseudo-type %s is not supported", name.Name))
	}
	return *catalog.FunctionType(catalog.Of(d.Session), name)
}

// polymorphic are the types of PostgreSQL that stand for any of several, and those that only functions in
// other languages have.
var polymorphic = strings.Fields(`any anyelement anyarray anynonarray anyenum anyrange anycompatible anycompatiblearray
	anycompatiblenonarray cstring internal trigger event_trigger record`)

// params are the parameters of the function.
func (d *functionDefinition) params(def *store.FunctionDef) {
	defaults := false
	for i, p := range d.stmt.Params {
		typ := d.typeOf(p.Type)
		param := store.FunctionParam{Name: p.Name.Name, Mode: p.Mode, Type: typ}
		switch {
		case p.Mode == "v":
			panic(value.ErrorAt(int(p.Type.Pos), value.CodeFeatureNotSupported, "VARIADIC of a function in SQL is not supported"))
		case typ.Name == "void":
			panic(value.Errorf(value.CodeInvalidFunction, "SQL functions cannot have arguments of type void"))
		case typ.Row != "":
			panic(value.ErrorAt(int(p.Type.Pos), value.CodeFeatureNotSupported, "a parameter of a row type is not supported"))
		}
		if p.Name.Name != "" && slices.ContainsFunc(d.stmt.Params[:i], func(other sql.FunctionParam) bool { return other.Name.Name == p.Name.Name }) {
			panic(value.Errorf(value.CodeInvalidFunction, "parameter name \"%s\" used more than once", p.Name.Name))
		}
		switch {
		case p.Default != nil && !param.IsInput():
			panic(value.Errorf(value.CodeInvalidFunction, "only input parameters can have default values"))
		case p.Default != nil:
			resolved, _, err := catalog.Of(d.Session).TypeOf(&typ)
			sqlstate.Check(err)
			sqlstate.Check(planner.CheckParameter(p.Default.Expr, resolved, catalog.Of(d.Session), query.Explaining(d.Session)))
			param.Default, defaults = stored(d.Session, p.Default.Text), true
		case defaults && param.IsInput():
			panic(value.Errorf(value.CodeInvalidFunction, "input parameters after one with a default value must also have defaults"))
		}
		def.Params = append(def.Params, param)
	}
}

// result is what the function returns: what RETURNS says, or what its OUT parameters are.
func (d *functionDefinition) result(def *store.FunctionDef) {
	outputs := store.NewFunction("", *def).Outputs()
	returns := d.stmt.Returns
	switch {
	case len(outputs) == 1:
		def.Returns = outputs[0].Type
	case len(outputs) > 1:
		def.Returns = store.FunctionType{Name: "record"}
	}
	if returns == nil {
		if len(outputs) == 0 {
			panic(value.Errorf(value.CodeInvalidFunction, "function result type must be specified"))
		}
		return
	}
	if def.Set = returns.Set; returns.Table {
		return
	}
	if strings.EqualFold(returns.Type.Name, "record") {
		if len(outputs) < 2 {
			panic(value.ErrorAt(int(returns.Type.Pos), value.CodeFeatureNotSupported, "a function that returns a record without OUT parameters is not supported"))
		}
		return
	}
	typ := d.typeOf(returns.Type)
	if len(outputs) > 0 && typ != def.Returns {
		panic(value.Errorf(value.CodeInvalidFunction, "function result type must be %s because of OUT parameters", session.TypeText(d.State(), &def.Returns)))
	}
	def.Returns = typ
}

// checkBody fails where the text is wrong, and keeps what it depends on where its names stand for what
// they do now.
func (d *functionDefinition) checkBody(ctx context.Context, key string, def store.FunctionDef) {
	if def.Form == "" && d.Settings.Client["check_function_bodies"] == "off" {
		return
	}
	var used []string
	cat := catalog.Of(d.Session)
	cat.Used = &used
	f := sqlstate.Must(cat.Describe(store.NewFunction(key, def)))
	f.Within = cat
	if err := planner.CheckFunction(f, cat, query.Explaining(d.Session)); err != nil {
		panic(d.inBody(err))
	}
	if def.Form == "" {
		return
	}
	slices.Sort(used)
	def.Depends, def.Path = slices.Compact(used), d.SearchPath()
	for _, name := range def.Depends {
		if store.IsTemporary(name) {
			panic(value.Errorf(value.CodeFeatureNotSupported, "a function that depends on the temporary schema is not supported"))
		}
		sqlstate.Check(d.tx.LockDefinition(ctx, name, true))
	}
	d.tx.Refunction(store.NewFunction(key, def))
}

// inBody moves an error in the text of the function to where that stands in the statement.
func (d *functionDefinition) inBody(err error) error {
	e, ok := err.(*value.Error)
	if !ok {
		return err
	}
	c := *e
	if c.Pos != value.NoPos {
		if c.Pos += int(d.stmt.Body.Start); d.stmt.Body.Start == sql.NoPos {
			c.Pos = value.NoPos
		}
	}
	where := "SQL function \"" + d.stmt.Name[len(d.stmt.Name)-1].Name + "\""
	if c.Where != "" {
		where = c.Where + "\n" + where
	}
	if d.stmt.Body.Form == "" && c.Pos == value.NoPos {
		c.Where = where
	}
	return &c
}

// checkReplacement fails where a function cannot take the place of another one.
func checkReplacement(s *session.Session, old, next *store.Function) {
	fail := func(detail, format string, args ...any) {
		e := value.Errorf(value.CodeInvalidFunction, format, args...)
		e.Detail, e.Hint = detail, fmt.Sprintf("Use DROP FUNCTION %s first.", pgcatalog.QuoteName(old.Name())+s.ArgumentTypes(old))
		panic(e)
	}
	outputs := func(f *store.Function) []store.FunctionParam { return f.Outputs() }
	switch {
	case old.Set != next.Set || old.Returns != next.Returns:
		fail("", "cannot change return type of existing function")
	case !slices.EqualFunc(outputs(old), outputs(next), func(a, b store.FunctionParam) bool { return a.Name == b.Name && a.Type == b.Type }):
		fail("Row type defined by OUT parameters is different.", "cannot change return type of existing function")
	}
	inputs := next.Inputs()
	for i, p := range old.Inputs() {
		if p.Name != "" && p.Name != inputs[i].Name {
			fail("", "cannot change name of input parameter %q", p.Name)
		}
		if p.Default != "" && inputs[i].Default == "" {
			fail("", "cannot remove parameter defaults from existing function")
		}
	}
}
