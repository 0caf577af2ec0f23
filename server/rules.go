package server

import (
	"net"
	"net/netip"
	"slices"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
)

// A method is how a rule has clients prove who they are.
type method string

const (
	trust      method = "trust"
	reject     method = "reject"
	scram256   method = "scram-sha-256"
	clearText  method = "password" // over TLS or a Unix socket only
	peer       method = "peer"     // by the operating system's user, at a Unix socket
	clientCert method = "cert"     // by the common name of the client's certificate
	// stranger trusts ordinary names, of roles or not. The defaults alone use it.
	stranger method = "stranger"
)

// Rules say who may log in from where, and how. The first rule that fits a
// connection counts. They never change.
type Rules struct {
	list []rule
}

// rule is one line of a rule file.
type rule struct {
	line      int
	transport string // local, host, hostssl or hostnossl
	databases []name
	users     []name
	addresses []netip.Prefix // nil: all
	own       ownAddresses
	method    method
}

// name is one of the names that a rule lists.
type name struct {
	text   string
	quoted bool // which makes a name of all, sameuser and +group
}

// ownAddresses are addresses that this machine's network interfaces define.
type ownAddresses string

const (
	noAddress ownAddresses = ""
	sameHost  ownAddresses = "samehost"
	sameNet   ownAddresses = "samenet"
)

// attempt is what a connection that logs in is known by.
type attempt struct {
	user, database string
	address        netip.Addr // not valid: a Unix socket
	secure         bool       // by TLS
}

// DefaultRules are those of a server without a rule file. Where there are users,
// roles that have a password, everyone needs one. Otherwise those on this machine
// come in by any name that is no superuser's.
func DefaultRules(users bool) *Rules {
	all := []name{{text: "all"}}
	if users {
		return &Rules{list: []rule{
			{transport: "local", databases: all, users: all, method: scram256},
			{transport: "host", databases: all, users: all, method: scram256},
		}}
	}
	return &Rules{list: []rule{
		{transport: "local", databases: all, users: all, method: stranger},
		{transport: "host", databases: all, users: all, method: stranger,
			addresses: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}},
	}}
}

// find returns the rule that fits a connection. It fails with 28000 where none does.
func (r *Rules) find(a attempt, member func(role, group string) bool) (rule, error) {
	for _, candidate := range r.list {
		if candidate.fits(a, member) {
			return candidate, nil
		}
	}
	return rule{}, value.Errorf(value.CodeInvalidAuthorization, "no rule fits %s", a)
}

// fits reports whether a rule is for a connection.
func (r *rule) fits(a attempt, member func(role, group string) bool) bool {
	return r.fitsTransport(a) && r.fitsAddress(a.address) &&
		slices.ContainsFunc(r.databases, func(n name) bool { return n.fitsDatabase(a, member) }) &&
		slices.ContainsFunc(r.users, func(n name) bool { return n.fitsUser(a.user, member) })
}

func (r *rule) fitsTransport(a attempt) bool {
	switch r.transport {
	case "local":
		return !a.address.IsValid()
	case "hostssl":
		return a.address.IsValid() && a.secure
	case "hostnossl":
		return a.address.IsValid() && !a.secure
	}
	return a.address.IsValid()
}

func (r *rule) fitsAddress(address netip.Addr) bool {
	if r.own != noAddress {
		return r.own.contains(address)
	}
	return r.addresses == nil || slices.ContainsFunc(r.addresses, func(p netip.Prefix) bool { return p.Contains(address) })
}

func (n name) fitsDatabase(a attempt, member func(role, group string) bool) bool {
	if !n.quoted {
		switch n.text {
		case "all":
			return true
		case "sameuser":
			return a.database == a.user
		case "samerole":
			return member(a.user, a.database)
		}
	}
	return n.text == a.database
}

func (n name) fitsUser(user string, member func(role, group string) bool) bool {
	switch {
	case n.quoted:
		return n.text == user
	case n.text == "all":
		return true
	case n.text[0] == '+':
		return member(user, n.text[1:])
	}
	return n.text == user
}

// String describes a connection for an error.
func (a attempt) String() string {
	from, how := "a Unix socket", ""
	if a.address.IsValid() {
		from, how = a.address.String(), ", without TLS"
	}
	if a.secure {
		how = ", with TLS"
	}
	return "user \"" + a.user + "\" from " + from + " to database \"" + a.database + "\"" + how
}

// errMethod is the error of a connection that a rule cannot let in for what it lacks.
func errMethod(a attempt, m method, lacks string) *cubeloom.Error {
	return value.Errorf(value.CodeInvalidAuthorization, "the rule for %s asks for method %q, which needs %s", a, string(m), lacks)
}

// contains reports whether an address is one of this machine's, or in one of its
// networks.
func (o ownAddresses) contains(address netip.Addr) bool {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return false
	}
	for _, own := range list {
		prefix, err := netip.ParsePrefix(own.String())
		if err != nil {
			continue
		}
		if o == sameNet && prefix.Masked().Contains(address) || o == sameHost && prefix.Addr() == address {
			return true
		}
	}
	return false
}
