package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"errors"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/planner/value"
	"github.com/jackc/pgproto3/v2"
	"github.com/xdg-go/scram"
)

// mechanism is the one way to prove a password.
const mechanism = "SCRAM-SHA-256"

// authenticate lets a user in, or fails. Peers on this machine are trusted
// unless the configuration says otherwise; all others need a password.
func (s *Server) authenticate(c *conn, user string) error {
	if isLoopback(c.raw.RemoteAddr()) && !s.cfg.RequirePassword {
		return nil
	}
	if s.cfg.Users == nil {
		return value.Errorf(codeNotAuthorized, "no users file: connections from %s are not allowed", c.raw.RemoteAddr())
	}
	server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) {
		return s.cfg.Users.credentials(user), nil
	})
	if err != nil {
		return err
	}
	if err := c.exchange(server.NewConversation()); err != nil {
		var e *cubeloom.Error
		if errors.As(err, &e) || c.in.err != nil {
			return err
		}
		return value.Errorf(codeInvalidPassword, "password authentication failed for user %q", user)
	}
	return nil
}

// exchange holds the conversation of SASL. The user of the start-up message is
// the one that counts; PostgreSQL's clients send none within the conversation.
func (c *conn) exchange(conv *scram.ServerConversation) error {
	c.send(&pgproto3.AuthenticationSASL{AuthMechanisms: []string{mechanism}})
	msg, err := c.ask(pgproto3.AuthTypeSASL)
	if err != nil {
		return err
	}
	first, ok := msg.(*pgproto3.SASLInitialResponse)
	if !ok {
		return errProtocol("expected a SASL response, got %T", msg)
	}
	if first.AuthMechanism != mechanism {
		return errProtocol("client selected an invalid SASL authentication mechanism")
	}
	reply, err := conv.Step(string(first.Data))
	if err != nil {
		return err
	}
	c.send(&pgproto3.AuthenticationSASLContinue{Data: []byte(reply)})
	if msg, err = c.ask(pgproto3.AuthTypeSASLContinue); err != nil {
		return err
	}
	second, ok := msg.(*pgproto3.SASLResponse)
	if !ok {
		return errProtocol("expected a SASL response, got %T", msg)
	}
	if reply, err = conv.Step(string(second.Data)); err != nil {
		return err
	}
	if !conv.Valid() {
		return errors.New("the proof is not valid")
	}
	c.send(&pgproto3.AuthenticationSASLFinal{Data: []byte(reply)})
	return nil
}

// ask sends what has been gathered and waits for the answer.
func (c *conn) ask(authType uint32) (pgproto3.FrontendMessage, error) {
	c.flush()
	if c.err != nil {
		return nil, c.err
	}
	if err := c.backend.SetAuthType(authType); err != nil {
		return nil, err
	}
	return c.receive()
}

// mock makes credentials that no password fits, always the same for a name, so
// that a peer cannot tell which users there are.
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
