package server

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/xdg-go/scram"
)

// iterations is how often a password is hashed, as in PostgreSQL.
const iterations = 4096

// Users are the names that may log in with their passwords' verifiers. It never
// changes.
type Users struct {
	byName map[string]scram.StoredCredentials
	secret []byte // for the names that are not there
}

// LoadUsers reads a users file: one name:verifier a line, the verifier in the
// form of PostgreSQL's pg_authid, which Verifier makes. Blank lines and those
// that begin with # are left out.
func LoadUsers(path string) (*Users, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	u := &Users{byName: map[string]scram.StoredCredentials{}, secret: make([]byte, 32)}
	if _, err := rand.Read(u.secret); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		name, verifier, ok := strings.Cut(line, ":")
		if !ok || name == "" {
			return nil, fmt.Errorf("%s:%d: want name:verifier", path, n)
		}
		if u.byName[name], err = parseVerifier(verifier); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return u, lines.Err()
}

// credentials are those of a user, or some that no password fits.
func (u *Users) credentials(user string) scram.StoredCredentials {
	if c, ok := u.byName[user]; ok {
		return c
	}
	return mock(u.secret, user)
}

// Verifier makes what a users file holds of a password:
// SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, the last three in base64.
func Verifier(password string) (string, error) {
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		// Passwords that SASLprep forbids are taken as they are, as by PostgreSQL.
		if client, err = scram.SHA256.NewClientUnprepped("", password, ""); err != nil {
			return "", err
		}
	}
	c, err := client.GetStoredCredentialsWithError(scram.KeyFactors{Salt: string(salt), Iters: iterations})
	if err != nil {
		return "", err
	}
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s$%d:%s$%s:%s", mechanism, iterations, b64(salt), b64(c.StoredKey), b64(c.ServerKey)), nil
}

// parseVerifier reads what Verifier makes.
func parseVerifier(text string) (c scram.StoredCredentials, err error) {
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '$' || r == ':' })
	if len(parts) != 5 || parts[0] != mechanism {
		return c, fmt.Errorf("want a verifier %s$iterations:salt$StoredKey:ServerKey", mechanism)
	}
	if c.Iters, err = strconv.Atoi(parts[1]); err != nil || c.Iters < 1 {
		return c, fmt.Errorf("bad number of iterations %q", parts[1])
	}
	var decoded [3][]byte
	for i := range decoded {
		if decoded[i], err = base64.StdEncoding.DecodeString(parts[i+2]); err != nil {
			return c, fmt.Errorf("bad base64 in the verifier: %w", err)
		}
	}
	c.Salt, c.StoredKey, c.ServerKey = string(decoded[0]), decoded[1], decoded[2]
	return c, nil
}
