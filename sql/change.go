package sql

import "reflect"

// WithOf is the WITH of a query or a Change; nil for none.
func WithOf(stmt Statement) *With {
	switch stmt := stmt.(type) {
	case *Query:
		return stmt.With
	case *Insert:
		return stmt.With
	case *Update:
		return stmt.With
	case *Delete:
		return stmt.With
	case *Merge:
		return stmt.With
	}
	return nil
}

// Writes are the expressions in the WITH of a statement that change rows.
func Writes(stmt Statement) []*CTE {
	with := WithOf(stmt)
	if with == nil {
		return nil
	}
	var list []*CTE
	for i := range with.CTEs {
		if with.CTEs[i].Write != nil {
			list = append(list, &with.CTEs[i])
		}
	}
	return list
}

// NamesBeside are the names without a schema that a statement reads, but for those that only a WITH does.
func NamesBeside(stmt Statement, with *With) map[string]bool {
	s := &Sources{CTEs: map[string]bool{}, beside: with}
	s.visit(reflect.ValueOf(stmt))
	names := map[string]bool{}
	for _, t := range s.Tables {
		if len(t.Name) == 1 {
			names[t.Name[0].Name] = true
		}
	}
	return names
}
