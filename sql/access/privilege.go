package access

import "strings"

// Privileges is a set of privileges.
type Privileges uint16

// The privileges, in the order in which PostgreSQL writes them.
const (
	Insert Privileges = 1 << iota
	Select
	Update
	Delete
	Truncate
	References
	Trigger
	Execute
	Usage
	Create
	Temporary
	Connect
)

// privilegeNames are the names of the privileges and their letters, by bit.
var privilegeNames = []struct {
	letter byte
	name   string
}{
	{'a', "INSERT"}, {'r', "SELECT"}, {'w', "UPDATE"}, {'d', "DELETE"}, {'D', "TRUNCATE"}, {'x', "REFERENCES"}, {'t', "TRIGGER"},
	{'X', "EXECUTE"}, {'U', "USAGE"}, {'C', "CREATE"}, {'T', "TEMPORARY"}, {'c', "CONNECT"},
}

// OnColumns are the privileges that columns have of their own.
const OnColumns = Insert | Select | Update | References

// Kind is a kind of objects that have owners and privileges.
type Kind string

// The kinds of objects. Tables and views are relations. Of sequences and types there
// are only default privileges, which clients set for all kinds.
const (
	Relation Kind = "table"
	Schema   Kind = "schema"
	Database Kind = "database"
	Function Kind = "function"
	Sequence Kind = "sequence"
	Type     Kind = "type"
)

// All are the privileges that there are on objects of a kind.
func (k Kind) All() Privileges {
	switch k {
	case Relation:
		return Insert | Select | Update | Delete | Truncate | References | Trigger
	case Schema:
		return Usage | Create
	case Database:
		return Create | Temporary | Connect
	case Sequence:
		return Select | Update | Usage
	case Type:
		return Usage
	}
	return Execute
}

// Name is the name of a single privilege.
func (p Privileges) Name() string {
	for i, n := range privilegeNames {
		if p == 1<<i {
			return n.name
		}
	}
	return ""
}

// Each calls f with every privilege of the set, in the order of the letters.
func (p Privileges) Each(f func(Privileges)) {
	for i := range privilegeNames {
		if p&(1<<i) != 0 {
			f(1 << i)
		}
	}
}

// ParsePrivilege reads the name of a privilege, in any case; 0 for a word that
// names none.
func ParsePrivilege(word string) Privileges {
	if strings.EqualFold(word, "temp") {
		return Temporary
	}
	for i, n := range privilegeNames {
		if strings.EqualFold(word, n.name) {
			return 1 << i
		}
	}
	return 0
}
