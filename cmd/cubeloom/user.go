package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// userFlags are the flags of the command user.
type userFlags struct {
	data      string
	connect   string
	superuser bool
	minLength int
}

// newUser makes the command user.
func newUser() *cobra.Command {
	var flags userFlags
	cmd := &cobra.Command{
		Use:   "user NAME",
		Short: "Give a role a password, and make the role where there is none",
		Long: `Asks for a password, or reads it from standard input, and sets it for the role, which
is made, and may log in and create tables, where there is none of that name. What is
kept is not the password but what checks it (SCRAM-SHA-256, as in PostgreSQL).

With --data it works on the database in that directory, whether a server has it open
or not: the owner of the directory needs no password. That is the way in for those who
are locked out, the superuser too. With --connect it works as a client of a server.`,
		Example: `  cubeloom user ana --data ./db
  cubeloom user root --data ./db --superuser < password.txt
  cubeloom user ana --connect postgres://root@db.example.com/`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return flags.run(cmd.Context(), args[0], stdio(cmd)) },
	}
	f := cmd.Flags()
	f.StringVar(&flags.data, "data", "", "directory that keeps the tables")
	f.StringVar(&flags.connect, "connect", "", "URL of a running server, with a superuser or a role that may create roles")
	f.BoolVar(&flags.superuser, "superuser", false, "make the role a superuser")
	f.IntVar(&flags.minLength, "min-password-length", cubeloom.DefaultMinPasswordLength, "characters that the password must have")
	cmd.MarkFlagsOneRequired("data", "connect")
	cmd.MarkFlagsMutuallyExclusive("data", "connect")
	return cmd
}

// run sets the password of the role.
func (f *userFlags) run(ctx context.Context, name string, io streams) (err error) {
	defer sqlstate.Catch(&err)
	if f.data != "" { // which a command that only looks for it must not make
		sqlstate.Must(os.Stat(f.data))
	}
	password := readPassword(io)
	if err := cubeloom.CheckPassword(password, f.minLength); err != nil {
		return fmt.Errorf("%w: at least %d characters", err, f.minLength)
	}
	verifier := sqlstate.Must(cubeloom.PasswordVerifier(password))
	conn := f.dial(ctx)
	if conn == nil {
		return f.change(ctx, name, verifier)
	}
	defer conn.Close(ctx)
	f.changeOver(ctx, conn, name, verifier)
	return nil
}

// dial connects to the server, nil where none has the data directory open.
func (f *userFlags) dial(ctx context.Context) *pgx.Conn {
	if f.connect != "" {
		return sqlstate.Must(pgx.Connect(ctx, f.connect))
	}
	path, dir, err := ownerSocket(f.data)
	sqlstate.Check(err)
	if dir != nil {
		defer dir.Close()
	}
	var dialer net.Dialer
	nc, err := dialer.DialContext(ctx, "unix", path)
	if err != nil {
		return nil // the directory says so where it is open all the same
	}
	config := sqlstate.Must(pgx.ParseConfig("sslmode=disable host=localhost database=cubeloom"))
	config.User = "pg_owner" // which is no role's name, so that it is the superuser who comes
	config.DialFunc = func(context.Context, string, string) (net.Conn, error) { return nc, nil }
	return sqlstate.Must(pgx.ConnectConfig(ctx, config))
}

// change changes the role of a database that no server has open.
func (f *userFlags) change(ctx context.Context, name, verifier string) error {
	db, err := cubeloom.Open(cubeloom.Options{DataDir: f.data, Device: "cpu"})
	if err != nil {
		return err
	}
	err = db.AdmitRole(ctx, name)
	if err == nil {
		err = db.ChangeRole(ctx, name, func(r *cubeloom.Role) error {
			r.Verifier, r.Login, r.Superuser = verifier, true, r.Superuser || f.superuser
			return nil
		})
	}
	return errors.Join(err, db.Close())
}

// changeOver changes the role over a connection.
func (f *userFlags) changeOver(ctx context.Context, conn *pgx.Conn, name, verifier string) {
	options := "LOGIN"
	if f.superuser {
		options += " SUPERUSER"
	}
	quoted := pgx.Identifier{name}.Sanitize()
	_, err := conn.PgConn().Exec(ctx, fmt.Sprintf("ALTER ROLE %s %s PASSWORD '%s'", quoted, options, verifier)).ReadAll()
	var e *pgconn.PgError
	if errors.As(err, &e) && e.Code == "42704" { // there is none
		_, err = conn.PgConn().Exec(ctx, fmt.Sprintf("CREATE ROLE %s %s PASSWORD '%s'; GRANT CREATE ON SCHEMA public TO %[1]s",
			quoted, options, verifier)).ReadAll()
	}
	sqlstate.Check(err)
}

// readPassword reads a line, which a terminal does not show.
func readPassword(s streams) string {
	if f, ok := s.in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(s.err, "Password: ")
		text, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(s.err)
		sqlstate.Check(err)
		return string(text)
	}
	line, err := bufio.NewReader(s.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		panic(err)
	}
	if line = strings.TrimRight(line, "\r\n"); line == "" {
		panic(errors.New("the password is empty"))
	}
	return line
}
