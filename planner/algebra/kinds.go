package algebra

// Kind is the kind of an SQL type.
type Kind uint8

// The SQL types. Int16 is arithmetic in 32 bits with PostgreSQL's smallint
// range checked; Numeric is PostgreSQL's unconstrained numeric, whose scale
// belongs to the value and not to the column.
const (
	Unknown Kind = iota // the type of a bare NULL or an untyped string literal before resolution
	Bool
	Int16
	Int32
	Int64
	Float64
	Decimal // numeric(p,s): exact, one scale for the column
	Numeric // numeric: exact, a scale per value
	Text
	Date
	Timestamp
	Interval
	Array       // of one dimension
	TimestampTZ // with time zone: a moment, in microseconds of UTC
	Float32     // real: held as the float64 of the same value
	JSONText    // as the text that was given
	JSONBinary  // as the text that PostgreSQL writes of it
	UUID        // as that text, too
	Time        // of day, in microseconds of it, up to 24:00
	Bytea       // as PostgreSQL's text of it in hexadecimal digits, too
	Enum        // of an EnumType: the position of a label
	JSONPath    // as the text that PostgreSQL writes of it
	Record      // a row, as PostgreSQL's text of it; no table has such a column
)

// kindRow is what is known of the types of a kind beside the code for them. A new type is
// a row here, its names in planner/sqltype, and its row of pg_type in planner/pgcatalog.
type kindRow struct {
	name       string // as PostgreSQL writes it
	oid, array uint32 // the OIDs of the type and of its arrays in pg_type; 0: there are none
	size       int    // of a value in PostgreSQL's binary format, in bytes, -1 where that varies
	letter     byte   // in the parameters of a value.Routine; 0: another kind has it
}

var kinds = [...]kindRow{
	Unknown:     {name: "unknown", oid: 25, size: -1},
	Bool:        {"boolean", 16, 1000, 1, 'b'},
	Int16:       {"smallint", 21, 1005, 2, 0},
	Int32:       {"integer", 23, 1007, 4, 'w'},
	Int64:       {"bigint", 20, 1016, 8, 'l'},
	Float64:     {"double precision", 701, 1022, 8, 'f'},
	Decimal:     {"numeric", 1700, 1231, -1, 0},
	Numeric:     {"numeric", 1700, 1231, -1, 'n'},
	Text:        {"text", 25, 1009, -1, 's'},
	Date:        {"date", 1082, 1182, 4, 'd'},
	Timestamp:   {"timestamp", 1114, 1115, 8, 't'},
	Interval:    {"interval", 1186, 1187, 16, 'i'},
	Array:       {size: -1, letter: 'a'},
	TimestampTZ: {"timestamp with time zone", 1184, 1185, 8, 'z'},
	Float32:     {"real", 700, 1021, 4, 'r'},
	JSONText:    {"json", 114, 199, -1, 'j'},
	JSONBinary:  {"jsonb", 3802, 3807, -1, 'J'},
	UUID:        {"uuid", 2950, 2951, 16, 'u'},
	Time:        {"time", 1083, 1183, 8, 'k'},
	Bytea:       {"bytea", 17, 1001, -1, 'y'},
	Enum:        {size: -1, letter: 'e'}, // an EnumType has the others
	JSONPath:    {"jsonpath", 4072, 4073, -1, 'p'},
	Record:      {"record", 2249, 2287, -1, 'R'},
}

// Size is what a value takes in PostgreSQL's binary format, in bytes, -1 where that varies.
func (k Kind) Size() int { return kinds[k].size }

// Alias is a type whose values are those of another type, most of them of PostgreSQL's
// catalogs. It changes what clients are told of them and how they are written, not what they are.
type Alias uint8

// The types of object identifiers, which are numbers of 64 bits: oid is written as the
// number, the others as the name of what has it. "char" and name are texts.
const (
	NoAlias Alias = iota
	OID
	Regclass
	Regtype
	Regproc
	Regprocedure
	Regnamespace
	Regrole
	Char
	Name
	Void // what functions return that return nothing
)

// String is the name of the type.
func (a Alias) String() string { return aliases[a].name }

// IsName reports whether values are numbers that are written as names.
func (a Alias) IsName() bool { return a > OID && a < Char }

// aliasRow is a row of the types of PostgreSQL's catalogs.
type aliasRow struct {
	name       string
	oid, array uint32
	size       int
}

var aliases = [...]aliasRow{
	OID: {"oid", 26, 1028, 4}, Regclass: {"regclass", 2205, 2210, 4}, Regtype: {"regtype", 2206, 2211, 4},
	Regproc: {"regproc", 24, 1008, 4}, Regprocedure: {"regprocedure", 2202, 2207, 4},
	Regnamespace: {"regnamespace", 4089, 4090, 4}, Regrole: {"regrole", 4096, 4097, 4},
	Char: {`"char"`, 18, 1002, 1}, Name: {"name", 19, 1003, 64}, Void: {"void", 2278, 0, 4},
}
