package server_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/server"
	"github.com/jackc/pgproto3/v2"
)

// TestSaltsLast asks for the salts of a role and of a name that is none: both are the
// same each time, and after a new start.
func TestSaltsLast(t *testing.T) {
	dir := t.TempDir()
	var seen [2]map[string]string
	for i := range seen {
		secret, err := server.Secret(dir)
		if err != nil {
			t.Fatal(err)
		}
		address, _ := start(t, func(c *server.Config) {
			c.Secret = secret
			role(t, c.DB, "ana", "secret", nil)
		})
		seen[i] = map[string]string{"nobody": saltOf(t, address, "nobody"), "cubeloom": saltOf(t, address, "cubeloom")}
		if again := saltOf(t, address, "nobody"); again != seen[i]["nobody"] {
			t.Error("the salt changes")
		}
	}
	if seen[0]["nobody"] != seen[1]["nobody"] || seen[0]["nobody"] == seen[0]["cubeloom"] {
		t.Errorf("got %v", seen)
	}
	if info, err := os.Stat(filepath.Join(dir, "server.secret")); err != nil || info.Mode() != 0o600 {
		t.Error(info, err)
	}
}

// saltOf is the salt that the server names for a user.
func saltOf(t *testing.T, address, user string) string {
	t.Helper()
	r := askedForPassword(t, address, user)
	r.say(&pgproto3.SASLInitialResponse{AuthMechanism: "SCRAM-SHA-256", Data: []byte("n,,n=,r=abcdefghijklmnop")})
	msg, err := r.Receive()
	if err != nil {
		t.Fatal(err)
	}
	text := string(msg.(*pgproto3.AuthenticationSASLContinue).Data)
	_, salt, _ := strings.Cut(text, ",s=")
	return salt
}

// askedForPassword opens a connection up to where a password is asked for.
func askedForPassword(t *testing.T, address, user string) *raw {
	t.Helper()
	r := connectRaw(t, address)
	r.say(&pgproto3.StartupMessage{ProtocolVersion: pgproto3.ProtocolVersionNumber, Parameters: map[string]string{"user": user}})
	msg, err := r.Receive()
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := msg.(*pgproto3.AuthenticationSASL); !ok {
		t.Fatalf("got %T", msg)
	}
	return r
}
