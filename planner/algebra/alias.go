package algebra

// Alias is a type whose values are those of another type, most of them of PostgreSQL's
// catalogs. It changes what clients are told of them and how they are written, not what they are.
type Alias uint8

// The types of object identifiers, which are numbers of 64 bits: oid is written as the
// number, the others as the name of what has it. "char", name and json are texts.
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
	JSONText
)

var aliasNames = [...]string{
	OID: "oid", Regclass: "regclass", Regtype: "regtype", Regproc: "regproc", Regprocedure: "regprocedure",
	Regnamespace: "regnamespace", Regrole: "regrole", Char: `"char"`, Name: "name", JSONText: "json",
}

// String is the name of the type.
func (a Alias) String() string { return aliasNames[a] }

// IsName reports whether values are numbers that are written as names.
func (a Alias) IsName() bool { return a > OID && a < Char }

// TAlias is the type of an alias.
func TAlias(a Alias) Type {
	if a >= Char {
		return Type{Kind: Text, Alias: a}
	}
	return Type{Kind: Int64, Alias: a}
}

// AliasNamed is the alias whose type has a name; NoAlias for other types.
func AliasNamed(name string) Alias {
	for a := OID; int(a) < len(aliasNames); a++ {
		if aliasNames[a] == name {
			return a
		}
	}
	return NoAlias
}
