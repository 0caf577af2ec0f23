package cubeloom

import (
	"fmt"
	"hash/fnv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/eval"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The schemas of the system's relations.
const (
	schemaCatalog     = "pg_catalog"
	schemaPublic      = "public"
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

// relation is the table as the planner sees it at this moment, without a handle: the
// number of its rows, and what makes the cells of a column. They are charged to the
// session's statement; cells panics with what value.Catch takes.
func (t *sysTable) relation(v *sysView) (rel *planner.Relation, cells func(i int, column []value.Value), err error) {
	defer value.Catch(&err)
	var rows []sysRow
	if t.rows != nil {
		rows = t.rows(v)
	}
	rel = &planner.Relation{Momentary: true, Columns: make([]planner.CatalogColumn, len(t.columns), len(t.columns)+1)}
	for i, c := range t.columns {
		rel.Columns[i] = planner.CatalogColumn{Name: c.name, Type: c.typ}
	}
	oid := sysValue(systemOIDs[t.name])
	if t.schema == schemaCatalog {
		if superuserTables[t.name] != "" {
			rel.Protected = privateMark + t.name
		}
		if oid.I != 0 {
			rel.Columns = append(rel.Columns, planner.CatalogColumn{Name: "tableoid", Type: algebra.TInt64, NotNull: true, System: true})
		}
	}
	rel.Ref = algebra.TableRef{Name: t.name, Rows: int64(len(rows))}
	return rel, func(i int, column []value.Value) {
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
	}, nil
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
	v.meter.Must(n * sysCellWork)
	if err := v.meter.Grow(n * sysCellBytes); err != nil {
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

// sysView is what the relations of the system and the functions about them show: one
// state of the catalog as one session sees it.
type sysView struct {
	session         sysSession
	database        string
	temporarySchema string // the schema of the session's temporary tables and views
	access          *access.State
	user            access.OID // by whose privileges statements run
	sessionUser     access.OID
	pid             int32
	now             time.Time
	meter           *value.Meter // of planning the statement
	searchPath      string
	describing      bool               // a statement is planned and not run
	activity        func() []Activity  // the sessions; nil: there are none
	list            func() []sysObject // the tables and views, without their indexes and OIDs
	listed          []sysObject        // with them, once they were asked for
}

// sysSession is what a view asks the session itself for.
type sysSession interface {
	// shownSettings are all settings, and showSetting one in any case of its name.
	shownSettings() []sysSetting
	showSetting(name string) (string, error)
	// configure acts as set_config and returns what it does.
	configure(args []value.Value) (value.Value, error)
	// retained are the prepared statements and cursors, by name.
	retained() ([]sysPrepared, []sysCursor)
	// viewText is the query of a view as pg_get_viewdef writes it.
	viewText(o *sysObject) string
}

// sysSetting is a setting as pg_settings shows it.
type sysSetting struct {
	name, value, boot, reset, help string
}

// sysPrepared is a prepared statement.
type sysPrepared struct {
	name, text string
	params     []algebra.Type
	fromSQL    bool
	made       time.Time
}

// sysCursor is a cursor.
type sysCursor struct {
	name, text    string
	hold, forward bool
	made          time.Time
}

// Activity is a session as pg_stat_activity shows it. Times are in UTC.
type Activity struct {
	PID              int32
	Role             uint32 // the number of the session's role, Session.Role
	User, Database   string
	Application      string
	Client           string // IP address; "" for a Unix socket
	ClientPort       int
	State            string // "active", "idle", "idle in transaction", …
	StateChanged     time.Time
	Query            string // the one that runs, or the last
	Started, Queried time.Time
	// TransactionStarted is when the transaction began, also that of a statement
	// alone; zero where there is none.
	TransactionStarted time.Time
	// Phase is what a running statement is at: "waiting", "running" or "sending";
	// "" where none runs. RowsDone of RowsTotal rows have been read; the total is 0
	// until the statement is planned, and grows where parts of it come later.
	Phase               string
	RowsDone, RowsTotal int64
}

// sysObject is a table, view or index with its OID.
type sysObject struct {
	oid        int64
	name       string
	kind       string // relkind
	storeKey   string // what the store calls a table or view
	schema     string
	columns    []planner.CatalogColumn
	table      sysSize // of a table
	definition string  // of a view: its query
	depends    []string
	keys       []sysKey
	parent     *sysObject // of an index: its table
	key        *sysKey    // of an index
}

// sysSize is how large a table is.
type sysSize interface {
	Rows() int64
	Bytes() int64
}

// sysKey is a declared key of a table.
type sysKey struct {
	name    string
	columns []int
	primary bool
}

// objects are the tables, views and indexes.
func (v *sysView) objects() []sysObject {
	if v.listed != nil {
		return v.listed
	}
	taken := map[int64]bool{}
	objects := v.list()
	for i := range objects {
		objects[i].oid = objectOID(objects[i].storeKey, taken)
	}
	for i := range objects[:len(objects):len(objects)] {
		parent := objects[i]
		for k := range parent.keys {
			key := &parent.keys[k]
			objects = append(objects, sysObject{
				name: key.name, schema: parent.schema, oid: objectOID(key.name, taken), kind: "i", parent: &parent, key: key, columns: key.of(parent.columns),
			})
		}
	}
	v.listed = objects
	return objects
}

// of are the key's columns of a table's.
func (k *sysKey) of(columns []planner.CatalogColumn) []planner.CatalogColumn {
	var own []planner.CatalogColumn
	for _, c := range k.columns {
		own = append(own, planner.CatalogColumn{Name: columns[c].Name, Type: columns[c].Type})
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

// named gives the table or view of a name, or nil.
func (v *sysView) named(name string) *sysObject {
	for i := range v.objects() {
		if v.objects()[i].name == name {
			return &v.objects()[i]
		}
	}
	return nil
}
