package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
)

// connectAs opens a connection that the test closes at its end.
func connectAs(t testing.TB, address, who string) (*pgx.Conn, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, "postgres://"+who+"@"+address+"/db")
	if err == nil {
		t.Cleanup(func() { conn.Close(context.Background()) })
	}
	return conn, err
}

// mustCome fails where a login does.
func mustCome(t testing.TB, address, who string) *pgx.Conn {
	t.Helper()
	conn, err := connectAs(t, address, who)
	if err != nil {
		t.Fatalf("%s: %v", who, err)
	}
	return conn
}

// mustStay fails where a login does not fail with an SQLSTATE.
func mustStay(t testing.TB, address, who, code string) {
	t.Helper()
	var e *pgconn.PgError
	if _, err := connectAs(t, address, who); !errors.As(err, &e) || e.Code != code {
		t.Errorf("%s: got %v, want %s", who, err, code)
	}
}

// byOwner opens a connection by the socket in a data directory.
func byOwner(t testing.TB, data, name string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), "host="+data+" user="+name+" database=db")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// TestUsersBecomeRoles starts a server with the users file of an older version: its users
// are roles then, once and for all.
func TestUsersBecomeRoles(t *testing.T) {
	dir := t.TempDir()
	users, data := filepath.Join(dir, "users"), filepath.Join(dir, "db")
	verifier, err := cubeloom.PasswordVerifier("secret of ana")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(users, []byte("# users\n\nana:"+verifier+"\nbob:"+verifier+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, address := serveProcess(t, "--data", data, "--users", users, "--superuser", "ana")
	server.out.find(t, `(the users of --users are roles now)`)
	ana := mustCome(t, address, "ana:secret%20of%20ana")
	mustCome(t, address, "bob:secret%20of%20ana")
	mustStay(t, address, "ana:wrong", "28P01")
	mustStay(t, address, "eve", "28P01")
	var super string
	if err := ana.QueryRow(context.Background(), "SHOW is_superuser").Scan(&super); err != nil || super != "on" {
		t.Errorf("is_superuser is %q, %v", super, err)
	}
	server.signal(t, syscall.SIGTERM)
	if status := server.wait(t, 20*time.Second); status != 0 {
		t.Errorf("exit status %d", status)
	}
	if err := os.WriteFile(users, []byte("eve:"+verifier+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, address = serveProcess(t, "--data", data, "--users", users)
	server.out.find(t, `(--users is not read)`)
	mustCome(t, address, "bob:secret%20of%20ana")
	mustStay(t, address, "eve:secret%20of%20ana", "28P01")
	for _, text := range []string{"ana", "ana:x", "ana:SCRAM-SHA-256$x:eA==$eA==:eA==", ":SCRAM"} {
		if err := os.WriteFile(users, []byte("\n"+text), 0o600); err != nil {
			t.Fatal(err)
		}
		p := run(t, "", "serve", "--listen", "127.0.0.1:0", "--users", users)
		if status := p.wait(t, 20*time.Second); status != 1 || !strings.Contains(p.out.String(), users+":2: ") {
			t.Errorf("%q: exit status %d, %s", text, status, p.out.String())
		}
	}
}

// TestUser gives roles passwords by the command, in a database that no server has open
// and in one that is served, by the directory and as a client.
func TestUser(t *testing.T) {
	data := filepath.Join(t.TempDir(), strings.Repeat("a long name ", 9)) // too long for a socket
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	user := func(password string, args ...string) (status int, out string) {
		p := run(t, password+"\n", append([]string{"user"}, args...)...)
		return p.wait(t, 20*time.Second), p.out.String()
	}
	for _, c := range []struct {
		password string
		args     []string
		want     string
	}{
		{"1234567", []string{"ana", "--data", data}, "password is too short"},
		{"", []string{"ana", "--data", data}, "the password is empty"},
		{"password", []string{"ana", "--data", data + "x"}, "no such file"},
		{"password", []string{"pg_ana", "--data", data}, `role name "pg_ana" is reserved`},
		{"password", []string{"ana"}, "data connect"},
	} {
		if status, out := user(c.password, c.args...); status != 1 || !strings.Contains(out, c.want) {
			t.Errorf("%v: %d, %s", c.args, status, out)
		}
	}
	if status, out := user("password 1", "root", "--data", data, "--superuser"); status != 0 {
		t.Fatal(out)
	}
	_, address := serveProcess(t, "--data", data)
	mustCome(t, address, "root:password%201")
	mustStay(t, address, "cubeloom", "28P01")
	for _, c := range [][]string{
		{"ana", "--data", data}, {"ana", "--connect", "postgres://root:password%202@" + address}, {"root", "--data", data},
	} {
		if status, out := user("password 2", c...); status != 0 {
			t.Errorf("%v: %s", c, out)
		}
		if c[0] == "ana" {
			mustCome(t, address, "ana:password%202")
			user("password 2", "root", "--data", data)
		}
	}
	mustCome(t, address, "root:password%202")
	mustStay(t, address, "root:password%201", "28P01")
}

// TestOwner comes in by the socket in the data directory, also when nobody else can.
func TestOwner(t *testing.T) {
	data := filepath.Join(t.TempDir(), "db")
	rules := filepath.Join(t.TempDir(), "rules")
	if err := os.WriteFile(rules, []byte("host all all all reject\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, address := serveProcess(t, "--data", data, "--rules", rules, "--superuser", "boss")
	server.out.find(t, `(superuser boss has no password)`)
	mustStay(t, address, "boss", "28000")
	for _, name := range []string{"boss", "whoever"} {
		var user, super string
		if err := byOwner(t, data, name).QueryRow(context.Background(), "SELECT current_user, current_setting('is_superuser')").Scan(&user, &super); err != nil || user != "boss" || super != "on" {
			t.Errorf("%s: %q, %q, %v", name, user, super, err)
		}
	}
	for name, mode := range map[string]os.FileMode{".s.PGSQL.5432": 0o600, "server.key": 0o600, "server.secret": 0o600, ".": 0o700} {
		if info, err := os.Stat(filepath.Join(data, name)); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	server.signal(t, syscall.SIGKILL)
	server.wait(t, 20*time.Second)
	serveProcess(t, "--data", data) // in spite of the socket that is left
	byOwner(t, data, "boss")
}

// TestListenBeyondThisMachine is refused while no role has a password.
func TestListenBeyondThisMachine(t *testing.T) {
	p := run(t, "", "serve", "--listen", "0.0.0.0:0")
	if status := p.wait(t, 20*time.Second); status != 1 || !strings.Contains(p.out.String(), "no role has a password: give one with 'cubeloom user NAME --data DIR'") {
		t.Errorf("%d, %s", status, p.out.String())
	}
	password := filepath.Join(t.TempDir(), "password")
	if err := os.WriteFile(password, []byte("a password\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := run(t, "", "serve", "--listen", "0.0.0.0:0", "--superuser", "ana", "--superuser-password-file", password)
	_, port, err := net.SplitHostPort(server.out.find(t, `listening at (\S+)`))
	if err != nil {
		t.Fatal(err)
	}
	mustCome(t, "127.0.0.1:"+port, "ana:a%20password")
	mustStay(t, "127.0.0.1:"+port, "ana", "28P01")
}

// TestHangup changes what the files of the flags say and sends SIGHUP.
func TestHangup(t *testing.T) {
	dir := t.TempDir()
	rules, config := filepath.Join(dir, "rules"), filepath.Join(dir, "config")
	write := func(file, text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(rules, "host all ana all trust\n")
	write(config, "# limits\nmax-connections = 2\nlisten = nowhere:1\nset = statement_timeout=70s\n")
	server, address := serveProcess(t, "--rules", rules, "--config", config)
	admin := func(p *process) { mustStay(t, address, "ana", "28000") }
	admin(server) // there is no such role
	write(rules, "host all ana all reject\nhost all all all trust\n")
	write(config, "max-connections = 0")
	server.signal(t, syscall.SIGHUP)
	server.out.find(t, `(everything stays as it was" error="--max-connections must be at least 1)`)
	write(config, "max-connections = x")
	server.signal(t, syscall.SIGHUP)
	server.out.find(t, `(everything stays as it was" error="`+config+`:1: )`)
	write(config, "max-connections = 7")
	write(rules, "nonsense")
	server.signal(t, syscall.SIGHUP)
	server.out.find(t, `(everything stays as it was" error="`+rules+`:1: )`)
	write(rules, "host all ana all reject\nhost all all all scram-sha-256\n")
	server.signal(t, syscall.SIGHUP)
	server.out.find(t, `(msg="reloaded .* max-connections=7 )`)
	_, err := connectAs(t, address, "ana")
	if err == nil || !strings.Contains(err.Error(), "the rule in line 1 rejects") {
		t.Errorf("got %v", err)
	}
	mustStay(t, address, "bob:x", "28P01")
}

// TestStopInTime ends the server while a statement runs, one waits for its client, and
// clients do not read, and then at once by a second signal.
func TestStopInTime(t *testing.T) {
	for _, twice := range []bool{false, true} {
		t.Run(fmt.Sprint(twice), func(t *testing.T) {
			timeout := "700ms"
			if twice {
				timeout = "10m"
			}
			server, address := serveProcess(t, "--stop-timeout", timeout)
			conn := mustCome(t, address, "worker")
			if _, err := conn.Exec(context.Background(), "CREATE TABLE n AS SELECT i FROM generate_series(1, 1000) s(i)"); err != nil {
				t.Fatal(err)
			}
			for _, text := range []string{endless, "COPY n FROM STDIN", "SELECT a.i, repeat('x', 100) FROM n a, n b"} {
				conn := mustCome(t, address, "worker")
				conn.PgConn().Frontend().SendQuery(&pgproto3.Query{String: text})
				if err := conn.PgConn().Frontend().Flush(); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(300 * time.Millisecond)
			began, want := time.Now(), 1
			server.signal(t, syscall.SIGTERM)
			server.out.find(t, `(stopping)`)
			if twice {
				server.signal(t, syscall.SIGTERM)
				want = 128 + int(syscall.SIGTERM)
			} else {
				want = 0
			}
			status := server.wait(t, 20*time.Second)
			if took := time.Since(began); status != want || took > 6*time.Second {
				t.Errorf("status %d after %v", status, took)
			}
		})
	}
}
