package cubeloom

import (
	"github.com/cubeloom/cubeloom/runtime/session/govern"
	"github.com/xdg-go/scram"
)

// DefaultMinPasswordLength is how many characters a new password has at least.
const DefaultMinPasswordLength = govern.DefaultMinPasswordLength

// CheckPassword fails with 22023 where a password has fewer characters than least; 0
// stands for DefaultMinPasswordLength, and every password has more than a negative least.
func CheckPassword(password string, minLength int) error {
	return govern.CheckPassword(password, minLength)
}

// PasswordVerifier makes what a role holds of its password:
// SCRAM-SHA-256$iterations:salt$StoredKey:ServerKey, the last three in base64.
func PasswordVerifier(password string) (string, error) { return govern.PasswordVerifier(password) }

// PasswordKeys makes the keys of a password as those of a verifier were made.
func PasswordKeys(password string, factors scram.KeyFactors) (scram.StoredCredentials, error) {
	return govern.PasswordKeys(password, factors)
}

// ParseVerifier reads what PasswordVerifier makes.
func ParseVerifier(text string) (scram.StoredCredentials, error) { return govern.ParseVerifier(text) }
