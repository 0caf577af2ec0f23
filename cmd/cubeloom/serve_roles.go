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
)

// firstStart makes the superuser what the flags say, and roles of the users of an older
// version, while no role has a password. Later it only says that it does not.
func (s *service) firstStart(ctx context.Context) error {
	if s.db.HasUsers() {
		if s.flags.users != "" {
			s.log.Warn("--users is not read: its users became roles at an earlier start, and 'cubeloom user' works on those", "file", s.flags.users)
		}
		return nil
	}
	if s.flags.users != "" {
		n, err := server.ImportUsers(ctx, s.db, s.flags.users)
		if err != nil {
			return err
		}
		s.log.Info("the users of --users are roles now, and the file is needed no more; tables that were there belong to the superuser, who may GRANT",
			"file", s.flags.users, "roles", n)
	}
	boot, err := s.nameSuperuser(ctx)
	if err != nil {
		return err
	}
	if err := s.superuserPassword(ctx, boot); err != nil {
		return err
	}
	if role := s.db.Role(boot); role.Verifier == "" {
		s.sayNoPassword(boot)
	}
	return nil
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
func (s *service) nameSuperuser(ctx context.Context) (string, error) {
	boot := ""
	for _, role := range s.db.Roles() {
		if uint32(role.OID) == cubeloom.BootstrapRole {
			boot = role.Name
		}
	}
	name := s.flags.superuser
	if name == "" || name == boot {
		return boot, nil
	}
	change := func(r *cubeloom.Role) error { r.Name = name; return nil }
	from := boot
	if s.db.Role(name) != nil {
		from, change = name, func(r *cubeloom.Role) error { r.Superuser = true; return nil }
	}
	if err := s.db.ChangeRole(ctx, from, change); err != nil {
		return "", fmt.Errorf("--superuser: %w", err)
	}
	s.log.Info("superuser made", "name", name)
	return name, nil
}

// superuserPassword sets the password of a superuser who has none to that of a file.
func (s *service) superuserPassword(ctx context.Context, name string) error {
	if s.flags.superuserPassword == "" || s.db.Role(name).Verifier != "" {
		return nil
	}
	text, err := os.ReadFile(s.flags.superuserPassword)
	if err != nil {
		return fmt.Errorf("--superuser-password-file: %w", err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	password := strings.TrimRight(line, "\r")
	if password == "" {
		return errors.New("--superuser-password-file: the first line is empty")
	}
	if err := cubeloom.CheckPassword(password, s.flags.minPassword); err != nil {
		return fmt.Errorf("--superuser-password-file: %w", err)
	}
	verifier, err := cubeloom.PasswordVerifier(password)
	if err != nil {
		return err
	}
	return s.db.ChangeRole(ctx, name, func(r *cubeloom.Role) error { r.Verifier = verifier; return nil })
}
