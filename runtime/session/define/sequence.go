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
	"github.com/cubeloom/cubeloom/sql/value"
)

// CreateSequence runs CREATE SEQUENCE.
func CreateSequence(ctx context.Context, s *session.Session, stmt *sql.CreateSequence) (*result.Result, error) {
	res := &result.Result{Tag: "CREATE SEQUENCE"}
	key, err := s.CreatedName(stmt.Name, stmt.Temporary)
	if err != nil {
		return nil, value.WithoutPos(err)
	}
	if err := catalog.MayCreate(s, key, false); err != nil {
		return nil, session.At(err, stmt.Name[0].Pos)
	}
	name := store.NameOf(key)
	if s.State().Lookup(key) != nil {
		if stmt.IfNotExists {
			res.Notices = append(res.Notices, alreadyExists(name))
			return res, nil
		}
		return nil, value.Errorf(value.CodeDuplicateTable, "relation %q already exists", name)
	}
	def, err := sequenceDef(newSequence(algebra.Int64, &stmt.Options), &stmt.Options)
	if err == nil {
		err = ownedBy(s, &def, &stmt.Options)
	}
	if err != nil {
		return nil, err
	}
	err = s.Change(res.Tag, func(tx *store.Tx) error {
		return tx.Create(ctx, store.NewSequence(key, def), false)
	})
	return res, err
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
func sequenceDef(def store.SequenceDef, o *sql.SequenceOptions) (store.SequenceDef, error) {
	invalid := func(format string, args ...any) (store.SequenceDef, error) {
		return def, value.Errorf(value.CodeInvalidParameter, format, args...)
	}
	least, greatest := bounds(def.Type, def.Increment < 0)
	wasLeast, wasGreatest := def.Min == least, def.Max == greatest
	fresh := def.Start == 0 && wasLeast && wasGreatest
	if o.Type != nil {
		typ, err := sqltype.Resolve(*o.Type)
		if err != nil {
			return def, err
		}
		if !hasSequences(typ.Kind) {
			return invalid("sequence type must be smallint, integer, or bigint")
		}
		def.Type = typ.Kind
	}
	if o.Increment != nil {
		def.Increment = *o.Increment
	}
	if def.Increment == 0 {
		return invalid("INCREMENT must not be zero")
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
		return invalid("MAXVALUE (%d) is out of range for sequence data type %s", def.Max, name)
	case def.Min < low || def.Min > high:
		return invalid("MINVALUE (%d) is out of range for sequence data type %s", def.Min, name)
	case def.Min >= def.Max:
		return invalid("MINVALUE (%d) must be less than MAXVALUE (%d)", def.Min, def.Max)
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
		return invalid("START value (%d) cannot be less than MINVALUE (%d)", def.Start, def.Min)
	case def.Start > def.Max:
		return invalid("START value (%d) cannot be greater than MAXVALUE (%d)", def.Start, def.Max)
	case def.Cache < 1:
		return invalid("CACHE (%d) must be greater than zero", def.Cache)
	}
	return def, nil
}

// ownedBy makes a sequence that of a column, as OWNED BY says.
func ownedBy(s *session.Session, def *store.SequenceDef, o *sql.SequenceOptions) error {
	if o.OwnedByNone {
		def.OwnerTable, def.OwnerColumn = "", ""
	}
	if o.OwnedBy == nil {
		return nil
	}
	if len(o.OwnedBy) < 2 {
		e := value.Errorf(value.CodeSyntax, "invalid OWNED BY option")
		e.Hint = "Specify OWNED BY table.column or OWNED BY NONE."
		return e
	}
	column := o.OwnedBy[len(o.OwnedBy)-1].Name
	key, err := s.TargetName(o.OwnedBy[:len(o.OwnedBy)-1])
	if err != nil {
		return value.WithoutPos(err)
	}
	table, ok := s.State().Lookup(key).(*store.Table)
	switch {
	case s.State().Lookup(key) == nil:
		return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", store.NameOf(key))
	case !ok:
		return value.Errorf(value.CodeWrongObjectType, "sequence cannot be owned by relation %q", store.NameOf(key))
	case table.Ordinal(column) < 0:
		return value.Errorf(value.CodeUndefinedColumn, "column %q of relation %q does not exist", column, table.Name())
	}
	def.OwnerTable, def.OwnerColumn = key, column
	return nil
}

// AlterSequence runs ALTER SEQUENCE.
func AlterSequence(ctx context.Context, s *session.Session, stmt *sql.AlterSequence) (*result.Result, error) {
	res := &result.Result{Tag: "ALTER SEQUENCE"}
	key, err := s.TargetName(stmt.Name)
	if err != nil {
		return nil, value.WithoutPos(err)
	}
	err = s.Change(res.Tag, func(tx *store.Tx) error {
		o := tx.State().Lookup(key)
		q, ok := o.(*store.Sequence)
		switch name := store.NameOf(key); {
		case o == nil && stmt.IfExists:
			res.Notices = append(res.Notices, result.NewNotice(value.CodeSuccess, "relation %q does not exist, skipping", name))
			return nil
		case o == nil:
			return value.Errorf(value.CodeUndefinedTable, "relation %q does not exist", name)
		case !ok:
			return value.Errorf(value.CodeWrongObjectType, "%q is not a sequence", name)
		}
		if err := catalog.MustOwn(s, key); err != nil {
			return err
		}
		switch {
		case stmt.Rename.Name != "":
			return tx.Rename(ctx, store.KindSequence, key, store.KeyIn(store.SchemaOf(key), stmt.Rename.Name))
		case stmt.Schema.Name != "":
			return moveSequence(ctx, s, tx, q, stmt.Schema.Name)
		case stmt.Owner != nil:
			return govern.ChangeOwner(ctx, s, tx, res, key, *stmt.Owner)
		}
		return alterSequence(ctx, s, tx, key, q, &stmt.Options)
	})
	return res, err
}

// moveSequence runs SET SCHEMA of a sequence, which no table may own.
func moveSequence(ctx context.Context, s *session.Session, tx *store.Tx, q *store.Sequence, schema string) error {
	from, to := store.KeyOf(q), store.KeyIn(schema, q.Name())
	switch {
	case q.OwnerTable != "":
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot move an owned sequence into another schema")
		e.Detail = "Sequence \"" + q.Name() + "\" is linked to table \"" + store.NameOf(q.OwnerTable) + "\"."
		return e
	case !s.Access().HasSchema(schema):
		return session.NoSchema(schema)
	case store.IsTemporary(from):
		return value.Errorf(value.CodeFeatureNotSupported, "cannot move objects into or out of temporary schemas")
	case from == to:
		return nil
	case catalog.IsTaken(tx.State(), to):
		return value.Errorf(value.CodeDuplicateTable, "relation %q already exists in schema %q", q.Name(), schema)
	}
	return tx.Rename(ctx, store.KindSequence, from, to)
}

// alterSequence gives a sequence other options.
func alterSequence(ctx context.Context, s *session.Session, tx *store.Tx, key string, q *store.Sequence, o *sql.SequenceOptions) error {
	if err := tx.LockToDefine(ctx, key); err != nil {
		return err
	}
	if q.Identity != "" && (o.OwnedBy != nil || o.OwnedByNone) {
		e := value.Errorf(value.CodeFeatureNotSupported, "cannot change ownership of identity sequence")
		e.Detail = "Sequence \"" + q.Name() + "\" is linked to table \"" + store.NameOf(q.OwnerTable) + "\"."
		return e
	}
	def, err := sequenceDef(q.SequenceDef, o)
	if err == nil {
		err = ownedBy(s, &def, o)
	}
	if err != nil {
		return err
	}
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
		return value.Errorf(value.CodeInvalidParameter, "RESTART value (%d) cannot be less than MINVALUE (%d)", at, def.Min)
	case at > def.Max:
		return value.Errorf(value.CodeInvalidParameter, "RESTART value (%d) cannot be greater than MAXVALUE (%d)", at, def.Max)
	}
	tx.Replace(next)
	return nil
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
