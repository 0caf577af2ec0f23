package govern

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/xdg-go/scram"
)

// A password is kept as what SCRAM checks it by, in the form of PostgreSQL's pg_authid.
const (
	verifierMechanism  = "SCRAM-SHA-256"
	verifierIterations = 4096 // how often a password is hashed, as in PostgreSQL
)

// DefaultMinPasswordLength is how many characters a new password has at least.
const DefaultMinPasswordLength = 8

// CheckPassword fails with 22023 where a password has fewer characters than minLength; 0
// stands for DefaultMinPasswordLength, and every password has more than a negative minLength.
func CheckPassword(password string, minLength int) error {
	minLength = cmp.Or(minLength, DefaultMinPasswordLength)
	if utf8.RuneCountInString(password) >= minLength {
		return nil
	}
	e := value.Errorf(value.CodeInvalidParameter, "password is too short")
	e.Hint = fmt.Sprintf("A password has at least %d characters.", minLength)
	return e
}

// PasswordVerifier makes what a role holds of its password:
// SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, the last three in base64.
func PasswordVerifier(password string) (_ string, err error) {
	defer sqlstate.Catch(&err)
	salt := make([]byte, 16)
	sqlstate.Must(rand.Read(salt))
	c := sqlstate.Must(PasswordKeys(password, scram.KeyFactors{Salt: string(salt), Iters: verifierIterations}))
	b64 := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("%s$%d:%s$%s:%s", verifierMechanism, verifierIterations, b64(salt), b64(c.StoredKey), b64(c.ServerKey)), nil
}

// PasswordKeys makes the keys of a password as those of a verifier were made.
func PasswordKeys(password string, factors scram.KeyFactors) (scram.StoredCredentials, error) {
	client, err := scram.SHA256.NewClient("", password, "")
	if err != nil {
		// Passwords that SASLprep forbids are taken as they are, as by PostgreSQL.
		if client, err = scram.SHA256.NewClientUnprepped("", password, ""); err != nil {
			return scram.StoredCredentials{}, err
		}
	}
	return client.GetStoredCredentialsWithError(factors)
}

// ParseVerifier reads what PasswordVerifier makes.
func ParseVerifier(text string) (c scram.StoredCredentials, err error) {
	rest, ok := strings.CutPrefix(text, verifierMechanism+"$")
	factors, keys, ok2 := strings.Cut(rest, "$")
	iterations, salt, ok3 := strings.Cut(factors, ":")
	stored, server, ok4 := strings.Cut(keys, ":")
	if !ok || !ok2 || !ok3 || !ok4 {
		return c, fmt.Errorf("want a verifier %s$iterations:salt$StoredKey:ServerKey", verifierMechanism)
	}
	if c.Iters, err = strconv.Atoi(iterations); err != nil || c.Iters < 1 {
		return c, fmt.Errorf("bad number of iterations %q", iterations)
	}
	var decoded [3][]byte
	for i, part := range []string{salt, stored, server} {
		if decoded[i], err = base64.StdEncoding.DecodeString(part); err != nil {
			return c, fmt.Errorf("bad base64 in the verifier: %w", err)
		}
	}
	c.Salt, c.StoredKey, c.ServerKey = string(decoded[0]), decoded[1], decoded[2]
	if len(c.StoredKey) != 32 || len(c.ServerKey) != 32 {
		return c, fmt.Errorf("the keys of a verifier have 32 bytes each")
	}
	return c, nil
}
