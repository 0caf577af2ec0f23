package sql

import "strings"

// roleStatement writes the statements about roles and privileges.
func (f *formatter) roleStatement(s Statement) {
	switch s := s.(type) {
	case *CreateRole:
		f.put("create ", s.Kind, " ", quoteName(s.Name.Name))
		f.roleOptions(s.Options)
	case *AlterRole:
		f.alterRole(s)
	case *RenameRole:
		f.put("alter role ", quoteName(s.From.Name), " rename to ", quoteName(s.To.Name))
	case *AlterRoleSet:
		f.alterRoleSet(s)
	case *DropRole:
		f.put("drop role ")
		f.putIf(s.IfExists, "if exists ")
		f.roles(s.Roles)
	case *DropOwned:
		f.put("drop owned by ")
		f.roles(s.Roles)
		f.putIf(s.Cascade, " cascade")
	case *ReassignOwned:
		f.put("reassign owned by ")
		f.roles(s.Roles)
		f.put(" to ")
		f.role(s.To)
	case *GrantRole:
		f.grantRole(s)
	case *Grant:
		f.grant(s)
	case *DefaultPrivileges:
		f.defaultPrivileges(s)
	case *RenameSchema:
		f.put("alter schema ", quoteName(s.From.Name), " rename to ", quoteName(s.To.Name))
	case *AlterOwner:
		f.put("alter ", s.Kind, " ", quoteName(s.Name.Name), " owner to ")
		f.role(s.To)
	}
}

func (f *formatter) role(r RoleRef) {
	if r.Word != "" {
		f.put(r.Word)
		return
	}
	f.put(quoteName(r.Name))
}

func (f *formatter) roles(list []RoleRef) { f.each(len(list), func(i int) { f.role(list[i]) }) }

func (f *formatter) roleOptions(list []RoleOption) {
	for _, o := range list {
		f.put(" ")
		switch {
		case roleSwitches[o.Name]:
			f.putIf(!o.On, "no")
			f.put(o.Name)
		case o.Null:
			f.put("password null")
		case o.Roles != nil:
			f.put(o.Name, " ")
			f.roles(o.Roles)
		case o.Name == "connection limit":
			f.put(o.Name, " ", o.Text)
		default:
			f.put(o.Name, " ", quoteString(o.Text))
		}
	}
}

func (f *formatter) alterRole(s *AlterRole) {
	if !s.Group {
		f.put("alter role ")
		f.role(s.Role)
		f.roleOptions(s.Options)
		return
	}
	f.put("alter group ")
	f.role(s.Role)
	f.putIf(s.Options[0].On, " add user ")
	f.putIf(!s.Options[0].On, " drop user ")
	f.roles(s.Options[0].Roles)
}

func (f *formatter) alterRoleSet(s *AlterRoleSet) {
	switch {
	case s.Owner:
		f.put("alter database ", quoteName(s.Database.Name))
	case s.Role == nil:
		f.put("alter role all")
	default:
		f.put("alter role ")
		f.role(*s.Role)
	}
	if s.Database.Name != "" && !s.Owner {
		f.put(" in database ", quoteName(s.Database.Name))
	}
	f.put(" ")
	if s.Set.Default && !s.Set.Reset {
		f.put("set ")
		f.setting(s.Set.Name)
		f.put(" to default")
		return
	}
	f.set(s.Set)
	f.putIf(s.Limit, " limit")
}

func (f *formatter) grantRole(s *GrantRole) {
	verb, preposition := grantWords(s.Revoke)
	f.put(verb)
	f.putIf(s.Revoke && s.Admin, "admin option for ")
	f.each(len(s.Roles), func(i int) { f.put(quoteName(s.Roles[i].Name)) })
	f.put(preposition)
	f.roles(s.Members)
	f.putIf(!s.Revoke && s.Admin, " with admin option")
	f.grantedBy(s.GrantedBy, s.Cascade)
}

// grantWords are the words of GRANT or REVOKE.
func grantWords(revoke bool) (verb, preposition string) {
	if revoke {
		return "revoke ", " from "
	}
	return "grant ", " to "
}

func (f *formatter) grantedBy(by *RoleRef, cascade bool) {
	if by != nil {
		f.put(" granted by ")
		f.role(*by)
	}
	f.putIf(cascade, " cascade")
}

func (f *formatter) grant(s *Grant) {
	f.granted(s)
	if s.All {
		f.put("all ", s.On, "s in schema ")
	} else {
		f.put(s.On, " ")
	}
	f.each(len(s.Names), func(i int) {
		f.name(s.Names[i])
		if s.Args != nil && s.Args[i] != nil {
			f.put("(")
			f.each(len(s.Args[i]), func(k int) { f.typeName(s.Args[i][k]) })
			f.put(")")
		}
	})
	f.toGrantees(s)
}

// granted writes GRANT or REVOKE with the privileges, up to ON.
func (f *formatter) granted(s *Grant) {
	verb, _ := grantWords(s.Revoke)
	f.put(verb)
	f.putIf(s.Revoke && s.Option, "grant option for ")
	f.each(len(s.Privileges), func(i int) {
		p := s.Privileges[i]
		f.put(quotePrivilege(p.Name))
		f.columns(p.Columns)
	})
	f.put(" on ")
}

// quotePrivilege quotes a privilege's name unless it reads back as it is.
func quotePrivilege(name string) string {
	if strings.Contains(" all select references create ", " "+name+" ") {
		return name
	}
	return quoteName(name)
}

func (f *formatter) toGrantees(s *Grant) {
	_, preposition := grantWords(s.Revoke)
	f.put(preposition)
	f.roles(s.Grantees)
	f.putIf(!s.Revoke && s.Option, " with grant option")
	f.grantedBy(s.GrantedBy, s.Cascade)
}

func (f *formatter) defaultPrivileges(s *DefaultPrivileges) {
	f.put("alter default privileges ")
	if s.Roles != nil {
		f.put("for role ")
		f.roles(s.Roles)
		f.put(" ")
	}
	if s.Schemas != nil {
		f.put("in schema ")
		f.each(len(s.Schemas), func(i int) { f.put(quoteName(s.Schemas[i].Name)) })
		f.put(" ")
	}
	f.granted(s.Grant)
	f.put(s.Grant.On, "s")
	f.toGrantees(s.Grant)
}
