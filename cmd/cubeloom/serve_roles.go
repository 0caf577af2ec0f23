package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// firstStart makes the superuser what the flags say, and roles of the users of an older
// version, while no role has a password. Later it only says that it does not.
func (s *service) firstStart(ctx context.Context) {
	if s.db.HasUsers() {
		if s.flags.users != "" {
			s.log.Warn("--users is not read: its users became roles at an earlier start, and 'cubeloom user' works on those", "file", s.flags.users)
		}
		return
	}
	if s.flags.users != "" {
		n := sqlstate.Must(server.ImportUsers(ctx, s.db, s.flags.users))
		s.log.Info("the users of --users are roles now, and the file is needed no more; tables that were there belong to the superuser, who may GRANT",
			"file", s.flags.users, "roles", n)
	}
	boot := s.nameSuperuser(ctx)
	s.superuserPassword(ctx, boot)
	if role := s.db.Role(boot); role.Verifier == "" {
		s.sayNoPassword(boot)
	}
}

// sayNoPassword prints how the superuser gets in.
func (s *service) sayNoPassword(name string) {
	if s.dataDir == "" {
		fmt.Fprintf(s.io.out, "superuser %s has no password and does not come in; --superuser-password-file gives one\n", name)
		return
	}
	dir, err := filepath.Abs(s.dataDir)
	if err != nil {
		dir = s.dataDir
	}
	fmt.Fprintf(s.io.out, "superuser %s has no password; 'cubeloom user %s --data %s' gives one, 'psql -h %s -U %s' comes in without\n", name, name, s.dataDir, dir, name)
}

// nameSuperuser renames the bootstrap superuser as --superuser says, or makes a role of
// that name a superuser, and returns the name.
func (s *service) nameSuperuser(ctx context.Context) string {
	boot := ""
	for _, role := range s.db.Roles() {
		if uint32(role.OID) == cubeloom.BootstrapRole {
			boot = role.Name
		}
	}
	name := s.flags.superuser
	if name == "" || name == boot {
		return boot
	}
	change := func(r *cubeloom.Role) error { r.Name = name; return nil }
	from := boot
	if s.db.Role(name) != nil {
		from, change = name, func(r *cubeloom.Role) error { r.Superuser = true; return nil }
	}
	if err := s.db.ChangeRole(ctx, from, change); err != nil {
		panic(fmt.Errorf("--superuser: %w", err))
	}
	s.log.Info("superuser made", "name", name)
	return name
}

// superuserPassword sets the password of a superuser who has none to that of a file.
func (s *service) superuserPassword(ctx context.Context, name string) {
	if s.flags.superuserPassword == "" || s.db.Role(name).Verifier != "" {
		return
	}
	text, err := os.ReadFile(s.flags.superuserPassword)
	if err != nil {
		panic(fmt.Errorf("--superuser-password-file: %w", err))
	}
	line, _, _ := strings.Cut(string(text), "\n")
	password := strings.TrimRight(line, "\r")
	if password == "" {
		panic(errors.New("--superuser-password-file: the first line is empty"))
	}
	if err := cubeloom.CheckPassword(password, s.flags.minPassword); err != nil {
		panic(fmt.Errorf("--superuser-password-file: %w", err))
	}
	verifier := sqlstate.Must(cubeloom.PasswordVerifier(password))
	sqlstate.Check(s.db.ChangeRole(ctx, name, func(r *cubeloom.Role) error { r.Verifier = verifier; return nil }))
}
