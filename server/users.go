package server

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/cubeloom/cubeloom"
)

// ImportUsers makes roles of the users of a file, as servers had before there were
// roles: one name:verifier a line. They may log in and create in the schema public.
// It returns their number.
func ImportUsers(ctx context.Context, db *cubeloom.DB, path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	type user struct{ name, verifier string }
	var users []user
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, verifier, ok := strings.Cut(line, ":")
		if !ok || name == "" {
			return 0, fmt.Errorf("%s:%d: want name:verifier", path, number)
		}
		if _, err := cubeloom.ParseVerifier(verifier); err != nil {
			return 0, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		users = append(users, user{name, verifier})
	}
	for _, u := range users {
		if err := db.AdmitRole(ctx, u.name); err != nil {
			return 0, fmt.Errorf("%s: user %s: %w", path, u.name, err)
		}
		err := db.ChangeRole(ctx, u.name, func(r *cubeloom.Role) error {
			r.Verifier = u.verifier
			return nil
		})
		if err != nil {
			return 0, fmt.Errorf("%s: user %s: %w", path, u.name, err)
		}
	}
	return len(users), nil
}
