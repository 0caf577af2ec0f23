package server

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// secretFile is where Secret keeps what it made.
const secretFile = "server.secret"

const secretSize = 32

// Secret is what Config.Secret wants, kept in a directory: the first call makes it.
func Secret(dir string) ([]byte, error) {
	path := filepath.Join(dir, secretFile)
	secret, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		secret = newSecret()
		return secret, writePrivate(path, secret)
	case err != nil:
		return nil, err
	case len(secret) != secretSize:
		return nil, fmt.Errorf("%s holds %d bytes instead of %d: remove it, and another is made", path, len(secret), secretSize)
	}
	return secret, nil
}

// newSecret makes a secret.
func newSecret() []byte {
	secret := make([]byte, secretSize)
	rand.Read(secret) // which never fails
	return secret
}

// writePrivate writes a file that only its owner may read, as a whole or not at all,
// whatever happens to the machine.
func writePrivate(path string, text []byte) error {
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, filepath.Base(path)+".*.new") // with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
