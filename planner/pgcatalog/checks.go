package pgcatalog

import (
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

// eachCheck calls f with the CHECK constraints of tables.
func (v *View) eachCheck(f func(o *Object, c *Check)) {
	for i := range v.Objects() {
		for k := range v.Objects()[i].Checks {
			f(&v.Objects()[i], &v.Objects()[i].Checks[k])
		}
	}
}

// clause is the condition of the constraint in parentheses. A comment may end its text.
func (c *Check) clause() string {
	if strings.Contains(c.Text, "--") {
		return "(" + c.Text + "\n)"
	}
	return "(" + c.Text + ")"
}

// checkRows are the rows of pg_constraint of CHECK constraints.
func (v *View) checkRows() []Row {
	var rows []Row
	v.eachCheck(func(o *Object, c *Check) {
		row := Row{"oid": c.oid, "conname": c.Name, "contype": "c", "conrelid": o.oid, "connoinherit": false,
			"conkey": "{" + keyText(c.Columns, ",") + "}", "conbin": c.Text, "convalidated": !c.NotValid}
		if c.Inherited {
			row["conislocal"], row["coninhcount"] = false, 1
		}
		rows = append(rows, o.place(v, row))
	})
	return rows
}

// checkDefinitions calls f with what pg_get_constraintdef says of CHECK constraints.
func (v *View) checkDefinitions(pretty bool, f func(oid int64, text string)) {
	define := func(c *Check) {
		clause, valid := c.clause(), ""
		if !pretty {
			clause = "(" + clause + ")"
		}
		if c.NotValid {
			valid = " NOT VALID"
		}
		f(c.oid, "CHECK "+clause+valid)
	}
	v.eachCheck(func(_ *Object, c *Check) { define(c) })
	v.eachDomainCheck(func(_ *UserType, oid int64, c *algebra.DomainCheck) { define(v.asCheck(oid, c)) })
}

// informationChecks calls f with the CHECK constraints that the session is shown.
func (v *View) informationChecks(f func(o *Object, c *Check)) {
	v.eachCheck(func(o *Object, c *Check) {
		if v.isVisible(o) {
			f(o, c)
		}
	})
}
