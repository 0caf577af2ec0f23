package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// The files that SelfSigned keeps.
const (
	certFile = "server.crt"
	keyFile  = "server.key"
)

// TLSConfig serves with a certificate and its key, in PEM files.
func TLSConfig(cert, key string) (*tls.Config, error) {
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	return withCertificate(pair), nil
}

// TrustClients has clients be asked for certificates, which those of the authorities in a
// PEM file must have signed, for the method cert.
func TrustClients(config *tls.Config, authorities string) error {
	text, err := os.ReadFile(authorities)
	if err != nil {
		return err
	}
	config.ClientCAs = x509.NewCertPool()
	if !config.ClientCAs.AppendCertsFromPEM(text) {
		return fmt.Errorf("%s holds no certificate", authorities)
	}
	config.ClientAuth = tls.VerifyClientCertIfGiven
	return nil
}

func withCertificate(pair tls.Certificate) *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
}

// SelfSigned serves with a certificate that vouches for itself. The first call
// makes it and, where dir is not "", keeps it there for the next.
func SelfSigned(dir string) (_ *tls.Config, err error) {
	defer sqlstate.Catch(&err)
	if dir != "" {
		pair, err := tls.LoadX509KeyPair(filepath.Join(dir, certFile), filepath.Join(dir, keyFile))
		if err == nil {
			return withCertificate(pair), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	cert, key, err := makeCertificate()
	sqlstate.Check(err)
	if dir != "" {
		sqlstate.Check(os.MkdirAll(dir, 0o700))
		// The key comes first: a certificate without its key would never be replaced.
		sqlstate.Check(errors.Join(writePrivate(filepath.Join(dir, keyFile), key), writePrivate(filepath.Join(dir, certFile), cert)))
	}
	pair := sqlstate.Must(tls.X509KeyPair(cert, key))
	return withCertificate(pair), nil
}

// makeCertificate makes a certificate for ten years, and its key, as PEM.
func makeCertificate() (cert, key []byte, err error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	if err != nil {
		return nil, nil, err
	}
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	template := &x509.Certificate{
		SerialNumber: serial,
		Subject:      pkix.Name{CommonName: host},
		DNSNames:     []string{host, "localhost"},
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().AddDate(10, 0, 0),
		KeyUsage:     x509.KeyUsageDigitalSignature,
		ExtKeyUsage:  []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		return nil, nil, err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		return nil, nil, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: keyDER}), nil
}
