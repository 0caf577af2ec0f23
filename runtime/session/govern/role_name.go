package govern

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// errReserved is the error of a new name that is kept for predefined roles.
func errReserved(name string) error {
	return &value.Error{Code: value.CodeReservedName, Pos: value.NoPos, Message: fmt.Sprintf("role name %q is reserved", name),
		Detail: "Role names starting with \"pg_\" are reserved."}
}

// CheckNewRole fails where a role cannot get a name.
func CheckNewRole(state *access.State, name string) error {
	switch {
	case name == "public" || name == "none":
		return value.Errorf(value.CodeReservedName, "role name %q is reserved", name)
	case access.Reserved(name):
		return &value.Error{Code: value.CodeReservedName, Pos: value.NoPos, Message: "role name \"" + name + "\" is reserved",
			Detail: "Role names starting with \"pg_\" are reserved."}
	case name == "" || strings.ContainsRune(name, 0):
		return value.Errorf(value.CodeInvalidParameter, "%q cannot be the name of a role", name)
	case state.Named(name) != nil:
		return value.Errorf(value.CodeDuplicateObject, "role %q already exists", name)
	}
	return nil
}
