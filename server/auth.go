package server

import (
	"context"
	"crypto/hmac"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"os/user"
	"strconv"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
	"github.com/xdg-go/scram"
)

// attemptOf is what a connection that logs in is known by.
func attemptOf(c *conn, user, database string) attempt {
	a := attempt{user: user, database: database}
	if tcp, ok := c.raw.RemoteAddr().(*net.TCPAddr); ok {
		a.address = tcp.AddrPort().Addr().Unmap().WithZone("")
	}
	_, a.secure = c.nc.(*tls.Conn)
	return a
}

// authenticate lets a connection in as a role, or fails.
func (s *Server) authenticate(c *conn, a attempt) *cubeloom.Role {
	cfg := s.config()
	if c.owner {
		if err := checkOwner(c.raw); err != nil {
			panic(value.Errorf(value.CodeInvalidAuthorization, "only the owner of the data directory comes in here: %v", err))
		}
		return s.admitOwner(a)
	}
	rules := cfg.Rules
	if rules == nil {
		rules = DefaultRules(cfg.DB.HasUsers())
	}
	r := sqlstate.Must(rules.find(a, cfg.DB.IsMember))
	s.prove(c, a, r)
	return s.admit(a, r.method)
}

// prove has a client prove that it is the role it says, in the way that a rule asks for.
func (s *Server) prove(c *conn, a attempt, r rule) {
	switch r.method {
	case trust, stranger:
		return
	case reject:
		panic(value.Errorf(value.CodeInvalidAuthorization, "the rule in line %d rejects %s", r.line, a))
	case peer:
		checkPeer(c.raw, a.user)
		return
	case clientCert:
		checkCertificate(c, a)
		return
	case clearText:
		if a.address.IsValid() && !a.secure {
			panic(errMethod(a, r.method, "TLS"))
		}
		s.checkPassword(c, a, c.askPassword)
		return
	}
	s.checkPassword(c, a, c.exchange)
}

// admit returns the role of a client that has proved to be it, where it may log in.
func (s *Server) admit(a attempt, how method) *cubeloom.Role {
	db := s.config().DB
	role := db.Role(a.user)
	if how == stranger {
		if role == nil {
			return s.admitStranger(a.user)
		}
		if role.Superuser {
			e := value.Errorf(value.CodeInvalidAuthorization, "superuser %q does not come in without a password", a.user)
			e.Hint = "The command 'cubeloom user' gives a role a password; other names come in without."
			panic(e)
		}
	}
	switch {
	case role == nil:
		panic(value.Errorf(value.CodeInvalidAuthorization, "role %q does not exist", a.user))
	case !role.Login:
		panic(value.Errorf(value.CodeInvalidAuthorization, "role %q is not permitted to log in", a.user))
	case !db.MayConnect(role):
		e := value.Errorf(value.CodeInsufficientPrivilege, "permission denied for database %q", a.database)
		e.Detail = "User does not have CONNECT privilege."
		panic(e)
	}
	return role
}

// admitOwner returns the role that the owner of the data directory comes in as: the
// bootstrap superuser, where he names no role.
func (s *Server) admitOwner(a attempt) *cubeloom.Role {
	db := s.config().DB
	s.log.Info("the owner of the data directory comes in", "user", a.user)
	if db.Role(a.user) != nil {
		return s.admit(a, trust)
	}
	for _, role := range db.Roles() {
		if uint32(role.OID) == cubeloom.BootstrapRole {
			return role
		}
	}
	panic(value.Errorf(value.CodeInvalidAuthorization, "role %q does not exist", a.user))
}

// maxStrangerRoles is how many roles there may be when another is made for a stranger.
const maxStrangerRoles = 1000

// admitStranger makes the role of a name that comes in without a password.
func (s *Server) admitStranger(name string) *cubeloom.Role {
	db := s.config().DB
	if db.CountRoles() >= maxStrangerRoles {
		panic(value.Errorf(value.CodeInvalidAuthorization, "role %q does not exist, and there are too many to make one for a new name", name))
	}
	sqlstate.Check(db.AdmitRole(context.Background(), name))
	return db.Role(name)
}

// checkPassword has a client prove its role's password by some exchange of messages,
// which fails with errProof where it is wrong. Names that are no roles fail like wrong
// passwords.
func (s *Server) checkPassword(c *conn, a attempt, exchange func(scram.StoredCredentials, func() error) error) {
	role := s.config().DB.Role(a.user)
	known, credentials := role != nil && role.Verifier != "", mock(s.secret, a.user)
	if known {
		var err error
		if credentials, err = cubeloom.ParseVerifier(role.Verifier); err != nil {
			panic(fmt.Errorf("the password of role %q is damaged: %w", a.user, err))
		}
	}
	err := exchange(credentials, func() error { return s.throttle.await(c.ctx, a) })
	if err == nil && (!known || role.Expired(time.Now())) {
		err = errProof
	}
	switch {
	case err == nil:
		s.throttle.succeeded(a)
	case errors.Is(err, errProof):
		s.throttle.failed(a, time.Now())
		panic(value.Errorf(value.CodeInvalidPassword, "password authentication failed for user %q", a.user))
	}
	sqlstate.Check(err)
}

// maxIterations is how often the server hashes a password, at most: a role can choose the
// number for its own.
const maxIterations = 100_000

// askPassword has the client send the password as it is.
func (c *conn) askPassword(want scram.StoredCredentials, await func() error) (err error) {
	defer sqlstate.Catch(&err)
	c.send(&pgproto3.AuthenticationCleartextPassword{})
	msg := c.ask(pgproto3.AuthTypeCleartextPassword)
	given, ok := msg.(*pgproto3.PasswordMessage)
	if !ok {
		return errProtocol("expected password response, got %T", msg)
	}
	password := given.Password
	if want.Iters > maxIterations {
		return value.Errorf(value.CodeInvalidAuthorization, "the password is hashed %d times, which is too often for the method password", want.Iters)
	}
	sqlstate.Check(await())
	got := sqlstate.Must(cubeloom.PasswordKeys(password, want.KeyFactors))
	if !hmac.Equal(got.StoredKey, want.StoredKey) {
		return errProof
	}
	return nil
}

// checkPeer fails where the process at the other end of a Unix socket does not belong
// to the operating system's user of a name.
func checkPeer(nc net.Conn, name string) {
	uid, err := peerUser(nc)
	if err != nil {
		panic(value.Errorf(value.CodeInvalidAuthorization, "peer authentication failed for user %q: %v", name, err))
	}
	account, err := user.LookupId(strconv.Itoa(uid))
	if err != nil || account.Username != name {
		panic(value.Errorf(value.CodeInvalidAuthorization, "peer authentication failed for user %q", name))
	}
}

// checkOwner fails where the process at the other end of a Unix socket belongs neither
// to the server's own user nor to root.
func checkOwner(nc net.Conn) error {
	uid, err := peerUser(nc)
	if err != nil {
		return err
	}
	if own := os.Geteuid(); uid != own && uid != 0 {
		return fmt.Errorf("the client runs as user %d, the server as %d", uid, own)
	}
	return nil
}

// checkCertificate fails where the client has no certificate of the authority that the
// server knows, or one with another common name.
func checkCertificate(c *conn, a attempt) {
	secure, ok := c.nc.(*tls.Conn)
	if !ok {
		panic(errMethod(a, clientCert, "TLS"))
	}
	chains := secure.ConnectionState().VerifiedChains
	if len(chains) == 0 {
		panic(value.Errorf(value.CodeInvalidAuthorization, "connection requires a valid client certificate"))
	}
	if chains[0][0].Subject.CommonName != a.user {
		panic(value.Errorf(value.CodeInvalidAuthorization, "certificate authentication failed for user %q", a.user))
	}
}
