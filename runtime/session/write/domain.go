package write

import (
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// domain are the rules that the values of column i are those of its domain; none where it is of none.
func (r *rules) domain(i int) (list []rule) {
	c := r.table.Columns()[i]
	d := r.state.DomainOf(c.Domain)
	if d == nil {
		return nil
	}
	add := func(cond, constraint string) {
		list = append(list, rule{store.Check{Text: cond}, func(*store.Table, string) error {
			return value.ErrDomain(d.String(), value.Object{Schema: d.Schema, Type: d.Name, Constraint: constraint})
		}})
	}
	if d.Refuses() {
		add(pgcatalog.Quote(c.Name)+" IS NOT NULL", "")
	}
	for _, check := range d.AllChecks() {
		add(sqlstate.Must(sql.RenameColumnIn(check.Text, "value", c.Name)), check.Name)
	}
	return list
}
