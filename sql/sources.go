package sql

import (
	"reflect"
	"slices"
)

// Sources is what a statement reads, with the queries within it.
type Sources struct {
	Tables []*TableName    // in FROM, names of common table expressions too
	CTEs   map[string]bool // the names of common table expressions
	// Open reports whether it can read any number of rows beyond those of its
	// tables: of files, functions in FROM or recursive expressions.
	Open   bool
	Locked []*Query // those with locking clauses

	beside  *With // is not looked at
	columns names // those that expressions name
	fields  []string
	calls   names // of functions
	stars   names // what stands before the .* of select lists
	types   []TypeName
}

// Qualifiers are what stands before the names of columns and stars, and names that stand alone,
// which may be those of a table's rows.
func (s *Sources) Qualifiers() []Name {
	var out names
	for _, c := range s.columns {
		out = append(out, c[:max(len(c)-1, 1)])
	}
	for _, star := range s.stars {
		if len(star) > 0 {
			out = append(out, star)
		}
	}
	return out.lastFirst()
}

// names are names of a text, some of them more than once.
type names []Name

// lastFirst is each of the names once, the last one of the text first.
func (n names) lastFirst() names {
	sorted := slices.SortedFunc(slices.Values(n), func(a, b Name) int { return int(b[0].Pos - a[0].Pos) })
	return slices.CompactFunc(sorted, func(a, b Name) bool { return a[0].Pos == b[0].Pos })
}

// NamesColumn reports whether a tree names a column, or a field of a row, so.
func NamesColumn(tree any, name string) bool {
	s := &Sources{CTEs: map[string]bool{}}
	s.visit(reflect.ValueOf(tree))
	return slices.Contains(s.fields, name) || slices.ContainsFunc(s.columns, func(n Name) bool { return n[len(n)-1].Name == name })
}

// SourcesOf finds what a statement reads.
func SourcesOf(stmt Statement) *Sources {
	s := &Sources{CTEs: map[string]bool{}}
	s.visit(reflect.ValueOf(stmt))
	return s
}

// columnsOf are the names of columns in an expression.
func columnsOf(e Expr) names { return sourcesIn(e).columns }

// NamesIn are the names of columns and of functions in an expression.
func NamesIn(e Expr) (columns, functions []Name) {
	s := sourcesIn(e)
	return s.columns, s.calls
}

func sourcesIn(e Expr) *Sources {
	s := &Sources{}
	s.visit(reflect.ValueOf(e))
	return s
}

// visit looks at all nodes below a value of the tree, of whatever type they are, so
// that none can be forgotten.
func (s *Sources) visit(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if with, ok := v.Interface().(*With); v.IsNil() || ok && with == s.beside {
			return
		}
		s.note(v.Interface())
		s.visit(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			s.visit(v.Field(i))
		}
	case reflect.Slice:
		for i := range v.Len() {
			s.visit(v.Index(i))
		}
	}
}

// note keeps what a node says.
func (s *Sources) note(node any) {
	switch node := node.(type) {
	case *Query:
		if len(node.Locks) > 0 {
			s.Locked = append(s.Locked, node)
		}
	case *ColumnRef:
		s.columns = append(s.columns, node.Name)
	case *Field:
		s.fields = append(s.fields, node.Name.Name)
	case *FuncCall:
		s.calls = append(s.calls, node.Name)
	case *Cast:
		s.types = append(s.types, node.Type)
	case *TypedLiteral:
		s.types = append(s.types, node.Type)
	case *Star:
		s.stars = append(s.stars, node.Qualifier)
	case *TableName:
		s.Tables = append(s.Tables, node)
	case *TableFile, *TableFunc:
		s.Open = true
	case *With:
		s.Open = s.Open || node.Recursive
		for i := range node.CTEs {
			s.CTEs[node.CTEs[i].Name.Name] = true
		}
	}
}
