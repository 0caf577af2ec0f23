package server_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgx/v5"
)

// TestMethods logs in by each method of a rule, over TCP with and without TLS and by a
// Unix socket.
func TestMethods(t *testing.T) {
	account, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	authority := newAuthority(t)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	authority.write(t, ca)
	address, srv := start(t, func(c *server.Config) {
		for _, name := range []string{"ana", "carl", "trusted", account.Username} {
			role(t, c.DB, name, "secret", nil)
		}
		role(t, c.DB, "shut", "secret", nil)
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
		if err := server.TrustClients(c.TLS, ca); err != nil {
			t.Fatal(err)
		}
		c.Rules, err = server.ParseRules(`
local all all peer
host all trusted,gone samehost trust
host all shut all reject
hostssl all carl all cert
hostnossl tlsonly all all reject
host all ana all password
`)
		if err != nil {
			t.Fatal(err)
		}
	})
	socket := filepath.Join(t.TempDir(), ".s.PGSQL.5432")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	go srv.Serve(l)
	for _, c := range []struct {
		who, mode string
		cert      *tls.Certificate
		want      string // a part of the error; "" for none
	}{
		{"trusted", "disable", nil, ""},
		{"gone", "disable", nil, `role "gone" does not exist (SQLSTATE 28000)`},
		{"shut:secret", "disable", nil, "the rule in line 4 rejects user \"shut\" from 127.0.0.1 to database \"db\", without TLS (SQLSTATE 28000)"},
		{"ana:secret", "require", nil, ""},
		{"ana:wrong", "require", nil, "28P01"},
		{"ana:secret", "disable", nil, `asks for method "password", which needs TLS (SQLSTATE 28000)`},
		{"carl", "require", authority.issue(t, "carl"), ""},
		{"carl", "require", authority.issue(t, "ana"), "certificate authentication failed"},
		{"carl", "require", nil, "connection requires a valid client certificate"},
		{"carl", "require", newAuthority(t).issue(t, "carl"), "certificate"},
		{"carl", "disable", nil, `no rule fits user "carl" from 127.0.0.1 to database "db", without TLS (SQLSTATE 28000)`},
	} {
		config, err := pgx.ParseConfig("postgres://" + c.who + "@" + address + "/db?sslmode=" + c.mode)
		if err != nil {
			t.Fatal(err)
		}
		if c.cert != nil {
			config.TLSConfig.Certificates = []tls.Certificate{*c.cert}
		}
		conn, err := pgx.ConnectConfig(context.Background(), config)
		if err == nil {
			_, err = conn.Exec(context.Background(), "SELECT 1")
			conn.Close(context.Background())
		}
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, %s: got %v, want %q", c.who, c.mode, err, c.want)
		}
	}
	for name, want := range map[string]string{account.Username: "", "ana": `peer authentication failed for user "ana" (SQLSTATE 28000)`} {
		conn, err := pgx.Connect(context.Background(), "host="+filepath.Dir(socket)+" database=db user="+name)
		if err == nil {
			conn.Close(context.Background())
		}
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s by the socket: %v", name, err)
		}
	}
}

// authority signs certificates of clients.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), KeyUsage: x509.KeyUsageCertSign}
	a.cert, a.key = template, nil
	der, key := a.sign(t, template)
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	a.cert, a.key = cert, key
	return a
}

// sign makes a certificate for a new key, by itself where the authority has no key yet.
func (a *authority) sign(t *testing.T, template *x509.Certificate) ([]byte, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer := a.key
	if signer == nil {
		signer = key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	return der, key
}

func (a *authority) issue(t *testing.T, name string) *tls.Certificate {
	t.Helper()
	der, key := a.sign(t, &x509.Certificate{SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

func (a *authority) write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.cert.Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestReload changes the certificate and the limits of a server that runs; what was
// connected before stays.
func TestReload(t *testing.T) {
	var cfg server.Config
	address, srv := start(t, func(c *server.Config) {
		c.MaxConnections, c.MaxRunning = 1, 1
		var err error
		if c.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
			t.Fatal(err)
		}
		cfg = *c
	})
	serial := func(conn *pgx.Conn) string {
		return conn.PgConn().Conn().(*tls.Conn).ConnectionState().PeerCertificates[0].SerialNumber.String()
	}
	open := func() *pgx.Conn {
		conn, err := pgx.Connect(context.Background(), "postgres://ana@"+address+"/db?sslmode=require")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close(context.Background()) })
		return conn
	}
	first := open()
	wantCode(t, logIn(address, "ana", "sslmode=require"), "53300")
	var err error
	if cfg.TLS, err = server.SelfSigned(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	cfg.MaxConnections, cfg.MaxRunning = 2, 0
	srv.Reload(cfg)
	second := open()
	if serial(first) == serial(second) {
		t.Error("the certificate has not changed")
	}
	for _, conn := range []*pgx.Conn{first, second} {
		if _, err := simple(conn, "SELECT 1"); err != nil {
			t.Error(err)
		}
	}
}

// TestReloadWakes lets statements run that waited when the limit was lower.
func TestReloadWakes(t *testing.T) {
	address, srv, first, running := oneAtATime(t)
	waiting := background(t, connect(t, address, ""), brief)
	metric(t, srv, "cubeloom_statements_waiting 1")
	srv.Reload(server.Config{})
	if err := <-waiting; err != nil {
		t.Error(err)
	}
	first.PgConn().CancelRequest(context.Background())
	wantCode(t, <-running, "57014")
}

// hangingLog is a log that does not come back while a slow statement is logged.
type hangingLog struct{ until chan struct{} }

func (l hangingLog) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "slow statement") {
		<-l.until
	}
	return len(p), nil
}

// TestShutdownWithoutThoseThatHang ends although a session does not.
func TestShutdownWithoutThoseThatHang(t *testing.T) {
	db, err := cubeloom.Open(cubeloom.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	hanging := hangingLog{make(chan struct{})}
	srv := server.New(server.Config{DB: db, SlowQuery: 1, Log: slog.New(slog.NewTextHandler(hanging, nil))})
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- srv.Serve(l) }()
	conn := connect(t, l.Addr().String(), "")
	result := background(t, conn, "SELECT 1")
	metric(t, srv, "cubeloom_statement_seconds_count 1")
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	began := time.Now()
	if err := srv.Shutdown(ctx); !errors.Is(err, server.ErrHanging) || time.Since(began) > 10*time.Second {
		t.Errorf("got %v after %v", err, time.Since(began))
	}
	close(hanging.until)
	<-result
	<-served
}
