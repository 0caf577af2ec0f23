package server_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgproto3/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/xdg-go/scram"
)

// role makes a role with a password, "" for none, and what change says.
func role(t testing.TB, db *cubeloom.DB, name, password string, change func(*cubeloom.Role)) {
	t.Helper()
	r := cubeloom.Role{Name: name, Login: true, Inherit: true, ConnectionLimit: -1}
	if password != "" {
		var err error
		if r.Verifier, err = cubeloom.PasswordVerifier(password); err != nil {
			t.Fatal(err)
		}
	}
	if change != nil {
		change(&r)
	}
	if err := db.CreateRole(context.Background(), r); err != nil {
		t.Fatal(err)
	}
}

// logIn opens a connection and closes it, and gives the error of it.
func logIn(address, user, more string) error {
	conn, err := pgx.Connect(context.Background(), "postgres://"+user+"@"+address+"/db?"+more)
	if err == nil {
		conn.Close(context.Background())
	}
	return err
}

func TestPasswords(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		role(t, c.DB, "ana", "sécret", nil)
		role(t, c.DB, "late", "secret", func(r *cubeloom.Role) { r.ValidUntil = new(int64) })
		role(t, c.DB, "locked", "secret", func(r *cubeloom.Role) { r.Login = false })
		role(t, c.DB, "mute", "", nil)
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	})
	for _, mode := range []string{"sslmode=disable", "sslmode=require", "sslmode=require&channel_binding=require"} {
		if err := logIn(address, "ana:s%C3%A9cret", mode); err != nil {
			t.Errorf("%s: %v", mode, err)
		}
	}
	for who, code := range map[string]string{
		"ana:wrong": "28P01", "eve:secret": "28P01", "late:secret": "28P01", "mute:x": "28P01", "cubeloom:x": "28P01", "locked:secret": "28000",
	} {
		wantCode(t, logIn(address, who, "sslmode=disable"), code)
	}
	if err := logIn(address, "ana:s%C3%A9cret", "sslmode=disable&channel_binding=require"); err == nil {
		t.Error("channel binding without TLS")
	}
}

// TestStrangersOnThisMachine lets in every user while no role has a password, but
// superusers.
func TestStrangersOnThisMachine(t *testing.T) {
	var db *cubeloom.DB
	address, _ := start(t, func(c *server.Config) { db = c.DB })
	conn := connect(t, address, "")
	if got, err := simple(conn, "SELECT current_user"); got != "ana\nSELECT 1\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	if r := db.Role("ana"); r == nil || r.Superuser || !r.Login {
		t.Errorf("got %+v", r)
	}
	wantCode(t, logIn(address, "cubeloom", "sslmode=disable"), "28000")
	role(t, db, "bob", "secret", nil)
	wantCode(t, logIn(address, "ana", "sslmode=disable"), "28P01")
	if err := logIn(address, "bob:secret", "sslmode=disable"); err != nil {
		t.Error(err)
	}
}

// TestLimitsOfConnections has roles with limits, and places for superusers.
func TestLimitsOfConnections(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		c.MaxConnections = 3
		role(t, c.DB, "ana", "secret", func(r *cubeloom.Role) { r.ConnectionLimit = 2 })
		role(t, c.DB, "bob", "secret", nil)
		role(t, c.DB, "root", "secret", func(r *cubeloom.Role) { r.Superuser = true })
	})
	open := func(user string) error {
		conn, err := pgx.Connect(context.Background(), "postgres://"+user+":secret@"+address+"/db?sslmode=disable")
		if err == nil {
			t.Cleanup(func() { conn.Close(context.Background()) })
		}
		return err
	}
	for _, c := range []struct{ user, want string }{
		{"ana", ""}, {"ana", ""}, {"ana", `too many connections for role "ana"`}, {"bob", ""}, {"bob", "sorry, too many clients already"},
		{"root", ""}, {"root", ""}, {"root", ""}, {"root", "sorry, too many clients already"},
	} {
		err := open(c.user)
		if c.want == "" && err != nil {
			t.Fatalf("%s: %v", c.user, err)
		}
		if c.want != "" {
			wantCode(t, err, "53300")
			if err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", c.user, err)
			}
		}
	}
}

// TestSettingsOfRoles starts a session with the settings of its role, before those of the
// client and behind those of the server.
func TestSettingsOfRoles(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		c.Settings = map[string]string{"statement_timeout": "7s", "lock_timeout": "7s"}
		role(t, c.DB, "ana", "secret", nil)
		runAsOwner(t, c.DB, "ALTER ROLE ana SET statement_timeout = '8s'", "ALTER ROLE ana SET timezone = 'Asia/Tokyo'",
			"ALTER ROLE ana SET application_name = 'of the role'")
	})
	conn, err := pgx.Connect(context.Background(), "postgres://ana:secret@"+address+"/db?sslmode=disable&application_name=mine")
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	got, err := simple(conn, "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'), current_setting('timezone'), current_setting('application_name')")
	if got != "8s|7s|Asia/Tokyo|mine\nSELECT 1\n" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
}

// TestConnectPrivilege keeps a role out that may not connect to the database.
func TestConnectPrivilege(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		role(t, c.DB, "ana", "secret", nil)
		role(t, c.DB, "bob", "secret", nil)
		runAsOwner(t, c.DB, "REVOKE CONNECT ON DATABASE cubeloom FROM PUBLIC", "GRANT CONNECT ON DATABASE cubeloom TO bob")
	})
	if err := logIn(address, "bob:secret", "sslmode=disable"); err != nil {
		t.Error(err)
	}
	err := logIn(address, "ana:secret", "sslmode=disable")
	wantCode(t, err, "42501")
	if err != nil && !strings.Contains(err.Error(), `permission denied for database "db"`) {
		t.Errorf("got %v", err)
	}
}

// runAsOwner runs statements in a session of the bootstrap superuser.
func runAsOwner(t *testing.T, db *cubeloom.DB, statements ...string) {
	t.Helper()
	s := db.Session()
	defer s.Close()
	for _, text := range statements {
		if _, err := s.Query(context.Background(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// TestLongNames cuts names as PostgreSQL does, and refuses those that are no text.
func TestLongNames(t *testing.T) {
	address, _ := start(t, func(c *server.Config) { role(t, c.DB, strings.Repeat("é", 31), "secret", nil) })
	if err := logIn(address, strings.Repeat("%C3%A9", 40)+":secret", "sslmode=disable"); err != nil {
		t.Error(err)
	}
	r := connectRaw(t, address)
	r.say(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "\xff"}})
	msg, err := r.Receive()
	if e, ok := msg.(*pgproto3.ErrorResponse); err != nil || !ok || e.Code != "22021" {
		t.Errorf("got %#v, %v", msg, err)
	}
}

// TestScramMessages sends first messages that do not fit the mechanism or the
// connection.
func TestScramMessages(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		role(t, c.DB, "ana", "secret", nil)
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	})
	for _, c := range []struct {
		secure                bool
		mechanism, data, want string
	}{
		{false, "SCRAM-SHA-1", "n,,n=,r=abc", "08P01 client selected an invalid SASL authentication mechanism"},
		{false, "SCRAM-SHA-256-PLUS", "p=tls-server-end-point,,n=,r=abc", "08P01 client selected an invalid SASL authentication mechanism"},
		{false, "SCRAM-SHA-256", "p=tls-server-end-point,,n=,r=abc", "08P01 malformed SCRAM message"},
		{false, "SCRAM-SHA-256", "y,,n=,r=abc", ""}, // which it may: no PLUS was offered
		{true, "SCRAM-SHA-256", "y,,n=,r=abc", "28000 SCRAM channel binding negotiation error"},
		{true, "SCRAM-SHA-256", "n,,n=,r=abc", ""},
		{true, "SCRAM-SHA-256-PLUS", "n,,n=,r=abc", "08P01 malformed SCRAM message"},
		{true, "SCRAM-SHA-256-PLUS", "p=tls-unique,,n=,r=abc", `08P01 unsupported SCRAM channel-binding type "tls-unique"`},
		{true, "SCRAM-SHA-256-PLUS", "p=tls-server-end-point,,n=,r=abc", ""},
		{true, "SCRAM-SHA-256", "n,a=cubeloom,n=,r=abc", "0A000 client uses authorization identity, but it is not supported"},
		{true, "SCRAM-SHA-256", "", "08P01 malformed SCRAM message"},
	} {
		r := connectRaw(t, address)
		if c.secure {
			r = r.secured()
		}
		r.say(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "ana"}})
		if _, err := r.Receive(); err != nil {
			t.Fatal(err)
		}
		r.say(&pgproto3.SASLInitialResponse{AuthMechanism: c.mechanism, Data: []byte(c.data)})
		msg, err := r.Receive()
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if e, ok := msg.(*pgproto3.ErrorResponse); ok {
			got = e.Code + " " + e.Message
		}
		if !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: got %q", c, got)
		}
	}
}

// TestBindingOfAnother sends the proof of a connection to another certificate's.
func TestBindingOfAnother(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		role(t, c.DB, "ana", "secret", nil)
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
	})
	r := connectRaw(t, address).secured()
	r.say(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": "ana"}})
	if _, err := r.Receive(); err != nil {
		t.Fatal(err)
	}
	conv := boundConversation(t, "secret", []byte("the hash of another certificate."))
	first, err := conv.Step("")
	if err != nil {
		t.Fatal(err)
	}
	r.say(&pgproto3.SASLInitialResponse{AuthMechanism: "SCRAM-SHA-256-PLUS", Data: []byte(first)})
	msg, err := r.Receive()
	if err != nil {
		t.Fatal(err)
	}
	second, err := conv.Step(string(msg.(*pgproto3.AuthenticationSASLContinue).Data))
	if err != nil {
		t.Fatal(err)
	}
	r.say(&pgproto3.SASLResponse{Data: []byte(second)})
	if msg, err = r.Receive(); err != nil {
		t.Fatal(err)
	}
	if e, ok := msg.(*pgproto3.ErrorResponse); !ok || e.Code != "28000" || e.Message != "SCRAM channel binding check failed" {
		t.Errorf("got %#v", msg)
	}
}

// TestFailedLoginsSlowTheirMaker guesses passwords from one address: the guesses become
// few, and others log in at once.
func TestFailedLoginsSlowTheirMaker(t *testing.T) {
	address, _ := start(t, func(c *server.Config) {
		role(t, c.DB, "ana", "secret", nil)
		role(t, c.DB, "bob", "secret", nil)
	})
	stop := make(chan struct{})
	guessed := make(chan map[string]int)
	go func() { guessed <- guess(address, "ana", stop) }()
	deadline := time.Now().Add(3 * time.Second)
	for time.Now().Before(deadline) {
		began := time.Now()
		if err := logIn(address, "bob:secret", "sslmode=disable"); err != nil || time.Since(began) > raceFactor*time.Second {
			t.Errorf("bob: %v after %v", err, time.Since(began))
		}
		if err := logInFrom("127.0.0.2", address, "ana:secret"); err != nil {
			t.Errorf("ana from elsewhere: %v", err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	close(stop)
	if got := <-guessed; got["28P01"] > 12 || got["28000"] == 0 || got[""] > 0 {
		t.Errorf("the guesses ended so: %v", got)
	}
}

// secured goes on under TLS.
func (r *raw) secured() *raw {
	r.t.Helper()
	r.nc.Write([]byte("\x00\x00\x00\x08\x04\xd2\x16\x2f"))
	if _, err := r.nc.Read(make([]byte, 1)); err != nil {
		r.t.Fatal(err)
	}
	nc := tls.Client(r.nc, &tls.Config{InsecureSkipVerify: true})
	return &raw{r.t, nc, pgproto3.NewFrontend(pgproto3.NewChunkReader(nc), nc)}
}

// boundConversation is a client's side of SCRAM, bound to the hash of a certificate.
func boundConversation(t *testing.T, password string, hash []byte) *scram.ClientConversation {
	t.Helper()
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		t.Fatal(err)
	}
	return client.NewConversationWithChannelBinding(scram.ChannelBinding{Type: scram.ChannelBindingTLSServerEndpoint, Data: hash})
}

// logInFrom is logIn from one of the addresses of this machine.
func logInFrom(from, address, user string) error {
	config, err := pgx.ParseConfig("postgres://" + user + "@" + address + "/db?sslmode=disable")
	if err != nil {
		return err
	}
	config.DialFunc = (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}).DialContext
	conn, err := pgx.ConnectConfig(context.Background(), config)
	if err == nil {
		conn.Close(context.Background())
	}
	return err
}

// guess tries a hundred wrong passwords a second until stop is closed, and counts how the
// logins end, by SQLSTATE.
func guess(address, user string, stop <-chan struct{}) map[string]int {
	var mu sync.Mutex
	var all sync.WaitGroup
	ends := map[string]int{}
	for ticker := time.NewTicker(10 * time.Millisecond); ; {
		select {
		case <-stop:
			ticker.Stop()
			all.Wait()
			return ends
		case <-ticker.C:
		}
		all.Go(func() {
			var e *pgconn.PgError
			code := ""
			if err := logIn(address, user+":wrong", "sslmode=disable"); errors.As(err, &e) {
				code = e.Code
			}
			mu.Lock()
			defer mu.Unlock()
			ends[code]++
		})
	}
}
