package access

import (
	"slices"
	"strings"
)

// IsSystemSchema reports whether a name is that of a schema of the system, or kept for one.
func IsSystemSchema(name string) bool {
	return strings.HasPrefix(name, "pg_") || name == "information_schema"
}

// HasSchema reports whether there is a schema of a name, those of the system aside: each but
// public has an owner.
func (s *State) HasSchema(name string) bool {
	o := SchemaObject(name)
	return o == PublicSchema || !IsSystemSchema(name) && !s.Plain(o)
}

// Schemas are the names of the schemas in alphabetical order, those of the system aside.
func (s *State) Schemas() []string {
	var names []string
	if s.Plain(PublicSchema) {
		names = append(names, PublicSchema.Name)
	}
	for o := range s.grants {
		if o.Kind == Schema && s.HasSchema(o.Name) {
			names = append(names, o.Name)
		}
	}
	slices.Sort(names)
	return names
}
