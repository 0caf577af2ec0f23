package cubeloom

import (
	"fmt"
	"hash/fnv"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The schemas of the system's relations.
const (
	schemaCatalog     = "pg_catalog"
	schemaInformation = "information_schema"
)

// The OIDs of schemas and of what there is only one of.
const (
	oidCatalog     = 11
	oidPublic      = 2200
	oidInformation = 13000
	oidOwner       = 10
	oidDatabase    = 5
	oidColumns     = 2 // the access method of tables
	oidBtree       = 403
	firstUserOID   = 16384
)

// sysTable is a relation that shows the catalog as PostgreSQL does. Its rows
// give only the columns that do not have their default.
type sysTable struct {
	schema, name string
	columns      []sysColumn
	rows         func(*sysView) []sysRow
}

// sysRow is a row by the names of its columns: string, bool, int, int64,
// value.Interval or nil.
type sysRow map[string]any

// sysColumn is a column of a sysTable.
type sysColumn struct {
	name string
	typ  algebra.Type
	def  value.Value // where a row does not give the column
}

// sysTypes are the letters of sysColumns.
var sysTypes = map[string]algebra.Type{
	"o": algebra.TOID, "i": algebra.TInt32, "s": algebra.TInt16, "t": algebra.TText, "b": algebra.TBool,
	"c": algebra.TAlias(algebra.Char), "n": algebra.TAlias(algebra.Name), "p": algebra.TAlias(algebra.Regproc), "f": algebra.TFloat64, "l": algebra.TInt64, "m": algebra.TTimestampTZ, "v": algebra.TInterval,
	"S": algebra.TArray(algebra.TInt16), "O": algebra.TArray(algebra.TOID), "T": algebra.TArray(algebra.TText),
	"V": algebra.TVector(algebra.Int16), "W": algebra.TVector(algebra.Int64),
}

// sysColumns reads columns that are written as name:type or name:type=default,
// with the type's letter: o is an OID, p that of a function, c is "char", n a name, i, s and l are integers of 32, 16 and 64
// bits, f float8, b boolean, m a timestamp with
// time zone, v an interval, t text. S, O and T are arrays of 16-bit integers, OIDs and
// texts, V is an int2vector and W an oidvector; a row gives them as text.
func sysColumns(spec string) []sysColumn {
	var columns []sysColumn
	for _, word := range strings.Fields(spec) {
		name, rest, _ := strings.Cut(word, ":")
		letter, def, has := strings.Cut(rest, "=")
		c := sysColumn{name: name, typ: sysTypes[letter]}
		if has {
			v, err := eval.Parse(nil, def, c.typ, false)
			if err != nil {
				panic(fmt.Sprintf("column %s: %v", word, err))
			}
			c.def = v
		}
		columns = append(columns, c)
	}
	return columns
}

// findSystem finds a relation of the system. Without a schema pg_catalog is
// searched, as by PostgreSQL.
func findSystem(name []string) *sysTable {
	schema, last := schemaCatalog, name[len(name)-1]
	if len(name) == 2 {
		schema = name[0]
	}
	if len(name) > 2 {
		return nil
	}
	return sysTables()[schema+"."+last]
}

// relation is the table as the planner sees it, with its rows at this moment, which are
// charged to the session's statement.
func (t *sysTable) relation(v *sysView) (rel *planner.Relation, err error) {
	defer value.Catch(&err)
	var rows []sysRow
	if t.rows != nil {
		rows = t.rows(v)
	}
	rel = &planner.Relation{Momentary: true, Columns: make([]planner.CatalogColumn, len(t.columns), len(t.columns)+1)}
	types := make([]kernel.Type, len(t.columns), len(t.columns)+1)
	for i, c := range t.columns {
		types[i] = store.PhysicalType(c.typ, false)
		rel.Columns[i] = planner.CatalogColumn{Name: c.name, Type: c.typ}
	}
	oid := sysValue(systemOIDs[t.name])
	if oid.I != 0 && t.schema == schemaCatalog {
		types = append(types, kernel.I64)
		rel.Columns = append(rel.Columns, planner.CatalogColumn{Name: "tableoid", Type: algebra.TInt64, NotNull: true, System: true})
	}
	handle := runtime.NewColumns(types, len(rows), func(i int, column []value.Value) {
		v.took(len(rows))
		for j, row := range rows {
			switch {
			case i == len(t.columns):
				column[j] = oid
			case row[t.columns[i].name] != nil:
				column[j] = sysValue(row[t.columns[i].name])
			default:
				column[j] = t.columns[i].absent(row)
			}
		}
	})
	rel.Ref = algebra.TableRef{Name: t.name, Handle: handle, Rows: int64(len(rows))}
	return rel, nil
}

// absent is the value of a column that a row has as nil, which is NULL, or not at all.
func (c *sysColumn) absent(row sysRow) value.Value {
	if _, given := row[c.name]; given {
		return value.Value{}
	}
	return c.def
}

// What the cell of a row is charged with, and how much work it is.
const (
	sysCellBytes = 48
	sysCellWork  = 256
)

// took charges and counts n cells that were made, or are about to be. It panics with
// what value.Catch takes.
func (v *sysView) took(n int) {
	v.session.meter.Must(n * sysCellWork)
	if err := v.session.meter.Grow(n * sysCellBytes); err != nil {
		value.End(err)
	}
}

// sysValue is a cell as a value.
func sysValue(cell any) value.Value {
	switch c := cell.(type) {
	case string:
		return value.Value{Kind: value.Text, S: c}
	case bool:
		return value.Value{Kind: value.Bool, B: c}
	case int:
		return value.Value{Kind: value.Int, I: int64(c)}
	case float64:
		return value.Value{Kind: value.Float, F: c}
	case int64:
		return value.Value{Kind: value.Int, I: c}
	case value.Interval:
		return value.Value{Kind: value.Intervals, Interval: c}
	}
	return value.Value{}
}

// sysView is what the relations of the system show: one state of the catalog as
// one session sees it.
type sysView struct {
	state   *store.State
	session *Session
	objects []sysObject
}

// sysObject is a table, view or index with its OID.
type sysObject struct {
	oid     int64
	name    string
	kind    string // relkind
	table   *store.Table
	view    *store.View
	columns []store.Column
	keys    []sysKey
	parent  *sysObject // of an index: its table
	key     *sysKey    // of an index
	schema  string
}

// sysKey is a declared key of a table.
type sysKey struct {
	name    string
	columns []int
	primary bool
}

// view shows a state.
func (s *Session) sysView(state *store.State) *sysView {
	v := &sysView{state: state, session: s}
	taken := map[int64]bool{}
	for _, o := range state.Objects() {
		key := store.KeyOf(o)
		obj := sysObject{name: o.Name(), schema: s.schemaOf(key), oid: objectOID(key, taken)}
		switch o := o.(type) {
		case *store.Table:
			obj.kind, obj.table, obj.columns, obj.keys = "r", o, o.Columns(), sysKeys(o)
		case *store.View:
			obj.kind, obj.view, obj.columns = "v", o, s.viewColumns(state, o)
		}
		v.objects = append(v.objects, obj)
	}
	for i := range v.objects[:len(v.objects):len(v.objects)] {
		parent := v.objects[i]
		for k := range parent.keys {
			key := &parent.keys[k]
			v.objects = append(v.objects, sysObject{
				name: key.name, schema: parent.schema, oid: objectOID(key.name, taken), kind: "i", parent: &parent, key: key, columns: key.of(parent.columns),
			})
		}
	}
	return v
}

// of are the key's columns of a table's.
func (k *sysKey) of(columns []store.Column) []store.Column {
	var own []store.Column
	for _, c := range k.columns {
		own = append(own, store.Column{Name: columns[c].Name, Type: columns[c].Type})
	}
	return own
}

// objectOID gives a name an OID: the same in every session as long as there is
// an object of the name, but for names whose hashes collide.
func objectOID(name string, taken map[int64]bool) int64 {
	h := fnv.New32a()
	h.Write([]byte(name))
	const span = 1<<31 - firstUserOID
	oid := firstUserOID + int64(h.Sum32())%span
	for taken[oid] {
		oid = firstUserOID + (oid-firstUserOID+1)%span
	}
	taken[oid] = true
	return oid
}

// sysKeys are the keys of a table.
func sysKeys(t *store.Table) []sysKey {
	var keys []sysKey
	names := keyNames(t)
	for i, key := range t.Keys() {
		keys = append(keys, sysKey{name: names[i], columns: key.Columns, primary: key.Primary})
	}
	return keys
}

// viewColumns are the columns of a view; none where its query has become wrong.
func (s *Session) viewColumns(state *store.State, view *store.View) []store.Column {
	stmt, err := s.parseView(view.Text)
	if err != nil {
		return nil
	}
	plan, err := planner.Build(stmt, &catalog{state: state, files: s.openFile, session: s, view: view}, planner.Options{SQLFunctions: s.sqlFunction})
	if err != nil {
		return nil
	}
	columns := make([]store.Column, len(plan.Columns))
	for i, c := range plan.Columns {
		columns[i] = store.Column{Name: c.Name, Type: storedType(c.Type)}
		if c.Type.Kind == algebra.Decimal && !plan.Declared[i] {
			columns[i].Type = algebra.TNumeric
		}
		if i < len(view.Columns) {
			columns[i].Name = view.Columns[i]
		}
	}
	return columns
}

// named gives the table or view of a name, or nil.
func (v *sysView) named(name string) *sysObject {
	for i := range v.objects {
		if v.objects[i].name == name {
			return &v.objects[i]
		}
	}
	return nil
}
