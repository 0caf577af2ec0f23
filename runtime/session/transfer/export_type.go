package transfer

import (
	"fmt"
	"strings"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/pgcatalog"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// types writes the statements that make types.
func (e *exporting) types(out *strings.Builder) {
	made := map[uint32]bool{}
	for _, t := range e.state.UserTypes() {
		switch t := t.(type) {
		case *algebra.EnumType:
			labels := lists.Map(t.Labels, pgcatalog.QuoteText)
			fmt.Fprintf(out, "\nCREATE TYPE %s AS ENUM (%s);\n", t.Qualified(), strings.Join(labels, ", "))
			e.comments(out, &store.UserType{Of: t})
		case *algebra.Domain:
			e.domain(out, t, made)
		}
	}
}

// domain writes the statement that makes a domain, but for its default and its conditions, which may call
// functions, behind that of the domain that it is of.
func (e *exporting) domain(out *strings.Builder, d *algebra.Domain, made map[uint32]bool) {
	if made[d.OID] {
		return
	}
	made[d.OID] = true
	of, notNull := d.Base.String(), ""
	if d.Over != nil {
		e.domain(out, d.Over, made)
		of = d.Over.Qualified()
	}
	if d.NotNull {
		notNull = " NOT NULL"
	}
	fmt.Fprintf(out, "\nCREATE DOMAIN %s AS %s%s;\n", d.Qualified(), of, notNull)
	e.comments(out, &store.UserType{Of: d})
}

// domainDefaults writes the statements that give domains their defaults.
func (e *exporting) domainDefaults(out *strings.Builder) {
	for _, t := range e.state.UserTypes() {
		if d, ok := t.(*algebra.Domain); ok && d.Default != "" {
			fmt.Fprintf(out, "ALTER DOMAIN %s SET DEFAULT %s;\n", d.Qualified(), d.Default)
		}
	}
}

// domainChecks writes the statements that give domains their CHECK constraints, those that are valid or the others,
// which come behind the rows.
func (e *exporting) domainChecks(out *strings.Builder, valid bool) {
	for _, t := range e.state.UserTypes() {
		d, ok := t.(*algebra.Domain)
		if !ok {
			continue
		}
		for _, c := range d.Checks {
			if c.NotValid == valid {
				continue
			}
			name, options := pgcatalog.QuoteName(c.Name), ""
			if !valid {
				options = " NOT VALID"
			}
			fmt.Fprintf(out, "ALTER DOMAIN %s ADD %s%s;\n", d.Qualified(), checkDefinition(&store.Check{Name: c.Name, Text: c.Text}), options)
			if c.Comment != "" {
				fmt.Fprintf(out, "COMMENT ON CONSTRAINT %s ON DOMAIN %s IS %s;\n", name, d.Qualified(), pgcatalog.QuoteText(c.Comment))
			}
		}
	}
}

// checkDefinition is a CHECK constraint; a comment may end its text.
func checkDefinition(c *store.Check) string {
	return "CONSTRAINT " + pgcatalog.QuoteName(c.Name) + " CHECK (" + c.Text + "\n)"
}
