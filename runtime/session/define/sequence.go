package define

import (
	"context"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/sqltype"
	"github.com/cubeloom/cubeloom/runtime/session"
	"github.com/cubeloom/cubeloom/runtime/session/catalog"
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/cubeloom/cubeloom/runtime/session/result"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateSequence runs CREATE SEQUENCE.
func CreateSequence(ctx context.Context, s *session.Session, stmt *sql.CreateSequence) *result.Result {
	res := &result.Result{Tag: "CREATE SEQUENCE"}
	key, err := s.CreatedName(stmt.Name, stmt.Temporary)
	sqlstate.Check(value.WithoutPos(err))
	if err := catalog.MayCreate(s, key, false); err != nil {
		panic(session.At(err, stmt.Name[0].Pos))
	}
	name := store.NameOf(key)
	if s.State().Lookup(key) != nil {
		if stmt.IfNotExists {
			res.Notices = append(res.Notices, alreadyExists(name))
			return res
		}
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists", name))
	}
	def := sequenceDef(newSequence(algebra.Int64, &stmt.Options), &stmt.Options)
	ownedBy(s, &def, &stmt.Options)
	s.Change(res.Tag, func(tx *store.Tx) {
		sqlstate.Check(tx.Create(ctx, store.NewSequence(key, def), false))
	})
	return res
}

// newSequence is a definition of which nothing is given but what decides the bounds.
func newSequence(kind algebra.Kind, o *sql.SequenceOptions) store.SequenceDef {
	def := store.SequenceDef{Type: kind, Increment: 1, Cache: 1}
	if o.Increment != nil {
		def.Increment = *o.Increment
	}
	def.Min, def.Max = bounds(def.Type, def.Increment < 0)
	return def
}

// hasSequences reports whether sequences can have a type.
func hasSequences(kind algebra.Kind) bool {
	return kind == algebra.Int16 || kind == algebra.Int32 || kind == algebra.Int64
}

// bounds are the least and the greatest value of a sequence of a type that goes up or down.
func bounds(kind algebra.Kind, down bool) (least, greatest int64) {
	least, greatest = typeBounds(kind)
	if down {
		return least, -1
	}
	return 1, greatest
}

// typeBounds are the least and the greatest value of a type.
func typeBounds(kind algebra.Kind) (low, high int64) {
	r, _ := algebra.TypeRange(algebra.Type{Kind: kind})
	low, _ = r.Lo.Int64()
	high, _ = r.Hi.Int64()
	return low, high
}

// sequenceDef is a definition with options, which are PostgreSQL's, as are their errors.
func sequenceDef(def store.SequenceDef, o *sql.SequenceOptions) store.SequenceDef {
	least, greatest := bounds(def.Type, def.Increment < 0)
	wasLeast, wasGreatest := def.Min == least, def.Max == greatest
	fresh := def.Start == 0 && wasLeast && wasGreatest
	if o.Type != nil {
		typ := sqlstate.Must(sqltype.Resolve(*o.Type, nil))
		if !hasSequences(typ.Kind) {
			panic(value.Errorf(value.CodeInvalidParameter, "sequence type must be smallint, integer, or bigint"))
		}
		def.Type = typ.Kind
	}
	if o.Increment != nil {
		def.Increment = *o.Increment
	}
	if def.Increment == 0 {
		panic(value.Errorf(value.CodeInvalidParameter, "INCREMENT must not be zero"))
	}
	if o.Cycle != nil {
		def.Cycle = *o.Cycle
	}
	least, greatest = bounds(def.Type, def.Increment < 0)
	typed := o.Type != nil
	switch {
	case o.Max != nil:
		def.Max = *o.Max
	case o.NoMax, typed && wasGreatest:
		def.Max = greatest
	}
	switch {
	case o.Min != nil:
		def.Min = *o.Min
	case o.NoMin, typed && wasLeast:
		def.Min = least
	}
	name := algebra.Type{Kind: def.Type}.String()
	switch low, high := typeBounds(def.Type); {
	case def.Max < low || def.Max > high:
		panic(value.Errorf(value.CodeInvalidParameter, "MAXVALUE (%d) is out of range for sequence data type %s", def.Max, name))
	case def.Min < low || def.Min > high:
		panic(value.Errorf(value.CodeInvalidParameter, "MINVALUE (%d) is out of range for sequence data type %s", def.Min, name))
	case def.Min >= def.Max:
		panic(value.Errorf(value.CodeInvalidParameter, "MINVALUE (%d) must be less than MAXVALUE (%d)", def.Min, def.Max))
	}
	switch {
	case o.Start != nil:
		def.Start = *o.Start
	case fresh && def.Increment > 0:
		def.Start = def.Min
	case fresh:
		def.Start = def.Max
	}
	if o.Cache != nil {
		def.Cache = *o.Cache
	}
	switch {
	case def.Start < def.Min:
		panic(value.Errorf(value.CodeInvalidParameter, "START value (%d) cannot be less than MINVALUE (%d)", def.Start, def.Min))
	case def.Start > def.Max:
		panic(value.Errorf(value.CodeInvalidParameter, "START value (%d) cannot be greater than MAXVALUE (%d)", def.Start, def.Max))
	case def.Cache < 1:
		panic(value.Errorf(value.CodeInvalidParameter, "CACHE (%d) must be greater than zero", def.Cache))
	}
	return def
}

// ownedBy makes a sequence that of a column, as OWNED BY says.
func ownedBy(s *session.Session, def *store.SequenceDef, o *sql.SequenceOptions) {
	if o.OwnedByNone {
		def.OwnerTable, def.OwnerColumn = "", ""
	}
	if o.OwnedBy == nil {
		return
	}
	if len(o.OwnedBy) < 2 {
		e := value.Errorf(value.CodeSyntax, "invalid OWNED BY option")
		e.Hint = "Specify OWNED BY table.column or OWNED BY NONE."
		panic(e)
	}
	column := o.OwnedBy[len(o.OwnedBy)-1].Name
	key, err := s.TargetName(o.OwnedBy[:len(o.OwnedBy)-1])
	sqlstate.Check(value.WithoutPos(err))
	table, ok := s.State().Lookup(key).(*store.Table)
	switch {
	case s.State().Lookup(key) == nil:
		panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(key)))
	case !ok:
		panic(value.Errorf(value.CodeWrongObjectType, "sequence cannot be owned by relation %q", store.NameOf(key)))
	case table.Ordinal(column) < 0:
		panic(value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", column, table.Name()))
	}
	def.OwnerTable, def.OwnerColumn = key, column
}

// AlterSequence runs ALTER SEQUENCE.
func AlterSequence(ctx context.Context, s *session.Session, stmt *sql.AlterSequence) *result.Result {
	res := &result.Result{Tag: "ALTER SEQUENCE"}
	key, err := s.TargetName(stmt.Name)
	sqlstate.Check(value.WithoutPos(err))
	s.Change(res.Tag, func(tx *store.Tx) {
		o := tx.State().Lookup(key)
		q, ok := o.(*store.Sequence)
		switch name := store.NameOf(key); {
		case o == nil && stmt.IfExists:
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "relation %q does not exist, skipping", name))
			return
		case o == nil:
			panic(value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name))
		case !ok:
			panic(value.Errorf(value.CodeWrongObjectType, "%q is not a sequence", name))
		}
		sqlstate.Check(catalog.MustOwn(s, key))
		switch {
		case stmt.Rename.Name != "":
			sqlstate.Check(tx.Rename(ctx, store.KindSequence, key, store.KeyIn(store.SchemaOf(key), stmt.Rename.Name)))
		case stmt.Schema.Name != "":
			moveSequence(ctx, s, tx, q, stmt.Schema.Name)
		case stmt.Owner != nil:
			govern.ChangeOwner(ctx, s, tx, res, key, *stmt.Owner)
		default:
			alterSequence(ctx, s, tx, key, q, &stmt.Options)
		}
	})
	return res
}

// moveSequence runs SET SCHEMA of a sequence, which no table may own.
func moveSequence(ctx context.Context, s *session.Session, tx *store.Tx, q *store.Sequence, schema string) {
	from, to := store.KeyOf(q), store.KeyIn(schema, q.Name())
	switch {
	case q.OwnerTable != "":
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot move an owned sequence into another schema")
		e.Detail = "Sequence \"" + q.Name() + "\" is linked to table \"" + store.NameOf(q.OwnerTable) + "\"."
		panic(e)
	case !s.Access().HasSchema(schema):
		panic(session.NoSchema(schema))
	case store.IsTemporary(from):
		panic(value.Errorf(value.CodeFeatureNotSupported, "cannot move objects into or out of temporary schemas"))
	case from == to:
		return
	case catalog.IsTaken(tx.State(), to):
		panic(value.Errorf(value.CodeDuplicateTable, "relation %q already exists in schema %q", q.Name(), schema))
	}
	sqlstate.Check(tx.Rename(ctx, store.KindSequence, from, to))
}

// alterSequence gives a sequence other options.
func alterSequence(ctx context.Context, s *session.Session, tx *store.Tx, key string, q *store.Sequence, o *sql.SequenceOptions) {
	sqlstate.Check(tx.LockToDefine(ctx, key))
	if q.Identity != "" && (o.OwnedBy != nil || o.OwnedByNone) {
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot change ownership of identity sequence")
		e.Detail = "Sequence \"" + q.Name() + "\" is linked to table \"" + store.NameOf(q.OwnerTable) + "\"."
		panic(e)
	}
	def := sequenceDef(q.SequenceDef, o)
	ownedBy(s, &def, o)
	next := q.Redefined(def)
	at := q.Position().Last
	if o.Restart {
		if at = def.Start; o.RestartAt != nil {
			at = *o.RestartAt
		}
		next = next.Restarted(at)
	}
	switch {
	case at < def.Min:
		panic(value.Errorf(value.CodeInvalidParameter, "RESTART value (%d) cannot be less than MINVALUE (%d)", at, def.Min))
	case at > def.Max:
		panic(value.Errorf(value.CodeInvalidParameter, "RESTART value (%d) cannot be greater than MAXVALUE (%d)", at, def.Max))
	}
	tx.Replace(next)
}

// sequenceDefault is the key of the sequence where a default is nextval of one, and nothing
// else; "" where it is something else.
func sequenceDefault(s *session.Session, def *sql.DefaultExpr) (string, error) {
	call, ok := def.Expr.(*sql.FuncCall)
	if !ok || !strings.EqualFold(call.Name[len(call.Name)-1].Name, "nextval") || len(call.Args) != 1 {
		return "", nil
	}
	arg := call.Args[0]
	if cast, ok := arg.(*sql.Cast); ok {
		arg = cast.X
	}
	text, ok := arg.(*sql.Literal)
	if !ok || text.Kind != sql.StringLiteral {
		return "", nil
	}
	key, err := s.Sequences().Named(text.Text)
	if err != nil {
		return "", err
	}
	switch o := s.State().Lookup(key).(type) {
	case nil:
		return "", value.ErrorAt(int(text.Pos), value.CodeUndefinedTable, "relation %q does not exist", text.Text)
	case *store.Sequence:
		return key, nil
	default:
		return "", value.Errorf(value.CodeWrongObjectType, "%q is not a sequence", o.Name())
	}
}
