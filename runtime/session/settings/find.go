package settings

import (
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/value"
)

// MustFind finds a setting that there is.
func MustFind(name string) *Setting {
	s, err := Find(name)
	if err != nil {
		panic(err)
	}
	return s
}

// Find looks a setting up by its name in any case.
func Find(name string) (*Setting, error) {
	if i := slices.IndexFunc(Table, func(s Setting) bool { return strings.EqualFold(s.Name, name) }); i >= 0 {
		return &Table[i], nil
	}
	for i := range Client {
		if c := &Client[i]; strings.EqualFold(c.Name, name) {
			return c.Setting(), nil
		}
	}
	return nil, value.Errorf(value.CodeUndefinedObject, "unrecognized configuration parameter %q", name)
}
