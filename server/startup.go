package server

import (
	"cmp"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"maps"
	"net"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/jackc/pgproto3/v2"
)

// Codes that stand in the place of a protocol version.
const (
	cancelCode = 80877102
	sslCode    = 80877103
	gssCode    = 80877104
)

// errDone ends a connection that has got what it wanted.
var errDone = errors.New("server: the connection is done")

// handle serves a connection to its end. A defect that panics ends the
// connection and not the program.
func (s *Server) handle(c *conn) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("internal error", "panic", p, "peer", c.nc.RemoteAddr().String())
		}
	}()
	c.nc.SetDeadline(time.Now().Add(s.config().StartupTimeout))
	if s.isClosing() {
		return
	}
	ses, err := s.login(c)
	if err != nil {
		if !errors.Is(err, errDone) {
			s.metrics.refused.Add(1)
			var e *cubeloom.Error
			if !errors.As(err, &e) {
				s.log.Debug("connection ended before a login", "peer", c.raw.RemoteAddr().String(), "error", err)
				return
			}
			s.log.Info("login failed", "peer", c.raw.RemoteAddr().String(), "error", err)
			c.sendFatal(e)
		}
		return
	}
	defer s.sessions.remove(ses)
	defer ses.close()
	s.metrics.connections.Add(1)
	s.log.Debug("connected", "pid", ses.pid, "user", ses.user, "peer", c.nc.RemoteAddr().String())
	ses.serve()
	s.log.Debug("disconnected", "pid", ses.pid)
}

// login brings a connection from its first byte to its first ReadyForQuery.
func (s *Server) login(c *conn) (_ *session, err error) {
	defer sqlstate.Catch(&err)
	params := s.startup(c)
	user := params["user"]
	if user == "" {
		return nil, value.Errorf(value.CodeInvalidAuthorization, "no PostgreSQL user name specified in startup packet")
	}
	database := cmp.Or(params["database"], user)
	for _, name := range []*string{&user, &database} {
		*name = identifier(*name)
	}
	c.in.limit = maxLogin
	role := s.authenticate(c, attemptOf(c, user, database))
	user = role.Name
	s.known(c)
	ses := &session{shared: &s.shared, conn: c, user: user, database: database}
	ses.activity = cubeloom.Activity{
		User: user, Database: database, State: "idle", Started: time.Now(), StateChanged: time.Now(),
	}
	if addr, ok := c.raw.RemoteAddr().(*net.TCPAddr); ok {
		ses.activity.Client, ses.activity.ClientPort = addr.IP.String(), addr.Port
	}
	sqlstate.Check(s.sessions.add(ses, role, s.config().MaxConnections))
	if err := ses.connect(params, &s.sessions); err != nil {
		s.sessions.remove(ses)
		return nil, err
	}
	c.loggedIn(ses.db.Account())
	c.nc.SetDeadline(time.Time{})
	if s.isClosing() {
		c.nc.SetReadDeadline(time.Unix(1, 0))
	}
	return ses, nil
}

// maxName is how long a name is, in bytes: the rest is cut off, as by PostgreSQL.
const maxName = 63

// identifier is the name that a start-up packet gives.
func identifier(text string) string {
	if len(text) > maxName {
		end := maxName
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	sqlstate.Check(validText(text))
	return text
}

// startup reads the packets before the first message and returns the parameters.
// TLS and GSS are offered once each, as PostgreSQL does.
func (s *Server) startup(c *conn) map[string]string {
	sslAsked, gssAsked := false, false
	for {
		packet := c.startupPacket()
		switch code := binary.BigEndian.Uint32(packet); {
		case code == cancelCode && len(packet) == 12:
			s.sessions.cancel(binary.BigEndian.Uint32(packet[4:]), binary.BigEndian.Uint32(packet[8:]))
			panic(errDone)
		case code == sslCode && !sslAsked:
			sslAsked = true
			s.offerTLS(c)
		case code == gssCode && !gssAsked:
			gssAsked = true
			c.answer('N')
		case code>>16 == 3:
			return c.parameters(packet)
		default:
			panic(value.Errorf(value.CodeFeatureNotSupported,
				"unsupported frontend protocol %d.%d: server supports 3.0 to 3.0", code>>16, code&0xffff))
		}
	}
}

// startupPacket reads a packet without a type, which starts with a code.
func (c *conn) startupPacket() []byte {
	head := sqlstate.Must(c.in.Next(4))
	n := int(int32(binary.BigEndian.Uint32(head))) - 4
	if n < 4 || n > maxStartup {
		panic(errProtocol("invalid length of startup packet"))
	}
	return sqlstate.Must(c.in.Next(n))
}

// answer sends a single byte at once.
func (c *conn) answer(b byte) {
	_, err := c.nc.Write([]byte{b})
	sqlstate.Check(err)
}

// offerTLS answers an SSLRequest. What the client sent in the clear behind it
// would be taken for part of the TLS connection: such a client is refused.
func (s *Server) offerTLS(c *conn) {
	config := s.config().TLS
	if config == nil {
		c.answer('N')
		return
	}
	if c.in.r.buffered() > 0 {
		panic(errProtocol("received unencrypted data after SSL request"))
	}
	c.answer('S')
	secure := tls.Server(c.nc, config)
	sqlstate.Check(secure.Handshake())
	c.use(secure)
	if len(config.Certificates) > 0 {
		c.binding = bindingOf(config.Certificates[0])
	}
}

// parameters reads the start-up message. A client that asks for a newer minor
// version, or for options of the protocol, is told that it gets 3.0 without.
func (c *conn) parameters(packet []byte) map[string]string {
	minor := binary.BigEndian.Uint16(packet[2:])
	binary.BigEndian.PutUint32(packet, pgproto3.ProtocolVersionNumber)
	if len(packet) == 5 {
		return map[string]string{}
	}
	var msg pgproto3.StartupMessage
	if err := msg.Decode(packet); err != nil {
		panic(errProtocol("invalid startup packet layout: expected terminator as last byte"))
	}
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(msg.Parameters)) {
		if strings.HasPrefix(name, "_pq_.") {
			unknown = append(unknown, name)
			delete(msg.Parameters, name)
		}
	}
	if minor > 0 || len(unknown) > 0 {
		c.out = appendNegotiate(c.out, unknown)
	}
	return msg.Parameters
}

// appendNegotiate appends NegotiateProtocolVersion, which the message library
// lacks: the version of ours, as a whole like PostgreSQL sends it, and the
// options not known.
func appendNegotiate(out []byte, unknown []string) []byte {
	body := binary.BigEndian.AppendUint32(nil, pgproto3.ProtocolVersionNumber)
	body = binary.BigEndian.AppendUint32(body, uint32(len(unknown)))
	for _, name := range unknown {
		body = append(append(body, name...), 0)
	}
	out = append(out, 'v')
	out = binary.BigEndian.AppendUint32(out, uint32(len(body)+4))
	return append(out, body...)
}

// connect starts the session of the database, and greets its client. Others are the
// sessions that it can see.
func (s *session) connect(params map[string]string, others *registry) error {
	cfg := s.shared.config()
	var err error
	s.db, err = cfg.DB.Connect(cubeloom.Identity{
		User: s.user, Database: s.database, Settings: cfg.Settings,
		PID: int32(s.pid), Activity: others.activity, Signal: others.signal,
		Files: cfg.Files,
	})
	if err != nil {
		return err
	}
	s.mu.Lock()
	s.activity.Role = s.db.Role()
	s.mu.Unlock()
	if err := s.greet(params); err != nil {
		s.close()
		return err
	}
	return nil
}

// greet sets what the client asked for, and reports what it got.
func (s *session) greet(params map[string]string) (err error) {
	defer sqlstate.Catch(&err)
	for _, name := range slices.Sorted(maps.Keys(params)) {
		switch name {
		case "user", "database", "replication":
			if name == "replication" && params[name] != "false" && params[name] != "off" && params[name] != "0" {
				return value.Errorf(value.CodeFeatureNotSupported, "replication connections are not supported")
			}
		case "options":
			s.setOptions(params[name])
		default:
			sqlstate.Check(s.db.SetParameter(name, params[name]))
		}
	}
	s.conn.send(&pgproto3.AuthenticationOk{})
	s.reportParameters()
	s.conn.send(&pgproto3.BackendKeyData{ProcessID: s.pid, SecretKey: s.secret})
	s.ready()
	return s.conn.err
}

// setOptions reads the command line switches of the start-up message: -c
// name=value and --name=value, with backslashes before blanks.
func (s *session) setOptions(text string) {
	words := splitOptions(text)
	for i := 0; i < len(words); i++ {
		word, ok := strings.CutPrefix(words[i], "--")
		if !ok {
			if word, ok = strings.CutPrefix(words[i], "-c"); ok && word == "" && i+1 < len(words) {
				i++
				word = words[i]
			}
		}
		name, text, assigned := strings.Cut(word, "=")
		if !ok || !assigned {
			panic(value.Errorf(value.CodeSyntax, "invalid command-line argument for server process: %s", words[i]))
		}
		sqlstate.Check(s.db.SetParameter(strings.ReplaceAll(name, "-", "_"), text))
	}
}

// splitOptions cuts at blanks that have no backslash before them.
func splitOptions(text string) []string {
	var words []string
	var word []byte
	begun := false
	for i := 0; i < len(text); i++ {
		switch ch := text[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n':
			if begun {
				words = append(words, string(word))
			}
			word, begun = nil, false
			continue
		case ch == '\\' && i+1 < len(text):
			i++
		}
		word, begun = append(word, text[i]), true
	}
	if begun {
		words = append(words, string(word))
	}
	return words
}
