//go:build reference

package tests

import (
	"context"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/cubeloom/cubeloom/tests/reference"
)

// clientPassword is the password of the user postgres in these tests.
const clientPassword = "pa ss"

// A realClient is a client library that the engine does not use itself, with a program
// that uses it as its users do and prints what it gets.
type realClient struct {
	name    string
	install string // how to get it
	// there fails where it is not installed.
	there []string
	// program runs the program, with TLS where that is set.
	program func(port string, tls bool) []string
}

// The folders of Debian's packages, and the Python that they are for.
const (
	pgjdbcJar    = "/usr/share/java/postgresql.jar"
	debianPython = "/usr/bin/python3"
)

var realClients = []realClient{
	{
		name: "psycopg", install: "apt-get install python3-psycopg",
		there: []string{debianPython, "-c", "import psycopg"},
		program: func(port string, tls bool) []string {
			return []string{debianPython, "clients/psycopg_client.py", "host=127.0.0.1 port=" + port + " dbname=postgres user=postgres password='" +
				clientPassword + "' sslmode=" + map[bool]string{false: "disable", true: "require"}[tls]}
		},
	},
	{
		name: "pgjdbc", install: "apt-get install default-jdk-headless libpostgresql-jdbc-java",
		there: []string{"sh", "-c", "java --list-modules | grep jdk.compiler && test -e " + pgjdbcJar},
		program: func(port string, tls bool) []string {
			return []string{"java", "-cp", pgjdbcJar, "clients/PgjdbcClient.java", "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&password=" +
				strings.ReplaceAll(clientPassword, " ", "%20") + "&sslmode=" + map[bool]string{false: "disable", true: "require"}[tls]}
		},
	},
	{
		name: "node-postgres", install: "npm install pg@8 pg-cursor@2, and NODE_PATH set to the node_modules that it makes",
		there: []string{"node", "-e", "require('pg'); require('pg-cursor')"},
		program: func(port string, tls bool) []string {
			return []string{"node", "clients/node_postgres_client.js", `{"host":"127.0.0.1","port":` + port + `,"database":"postgres","user":"postgres","password":"` +
				clientPassword + `","ssl":` + map[bool]string{false: "false", true: `{"rejectUnauthorized":false}`}[tls] + `}`}
		},
	},
	{
		name: "asyncpg", install: "apt-get install python3-asyncpg",
		there:   []string{debianPython, "-c", "import asyncpg"},
		program: byArguments(debianPython, "clients/asyncpg_client.py"),
	},
	{
		name: "SQLAlchemy", install: "apt-get install python3-sqlalchemy python3-psycopg2",
		there: []string{debianPython, "-c", "import sqlalchemy, psycopg2"},
		program: func(port string, tls bool) []string {
			return []string{debianPython, "clients/sqlalchemy_client.py", "postgresql://postgres:" + strings.ReplaceAll(clientPassword, " ", "%20") + "@127.0.0.1:" + port +
				"/postgres?sslmode=" + map[bool]string{false: "disable", true: "require"}[tls]}
		},
	},
	{
		name: "Django", install: "apt-get install python3-django python3-psycopg2",
		there:   []string{debianPython, "-c", "import django, psycopg2"},
		program: byArguments(debianPython, "-W", "ignore", "clients/django_client.py"),
	},
	{
		name: "Sequel and ActiveRecord", install: "apt-get install ruby-pg ruby-sequel ruby-activerecord",
		there:   []string{"ruby", "-W0", "-e", "require 'pg'; require 'sequel'; require 'active_record'"},
		program: byArguments("ruby", "-W0", "clients/ruby_client.rb"),
	},
	{
		name: "TypeORM and Sequelize", install: "npm install pg@8 typeorm@0.3 reflect-metadata@0.2 sequelize@6, and NODE_PATH set to the node_modules that it makes",
		there: []string{"node", "-e", "for (const name of ['typeorm', 'sequelize', 'reflect-metadata']) require.resolve(name)"},
		program: func(port string, tls bool) []string {
			return []string{"node", "clients/typeorm_client.js", `{"host":"127.0.0.1","port":` + port + `,"database":"postgres","user":"postgres","password":"` +
				clientPassword + `","ssl":` + map[bool]string{false: "false", true: `{"rejectUnauthorized":false}`}[tls] + `}`}
		},
	},
	{
		name: "GORM", install: "the Go module proxy",
		there:   []string{"go", "build", "-C", "clients/gorm", "-o", os.DevNull, "."},
		program: byArguments("go", "run", "-C", "clients/gorm", "."),
	},
}

// byArguments is a program whose last arguments are host, port and password; whether it
// uses TLS is for the client to find out.
func byArguments(command ...string) func(string, bool) []string {
	return func(port string, _ bool) []string {
		return append(slices.Clone(command), "127.0.0.1", port, clientPassword)
	}
}

// TestClientsAsWithPostgres runs the programs with PostgreSQL and with Cubeloom,
// there by TLS and with a password: they print the same.
func TestClientsAsWithPostgres(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	pg, err := reference.StartPostgres(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer pg.Close()
	theirs, ours := forward(t, filepath.Join(pg.Dir(), ".s.PGSQL.5432")), serveUsers(t)
	for _, c := range realClients {
		t.Run(c.name, func(t *testing.T) {
			if out, err := exec.CommandContext(ctx, c.there[0], c.there[1:]...).CombinedOutput(); err != nil {
				t.Fatalf("%s is not installed (%s): %v\n%s", c.name, c.install, err, out)
			}
			want := strings.Split(runClient(ctx, t, c.program(theirs, false)), "\n")
			got := strings.Split(runClient(ctx, t, c.program(ours, true)), "\n")
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Fatalf("from line %d on:\ngot\n%s\nwant\n%s", i+1, strings.Join(got[min(i, len(got)):], "\n"), strings.Join(want[min(i, len(want)):], "\n"))
				}
			}
		})
	}
}

// runClient returns what a client's program prints.
func runClient(ctx context.Context, t *testing.T, command []string) string {
	t.Helper()
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C.UTF-8")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, out, stderr.String())
	}
	return string(out)
}

// forward returns the port of a listener whose connections go on to a socket: some
// clients know none.
func forward(t *testing.T, socket string) (port string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer client.Close()
				behind, err := net.Dial("unix", socket)
				if err != nil {
					return
				}
				defer behind.Close()
				go io.Copy(behind, client)
				io.Copy(client, behind)
			}()
		}
	}()
	_, port, _ = net.SplitHostPort(l.Addr().String())
	return port
}

// serveUsers serves a new database with TLS to those with a password.
func serveUsers(t *testing.T) (port string) {
	t.Helper()
	certificate, err := server.SelfSigned(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	db, err := cubeloom.Open(cubeloom.Options{})
	if err != nil {
		t.Fatal(err)
	}
	verifier, err := cubeloom.PasswordVerifier(clientPassword)
	if err != nil {
		t.Fatal(err)
	}
	err = db.CreateRole(context.Background(), cubeloom.Role{Name: "postgres", Superuser: true, Login: true, Verifier: verifier, ConnectionLimit: -1})
	if err != nil {
		t.Fatal(err)
	}
	return listen(t, db, server.Config{DB: db, TLS: certificate})
}
