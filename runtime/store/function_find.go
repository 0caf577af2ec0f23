package store

import (
	"slices"
	"strings"
)

// Uses reports whether the function depends on the object of a key.
func (f *Function) Uses(s *State, key string) bool {
	if slices.Contains(f.Depends, key) {
		return true
	}
	made := typeOf(s.Lookup(key))
	uses := func(t *FunctionType) bool { return t.Row == key && key != "" || made != nil && t.Made == made.ID().OID }
	return uses(&f.Returns) || slices.ContainsFunc(f.Params, func(p FunctionParam) bool { return uses(&p.Type) })
}

// Functions are the functions of a schema and a name.
func (s *State) Functions(schema, name string) []*Function {
	return s.functionIndex()[schema+functionMark+name]
}

// functionIndex finds functions by schema and name.
func (s *State) functionIndex() map[string][]*Function {
	s.functions.once.Do(func() {
		for _, o := range s.objects {
			if f, ok := o.(*Function); ok {
				if s.functions.named == nil {
					s.functions.named = map[string][]*Function{}
				}
				name := f.Schema() + functionMark + f.Name()
				s.functions.named[name] = append(s.functions.named[name], f)
			}
		}
		for _, list := range s.functions.named {
			slices.SortFunc(list, func(a, b *Function) int { return strings.Compare(a.key, b.key) })
		}
	})
	if s.reader != nil && len(s.functions.named) > 0 {
		s.reader.read(catalogTarget)
	}
	return s.functions.named
}

// AllFunctions are all functions, by key.
func (s *State) AllFunctions() (list []*Function) {
	for _, named := range s.functionIndex() {
		list = append(list, named...)
	}
	slices.SortFunc(list, func(a, b *Function) int { return strings.Compare(a.key, b.key) })
	return list
}

// functionsOn are the functions that depend on an object.
func (s *State) functionsOn(key string) (list []*Function) {
	for _, f := range s.AllFunctions() {
		if f.Uses(s, key) {
			list = append(list, f)
		}
	}
	return list
}
