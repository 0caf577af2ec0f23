package server

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
	"github.com/xdg-go/scram"
)

// errProof is the error of a password that is not the role's.
var errProof = errors.New("the password does not fit")

// The ways to prove a password. The second ties the proof to the TLS connection, so
// that nobody in between can pass it on.
const (
	mechanism     = "SCRAM-SHA-256"
	mechanismPlus = "SCRAM-SHA-256-PLUS"
)

// iterations is how often the passwords of names that are no roles would be hashed, as
// in PostgreSQL.
const iterations = 4096

// exchange holds the conversation of SASL. The user of the start-up message is the one
// that counts; PostgreSQL's clients send none within the conversation. await is called
// before the proof is looked at.
func (c *conn) exchange(credentials scram.StoredCredentials, await func() error) (err error) {
	defer sqlstate.Catch(&err)
	server := sqlstate.Must(scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return credentials, nil }))
	conv, mechanisms := server.NewConversation(), []string{mechanism}
	if c.binding.IsSupported() {
		conv, mechanisms = server.NewConversationWithChannelBinding(c.binding), []string{mechanismPlus, mechanism}
	}
	c.send(&pgproto3.AuthenticationSASL{AuthMechanisms: mechanisms})
	msg := c.ask(pgproto3.AuthTypeSASL)
	first, ok := msg.(*pgproto3.SASLInitialResponse)
	if !ok {
		return errProtocol("expected a SASL response, got %T", msg)
	}
	c.checkBinding(first)
	reply, err := conv.Step(string(first.Data))
	if err != nil {
		return errProtocol("malformed SCRAM message: %v", err)
	}
	c.send(&pgproto3.AuthenticationSASLContinue{Data: []byte(reply)})
	msg = c.ask(pgproto3.AuthTypeSASLContinue)
	second, ok := msg.(*pgproto3.SASLResponse)
	if !ok {
		return errProtocol("expected a SASL response, got %T", msg)
	}
	proof := string(second.Data)
	sqlstate.Check(await())
	reply, err = conv.Step(proof)
	switch {
	case reply == scram.ErrChannelBindingsDontMatch:
		return value.Errorf(value.CodeInvalidAuthorization, "SCRAM channel binding check failed")
	case reply == scram.ErrInvalidProof:
		return errProof
	case err != nil:
		return errProtocol("malformed SCRAM message: %v", err)
	}
	c.send(&pgproto3.AuthenticationSASLFinal{Data: []byte(reply)})
	return nil
}

// checkBinding fails where a client's first message does not fit what it was offered:
// the mechanism, and the flag by which it says whether it binds its proof to the
// connection (RFC 5802, section 6).
func (c *conn) checkBinding(first *pgproto3.SASLInitialResponse) {
	plus := first.AuthMechanism == mechanismPlus
	if !plus && first.AuthMechanism != mechanism || plus && !c.binding.IsSupported() {
		panic(errProtocol("client selected an invalid SASL authentication mechanism"))
	}
	if parts := bytes.SplitN(first.Data, []byte(","), 3); len(parts) == 3 && len(parts[1]) > 0 {
		panic(value.Errorf(value.CodeFeatureNotSupported, "client uses authorization identity, but it is not supported"))
	}
	kind, binds := bytes.CutPrefix(first.Data, []byte("p="))
	kind, _, _ = bytes.Cut(kind, []byte(","))
	malformed := errProtocol("malformed SCRAM message")
	switch {
	case plus && !binds:
		malformed.Detail = "The client selected SCRAM-SHA-256-PLUS, but the SCRAM message does not include channel binding data."
		panic(malformed)
	case binds && !plus:
		malformed.Detail = "The client selected SCRAM-SHA-256 without channel binding, but the SCRAM message includes channel binding data."
		panic(malformed)
	case binds && string(kind) != string(c.binding.Type):
		panic(errProtocol("unsupported SCRAM channel-binding type %q", kind))
	case bytes.HasPrefix(first.Data, []byte("y")) && c.binding.IsSupported():
		e := value.Errorf(value.CodeInvalidAuthorization, "SCRAM channel binding negotiation error")
		e.Detail = "The client supports SCRAM channel binding but thinks the server does not.  However, this server does support channel binding."
		panic(e)
	}
}

// bindingOf is what ties a proof to connections with a certificate: its hash, as RFC
// 5929 defines it for tls-server-end-point. There is none where the certificate's
// signature has no hash of its own, such as Ed25519's.
func bindingOf(certificate tls.Certificate) scram.ChannelBinding {
	leaf := certificate.Leaf
	if leaf == nil {
		return scram.ChannelBinding{}
	}
	// The library asks for what a client knows of a connection.
	binding, err := scram.NewTLSServerEndpointBinding(&tls.ConnectionState{PeerCertificates: []*x509.Certificate{leaf}})
	if err != nil {
		return scram.ChannelBinding{}
	}
	return binding
}

// ask sends what has been gathered and waits for the answer.
func (c *conn) ask(authType uint32) pgproto3.FrontendMessage {
	c.flush()
	if c.err != nil {
		panic(c.err)
	}
	sqlstate.Check(c.backend.SetAuthType(authType))
	return sqlstate.Must(c.receive())
}

// mock makes credentials that no password fits, always the same for a name, so that a
// peer cannot tell which roles there are.
func mock(secret []byte, user string) scram.StoredCredentials {
	sum := func(what string) []byte {
		h := hmac.New(sha256.New, secret)
		h.Write([]byte(what + "\x00" + user))
		return h.Sum(nil)
	}
	return scram.StoredCredentials{
		KeyFactors: scram.KeyFactors{Salt: string(sum("salt")[:16]), Iters: iterations},
		StoredKey:  sum("stored"),
		ServerKey:  sum("server"),
	}
}
