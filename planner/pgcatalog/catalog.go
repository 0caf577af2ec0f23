// Package pgcatalog is PostgreSQL's catalog: the relations of pg_catalog and
// information_schema, and the functions about the catalog and the session, as SQL text. It
// makes them of a View, which the keeper of tables and sessions fills.
package pgcatalog

import (
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/planner"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// The schemas of the system's relations.
const (
	Schema            = "pg_catalog"
	schemaPublic      = "public"
	InformationSchema = "information_schema"
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

// What the cell of a row is charged with, and how much work it is.
const (
	sysCellBytes = 48
	sysCellWork  = 256
)

// took charges and counts n cells that were made, or are about to be. It panics with
// what sqlstate.Catch takes.
func (v *View) took(n int) {
	v.Meter.Must(n * sysCellWork)
	if err := v.Meter.Grow(n * sysCellBytes); err != nil {
		panic(err)
	}
}

// View is what the relations of the system and the functions about them show: one
// state of the catalog as one session sees it.
type View struct {
	Of              Session
	Database        string
	TemporarySchema string // the schema of the session's temporary tables and views
	Access          *access.State
	User            access.OID // by whose privileges statements run
	SessionUser     access.OID
	Pid             int32
	Now             time.Time
	Started         time.Time         // when the program began
	Meter           *value.Meter      // of planning the statement
	SearchPath      []string          // the schemas in which names without one are found
	Describing      bool              // a statement is planned and not run
	Outline         bool              // the relations of the system have columns and no rows
	Activity        func() []Activity // the sessions; nil: there are none
	List            func() []Object   // the tables and views, without their indexes and OIDs
	UserTypes       func() []UserType // the types that statements have made
	Functions       func() []Function // those that CREATE FUNCTION has made
	// FindType is what the name of a type stands for in a path, nil for none that a statement has made.
	FindType   func(name, path []string) algebra.UserType
	typeList   []pgType         // with those of the system, once they were asked for
	procList   []proc           // the functions, likewise
	listed     []Object         // with them, once they were asked for
	found      map[string]int64 // the OIDs of what names without a schema stand for, likewise
	schemaList []schema         // the schemas, likewise
}

// Session is what a view asks the session itself for.
type Session interface {
	// shownSettings are all settings, and showSetting one in any case of its name.
	ShownSettings() []Setting
	ShowSetting(name string) (string, error)
	// InventedSettings are those that clients have invented, by their names in lower case.
	InventedSettings() map[string]string
	// configure acts as set_config and returns what it does.
	Configure(args []value.Value) (value.Value, error)
	// retained are the prepared statements and cursors, by name.
	Retained() ([]Prepared, []Cursor)
	// transactionNumber is the number of the transaction, and 0 where it has none and is not to get one.
	TransactionNumber(assign bool) int64
	// viewText is the query of a view as pg_get_viewdef writes it.
	ViewText(o *Object) string
}

// Setting is a setting as pg_settings shows it.
type Setting struct {
	Name, Value, Boot, Reset, Help string
}

// Prepared is a prepared statement.
type Prepared struct {
	Name, Text string
	Params     []planner.Parameter
	FromSQL    bool
	Made       time.Time
}

// Cursor is a cursor.
type Cursor struct {
	Name, Text    string
	Hold, Forward bool
	Made          time.Time
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

// Object is a table, view or index with its OID.
type Object struct {
	oid        int64
	Name       string
	Kind       string // relkind
	StoreKey   string // what the store calls a table or view
	Schema     string
	Columns    []planner.CatalogColumn
	Table      Size      // of a table
	Sequence   *Sequence // of a sequence
	Definition string    // of a view: its query
	Depends    []string
	// Unpopulated says of a materialized view that its query has not run.
	Unpopulated bool
	Keyed       string // of a hierarchy: the table of its elements, whose keys it needs
	Keys        []Key
	Checks      []Check
	// ForeignKeys name the tables that they refer to by StoreKey.
	ForeignKeys []ForeignKey
	// Partition is what a partitioned table or a partition is as such; nil of others.
	Partition *Partition
	parent    *Object // of an index: its table
	key       *Key    // of an index
}

// Partition is what a partitioned table is beside its columns, and what a partition is of another table.
type Partition struct {
	// Key is what PARTITION BY says, with the columns by position, -1 for an expression, and the expressions.
	Method, Key string
	Columns     []int
	Exprs       string
	Default     string // the partition of all other rows, as the store calls it; "" for none
	// Parent is the table that it is a partition of, as the store calls it; Bound says which rows it has, and
	// Constraint so as a condition.
	Parent, Bound, Constraint string
}

// Sequence is what a sequence is beside its name. Owner is the key of the table whose Column
// it belongs to, and Identity what PostgreSQL calls the kind of that, if it is one of identity.
type Sequence struct {
	Type                                    algebra.Type
	Start, Increment, Min, Max, Cache, Last int64
	Cycle, Called                           bool
	Owner, Column, Identity                 string
}

// Size is how large a table is.
type Size interface {
	Rows() int64
	Bytes() int64
}

// Key is a declared key of a table.
type Key struct {
	Name    string
	Columns []int
	Primary bool
	Index   *algebra.Index          // nil for a constraint
	Parts   []planner.CatalogColumn // of its index
	// Of is the name of the index of the partitioned table that a key is a part of; "" for none.
	Of        string
	Clustered bool
	// Comment is what COMMENT says of the constraint, and IndexComment of the index.
	Comment, IndexComment string
}

// Check is a CHECK constraint of a table, over columns by position. NotValid says that not all rows
// need keep to it.
type Check struct {
	Name, Text string
	Columns    []int
	oid        int64
	NotValid   bool
	Comment    string
	Inherited  bool
}

// ForeignKey is a FOREIGN KEY constraint of a table. Key is the name of the index of the other table
// that it rests on.
type ForeignKey struct {
	algebra.ForeignKey
	Key string
	oid int64
}

// Objects are the tables, views and indexes.
func (v *View) Objects() []Object {
	if v.listed != nil {
		return v.listed
	}
	taken := map[int64]bool{}
	objects := v.List()
	for i := range objects {
		objects[i].oid = objectOID(objects[i].StoreKey, taken)
	}
	for i := range objects[:len(objects):len(objects)] {
		parent := objects[i]
		for k := range parent.Checks {
			parent.Checks[k].oid = objectOID(parent.StoreKey+" "+parent.Checks[k].Name, taken)
		}
		for k := range parent.ForeignKeys {
			parent.ForeignKeys[k].oid = objectOID(parent.StoreKey+" "+parent.ForeignKeys[k].Name, taken)
		}
		for k := range parent.Keys {
			key := &parent.Keys[k]
			objects = append(objects, Object{
				Name: key.Name, Schema: parent.Schema, oid: objectOID(strings.TrimSuffix(parent.StoreKey, parent.Name)+key.Name, taken), Kind: "i", parent: &parent, key: key, Columns: key.Parts,
			})
		}
	}
	v.listed = objects
	return objects
}

// objectOID returns the OID of a name: the same in every session as long as there is
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

// isFound reports whether an object is what its name stands for without its schema.
func (v *View) isFound(o *Object) bool {
	if v.found == nil {
		v.found = map[string]int64{}
		for _, schema := range slices.Backward(v.SearchPath) {
			for i := range v.Objects() {
				if other := &v.Objects()[i]; other.Schema == schema {
					v.found[other.Name] = other.oid
				}
			}
		}
	}
	return v.found[o.Name] == o.oid
}

// written is the name of an object as SQL has it, with its schema where it needs that.
func (v *View) written(o *Object) string {
	if v.isFound(o) {
		return QuoteName(o.Name)
	}
	return QuoteName(o.Schema) + "." + QuoteName(o.Name)
}

// isEnabled reports whether the session has the privileges of a role.
func (v *View) isEnabled(role access.OID) bool {
	return role != access.Public && v.Access.Has(v.User, role)
}

// aclCell is a list of privileges as a cell: NULL where it is the default.
func (v *View) aclCell(acl access.ACL) any {
	if acl == nil {
		return nil
	}
	return textArray(acl.Text(v.Access.NameOf))
}

// Relation is what a table or view is to the privileges.
func (o *Object) Relation() access.Object {
	if o.parent != nil {
		return o.parent.Relation()
	}
	if o.Sequence != nil {
		return access.Object{Kind: access.Sequence, Name: o.StoreKey}
	}
	return access.Object{Kind: access.Relation, Name: o.StoreKey}
}

// addGrants adds the owner of an object, and what is granted on it, to its row.
func (v *View) addGrants(row Row, of access.Object, owner, acl string) {
	g := v.Access.Grants(of)
	row[owner] = int64(g.Owner)
	if acl != "" {
		row[acl] = v.aclCell(g.ACL)
	}
}

// ownerName is the name of an object's owner.
func (v *View) ownerName(of access.Object) string {
	state := v.Access
	return state.NameOf(state.Grants(of).Owner)
}

// isVisible reports whether information_schema shows the session an object: one that
// it owns, or has any privilege on.
func (v *View) isVisible(o *Object) bool {
	rights, _ := v.Access.Rights(v.User, o.Relation())
	return rights != 0 || slices.ContainsFunc(o.Columns, func(c planner.CatalogColumn) bool { return v.isVisibleColumn(o, c.Name) })
}

// isVisibleColumn is isVisible of a column.
func (v *View) isVisibleColumn(o *Object, column string) bool {
	state, user := v.Access, v.User
	rights, _ := state.Rights(user, o.Relation())
	own, _ := state.ColumnRights(user, o.Relation(), column)
	return (rights|own)&access.OnColumns != 0 || state.Owns(user, o.Relation())
}

// hasQuery reports whether an object is a view or a materialized one.
func (o *Object) hasQuery() bool { return o.Kind == "v" || o.Kind == "m" }

// each makes rows of the objects of some kinds.
func (v *View) each(kinds string, row func(*Object) Row) []Row {
	var rows []Row
	for i := range v.Objects() {
		if strings.Contains(kinds, v.Objects()[i].Kind) {
			rows = append(rows, v.Objects()[i].place(v, row(&v.Objects()[i])))
		}
	}
	return rows
}

// place says in a row of a relation of the system where an object is that is not in the
// schema public.
func (o *Object) place(v *View, row Row) Row {
	if o.Schema == schemaPublic {
		return row
	}
	oid := v.schemaOID(o.Schema)
	row["relnamespace"], row["connamespace"] = oid, oid
	for _, column := range []string{"schemaname", "table_schema", "constraint_schema", "object_schema", "sequence_schema"} {
		row[column] = o.Schema
	}
	if o.Schema != v.TemporarySchema {
		return row
	}
	row["relpersistence"] = "t"
	if row["table_type"] == "BASE TABLE" {
		row["table_type"] = "LOCAL TEMPORARY"
	}
	return row
}

// schema is a schema with its OID.
type schema struct {
	oid    int64
	name   string
	system bool // everyone may use it, and nobody change it
}

// schemas are the schemas of the system and those that there are beside them, that of the
// session's temporary tables included where it has any.
func (v *View) schemas() []schema {
	if v.schemaList != nil {
		return v.schemaList
	}
	list := []schema{{oidCatalog, Schema, true}, {oidInformation, InformationSchema, true}}
	names := v.Access.Schemas()
	if slices.ContainsFunc(v.Objects(), func(o Object) bool { return o.Schema == v.TemporarySchema }) {
		names = append(names, v.TemporarySchema)
	}
	taken := map[int64]bool{}
	for _, name := range names {
		oid := int64(oidPublic)
		if name != schemaPublic {
			oid = objectOID(name, taken)
		}
		list = append(list, schema{oid: oid, name: name})
	}
	slices.SortStableFunc(list, func(a, b schema) int { return int(a.oid - b.oid) })
	v.schemaList = list
	return list
}

// schemaOID is the OID of a schema; 0 where there is none of the name.
func (v *View) schemaOID(name string) int64 {
	for _, s := range v.schemas() {
		if s.name == name {
			return s.oid
		}
	}
	return 0
}
