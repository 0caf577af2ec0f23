package crash

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/access"
)

// governed is what was said of a table or view beside its definition: the owner, the
// comments, and what is granted to others. It never changes.
type governed struct {
	owner    string // "": the superuser
	comments map[string]string
	grants   map[string]bool // "role PRIVILEGE" or "role PRIVILEGE(column)": whether with grant option
}

// role is what a role is.
type role struct {
	createDB, login, password bool
	limit                     int
	setting                   string
}

// govern changes what was said of a table or view.
func (m *model) govern(name string, change func(*governed)) {
	g := m.governed[name]
	g.comments, g.grants = maps.Clone(g.comments), maps.Clone(g.grants)
	if g.comments == nil {
		g.comments = map[string]string{}
	}
	if g.grants == nil {
		g.grants = map[string]bool{}
	}
	change(&g)
	m.governed[name] = g
}

// forgetColumn forgets what was said of a column that is dropped.
func (m *model) forgetColumn(name, column string) {
	m.govern(name, func(g *governed) {
		delete(g.comments, column)
		maps.DeleteFunc(g.grants, func(key string, _ bool) bool { return strings.HasSuffix(key, "("+column+")") })
	})
}

// accessLines writes roles, and what was said of tables and views.
func (m *model) accessLines() []string {
	var lines []string
	for name, r := range m.roles {
		lines = append(lines, r.text(name))
	}
	for key, admin := range m.members {
		lines = append(lines, fmt.Sprintf("member %s %t", key, admin))
	}
	for key := range m.defaults {
		lines = append(lines, "default "+key)
	}
	for name, g := range m.governed {
		if g.owner != "" {
			lines = append(lines, "owner "+name+" "+g.owner)
		}
		for column, text := range g.comments {
			lines = append(lines, fmt.Sprintf("comment %s %s %s", name, column, text))
		}
		for key, option := range g.grants {
			lines = append(lines, fmt.Sprintf("grant %s %s %t", name, key, option))
		}
	}
	return lines
}

func (r role) text(name string) string {
	return fmt.Sprintf("role %s %t %t %t %d %s", name, r.createDB, r.login, r.password, r.limit, r.setting)
}

// stateAccess writes those of a state in the same form.
func stateAccess(s *store.State) []string {
	state := s.Access()
	var lines []string
	isOwn := func(oid access.OID) bool { return oid > access.WriteAllData }
	for _, r := range state.All() {
		if !isOwn(r.OID) {
			continue
		}
		own := role{r.CreateDB, r.Login, r.Verifier != "", r.ConnectionLimit, ""}
		for _, set := range r.Settings {
			own.setting += fmt.Sprintf("%s=%s%t", set.Name, set.Value, set.Limit)
		}
		lines = append(lines, own.text(r.Name))
	}
	for _, m := range state.Memberships() {
		if isOwn(m.Role) {
			lines = append(lines, fmt.Sprintf("member %s %s %t", state.NameOf(m.Role), state.NameOf(m.Member), m.Admin))
		}
	}
	for _, d := range state.Defaults() {
		for _, item := range d.ACL {
			if item.Grantee != d.Role {
				lines = append(lines, fmt.Sprintf("default %s %s", state.NameOf(d.Role), state.NameOf(item.Grantee)))
			}
		}
	}
	for _, o := range state.Objects() {
		if s.Lookup(o.Name) == nil {
			lines = append(lines, "there is no "+o.Name)
		}
		lines = append(lines, grantLines(state, o)...)
	}
	return lines
}

// grantLines writes what was said of a table or view.
func grantLines(state *access.State, o access.Object) []string {
	var lines []string
	g := state.Grants(o)
	if g.Owner != access.Bootstrap {
		lines = append(lines, "owner "+o.Name+" "+state.NameOf(g.Owner))
	}
	if g.Comment != "" {
		lines = append(lines, fmt.Sprintf("comment %s %s %s", o.Name, "", g.Comment))
	}
	for column, text := range g.ColumnComments {
		lines = append(lines, fmt.Sprintf("comment %s %s %s", o.Name, column, text))
	}
	items := func(acl access.ACL, column string) {
		for _, item := range acl {
			if item.Grantee == g.Owner {
				continue
			}
			grantee := "public"
			if item.Grantee != access.Public {
				grantee = state.NameOf(item.Grantee)
			}
			item.Rights.Each(func(p access.Privileges) {
				lines = append(lines, fmt.Sprintf("grant %s %s %s%s %t", o.Name, grantee, p.Name(), column, item.Options&p != 0))
			})
		}
	}
	items(g.Effective(o.Kind), "")
	for column, acl := range g.Columns {
		items(acl, "("+column+")")
	}
	return lines
}

// rolesOf are the roles of a prefix.
func (m *model) rolesOf(prefix string) []string {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(m.roles)) {
		if strings.HasPrefix(name, "r"+prefix) {
			names = append(names, name)
		}
	}
	return names
}

// isNeeded reports whether a role cannot be dropped.
func (m *model) isNeeded(name string) bool {
	for key := range m.defaults {
		if slices.Contains(strings.Fields(key), name) {
			return true
		}
	}
	for _, g := range m.governed {
		if g.owner == name {
			return true
		}
		for key := range g.grants {
			if strings.HasPrefix(key, name+" ") {
				return true
			}
		}
	}
	return false
}

// drawRole draws a statement that changes the roles of a prefix.
func drawRole(r *rand.Rand, m *model, prefix string, number int) statement {
	names := m.rolesOf(prefix)
	if len(names) < 2 || len(names) < 4 && r.IntN(3) == 0 {
		name := fmt.Sprintf("r%s%03d", prefix, number)
		return statement{roles: true, sql: "CREATE ROLE " + name + " CREATEDB", apply: func(m *model) { m.roles[name] = role{createDB: true, limit: -1} }}
	}
	at := 1 + r.IntN(len(names)-1)
	name, older := names[at], names[r.IntN(at)]
	change := func(options string, apply func(*role)) statement {
		return statement{roles: true, sql: "ALTER ROLE " + name + " " + options, apply: func(m *model) {
			next := m.roles[name]
			apply(&next)
			m.roles[name] = next
		}}
	}
	switch kind := r.IntN(7); {
	case kind == 0 && !m.isNeeded(name):
		return statement{roles: true, sql: "DROP ROLE " + name, apply: func(m *model) {
			delete(m.roles, name)
			maps.DeleteFunc(m.members, func(key string, _ bool) bool { return slices.Contains(strings.Fields(key), name) })
		}}
	case kind == 1:
		return change(fmt.Sprintf("LOGIN PASSWORD 'a long password %d' CONNECTION LIMIT %d", number, number), func(r *role) { r.login, r.password, r.limit = true, true, number })
	case kind == 2:
		return change(fmt.Sprintf("SET lock_timeout = '%ds'", number), func(r *role) { r.setting = fmt.Sprintf("lock_timeout=%dsfalse", number) })
	case kind == 3:
		return statement{roles: true, sql: "REVOKE " + older + " FROM " + name, apply: func(m *model) { delete(m.members, older+" "+name) }}
	case kind == 4:
		return statement{roles: true, sql: fmt.Sprintf("ALTER DEFAULT PRIVILEGES FOR ROLE %s GRANT SELECT ON TABLES TO %s", name, older),
			apply: func(m *model) { m.defaults[name+" "+older] = true }}
	case kind == 5:
		return statement{roles: true, sql: fmt.Sprintf("ALTER DEFAULT PRIVILEGES FOR ROLE %s REVOKE SELECT ON TABLES FROM %s", name, older),
			apply: func(m *model) { delete(m.defaults, name+" "+older) }}
	}
	return statement{roles: true, sql: fmt.Sprintf("GRANT %s TO %s WITH ADMIN OPTION", older, name), apply: func(m *model) { m.members[older+" "+name] = true }}
}

// drawGrant draws a statement about the owner, the comments or the privileges of a table,
// or of a view.
func drawGrant(r *rand.Rand, m *model, prefix, name string, number int) statement {
	kind, columns := "TABLE", []string{"k", "v"}
	if t := m.tables[name]; len(t.extras) > 0 {
		columns = append(columns, t.extras[0].name())
	}
	if _, ok := m.views["v"+prefix]; ok && r.IntN(3) == 0 {
		kind, name, columns = "VIEW", "v"+prefix, []string{"k"}
	}
	grantees := append(m.rolesOf(prefix), "public")
	grantee, column := grantees[r.IntN(len(grantees))], columns[r.IntN(len(columns))]
	change := func(sql string, apply func(*governed)) statement {
		return statement{sql: sql, apply: func(m *model) { m.govern(name, apply) }}
	}
	owned := m.governed[name].owner == grantee
	switch n := r.IntN(7); {
	case n == 0:
		return change(fmt.Sprintf("COMMENT ON %s %s IS 'c%d'", kind, name, number), func(g *governed) { g.comments[""] = fmt.Sprint("c", number) })
	case n == 1:
		return change(fmt.Sprintf("COMMENT ON COLUMN %s.%s IS 'c%d'", name, column, number), func(g *governed) { g.comments[column] = fmt.Sprint("c", number) })
	case n == 2:
		return change(fmt.Sprintf("COMMENT ON COLUMN %s.%s IS NULL", name, column), func(g *governed) { delete(g.comments, column) })
	case n == 3 && grantee != "public":
		return change(fmt.Sprintf("ALTER %s %s OWNER TO %s", kind, name, grantee), func(g *governed) {
			g.owner = grantee
			maps.DeleteFunc(g.grants, func(key string, _ bool) bool { return strings.HasPrefix(key, grantee+" ") })
		})
	case n == 4 && !owned:
		return change(fmt.Sprintf("GRANT UPDATE (%s) ON %s TO %s", column, name, grantee), func(g *governed) {
			key := grantee + " UPDATE(" + column + ")"
			if _, granted := g.grants[key]; !granted {
				g.grants[key] = false // a grant keeps the option that there is
			}
		})
	case n == 5 && !owned && grantee != "public":
		return change(fmt.Sprintf("GRANT SELECT ON %s TO %s WITH GRANT OPTION", name, grantee), func(g *governed) { g.grants[grantee+" SELECT"] = true })
	case !owned:
		return change(fmt.Sprintf("REVOKE SELECT, UPDATE ON %s FROM %s", name, grantee), func(g *governed) {
			maps.DeleteFunc(g.grants, func(key string, _ bool) bool { return strings.HasPrefix(key, grantee+" ") })
		})
	}
	return change(fmt.Sprintf("COMMENT ON %s %s IS NULL", kind, name), func(g *governed) { delete(g.comments, "") })
}
