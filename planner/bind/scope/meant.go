package scope

import (
	"fmt"

	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// hinted adds to the error that a name stands for nothing what was perhaps meant.
func (x *Exprs) hinted(err error, name, qualifier sql.Name) error {
	e, ok := err.(*value.Error)
	switch {
	case ok && e.Code == value.CodeUndefinedColumn:
		e.Hint = x.columnMeant(name)
	case ok && e.Code == value.CodeUndefinedTable:
		x.relationMeant(e, qualifier[len(qualifier)-1].Name)
	}
	return err
}

// near calls f for the scopes of a query and of those around it until it returns true. Names
// of some of them can be used, others only stand in the same text.
func (x *Exprs) near(f func(s *Scope, usable bool) bool) {
	for level := x; level != nil; level = level.Env.Enclosing() {
		if f(level.Scope, true) || level.Scope.Hidden != nil && f(level.Scope.Hidden, false) {
			return
		}
		for e := level.Env; e != nil && e.Outer == nil; e = e.Parent {
			if e.Beside != nil && f(e.Beside, false) {
				return
			}
		}
	}
}

// relationMeant says in an error whether a name, which is no relation's here, is that of one
// that has another name or cannot be named.
func (x *Exprs) relationMeant(e *value.Error, name string) {
	x.near(func(s *Scope, usable bool) bool {
		for _, rel := range s.Rels {
			if rel.Name != name && rel.Of != name {
				continue
			}
			e.Message = fmt.Sprintf("invalid reference to FROM-clause entry for table %q", name)
			e.Hint = fmt.Sprintf("There is an entry for table %q, but it cannot be referenced from this part of the query.", rel.Name)
			if rel.Name != name && usable {
				e.Hint = fmt.Sprintf("Perhaps you meant to reference the table alias %q.", rel.Name)
			}
			return true
		}
		return false
	})
}

// columnMeant is the hint which columns a name, which is none's, is most like; "" where
// it is like none, or like too many.
func (x *Exprs) columnMeant(name sql.Name) string {
	column, qualifier := name[len(name)-1].Name, ""
	if len(name) > 1 {
		qualifier = name[len(name)-2].Name
	}
	like := likeness{distance: maxDistance + 1}
	x.near(func(s *Scope, _ bool) bool { return like.addScope(s, qualifier, column) })
	switch {
	case like.same != nil:
		return fmt.Sprintf("There is a column named %q in table %q, but it cannot be referenced from this part of the query.",
			column, like.same.Rel.Name)
	case len(like.found) == 1:
		return fmt.Sprintf("Perhaps you meant to reference the column %s.", like.found[0].quoted())
	case len(like.found) == 2:
		return fmt.Sprintf("Perhaps you meant to reference the column %s or the column %s.",
			like.found[0].quoted(), like.found[1].quoted())
	}
	return ""
}

func (c *Column) quoted() string { return `"` + c.Rel.Name + "." + c.Col.Name + `"` }

// maxDistance is in how many letters a name may differ from one that is proposed.
const maxDistance = 3

// likeness collects the columns that a name is most like.
type likeness struct {
	distance int       // of those that were found, or that others must not exceed
	found    []*Column // two at most; more are none
	same     *Column   // one that has the very name, and cannot be named
}

// addScope compares the columns of a scope with a name, and reports whether one has it.
func (l *likeness) addScope(s *Scope, qualifier, name string) bool {
	for i := range s.Cols {
		c := &s.Cols[i]
		if c.Rel.Name == "" || c.System && c.Col.Name != TableOID {
			continue
		}
		apart := 0
		if qualifier != "" {
			apart = editDistance(qualifier, c.Rel.Name)
		}
		if c.Col.Name == name && apart == 0 {
			l.same = c
			return true
		}
		if !c.System {
			l.add(c, name, apart)
		}
	}
	return false
}

// add compares a column with a name; apart is the distance between their qualifiers. Names of
// which more than half differs are not like each other.
func (l *likeness) add(c *Column, name string, apart int) {
	if apart > l.distance {
		return
	}
	d := editDistance(c.Col.Name, name)
	if d > len(name)/2 {
		return
	}
	d += apart
	switch {
	case d < l.distance:
		l.distance, l.found = d, []*Column{c}
	case d > l.distance || d > maxDistance:
	case len(l.found) == 2:
		l.distance, l.found = d-1, nil
	default:
		l.found = append(l.found, c)
	}
}

// editDistance is how many letters have to be inserted, deleted or replaced to make one
// name of another (Levenshtein).
func editDistance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for k := range row {
		row[k] = k
	}
	for i, letter := range from {
		diagonal := row[0]
		row[0] = i + 1
		for k, other := range to {
			replaced := diagonal
			if letter != other {
				replaced++
			}
			diagonal = row[k+1]
			row[k+1] = min(replaced, row[k]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
