package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// LoadRules reads a rule file, which has the form of PostgreSQL's pg_hba.conf: one
// rule a line, of a kind of connection (local, host, hostssl, hostnossl), databases,
// users, an address (not for local) and a method (trust, reject, scram-sha-256,
// password, peer, cert). Errors name the file and the line.
func LoadRules(path string) (*Rules, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rules, err := ParseRules(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	return rules, nil
}

// ParseRules reads the text of a rule file. Its errors begin with the line's number.
func ParseRules(text string) (*Rules, error) {
	rules := &Rules{}
	number, begun, logical := 0, 0, ""
	for line := range strings.Lines(text + "\n") {
		number++
		if logical == "" {
			begun = number
		}
		line = strings.TrimRight(line, "\r\n")
		if head, goesOn := strings.CutSuffix(line, `\`); goesOn {
			logical += head
			continue
		}
		r, err := parseRule(logical + line)
		logical = ""
		if err != nil {
			return nil, fmt.Errorf("%d: %w", begun, err)
		}
		if r != nil {
			r.line = begun
			rules.list = append(rules.list, *r)
		}
	}
	if len(rules.list) == 0 {
		return nil, errors.New("1: no rules: nobody could log in")
	}
	return rules, nil
}

// parseRule reads one rule; nil where the line holds none.
func parseRule(line string) (_ *rule, err error) {
	defer sqlstate.Catch(&err)
	fields, err := splitFields(line)
	if err != nil || len(fields) == 0 {
		return nil, err
	}
	r := &rule{}
	r.transport = fields[0].keyword("a kind of connection", "local", "host", "hostssl", "hostnossl")
	want := []string{"databases", "users", "an address", "a method"}
	if r.transport == "local" {
		want = slices.Delete(want, 2, 3)
	}
	rest := fields[1:]
	if len(rest) < len(want) {
		return nil, fmt.Errorf("%s is missing", want[len(rest)])
	}
	r.databases, r.users, rest = rest[0], rest[1], rest[2:]
	checkNames(r.databases, r.users)
	if r.transport != "local" {
		rest = sqlstate.Must(r.parseAddress(rest))
	}
	r.parseMethod(rest)
	return r, nil
}

// checkNames refuses the forms of names that are not there.
func checkNames(databases, users field) {
	for _, n := range slices.Concat(databases, users) {
		switch {
		case n.quoted:
		case strings.HasPrefix(n.text, "@"):
			panic(fmt.Errorf("%s: names from files are not supported; list them", n.text))
		case strings.HasPrefix(n.text, "/"):
			panic(fmt.Errorf("%s: regular expressions are not supported; list the names", n.text))
		case n.text == "+":
			panic(errors.New("+ is without a role's name"))
		}
	}
	for _, n := range databases {
		if !n.quoted && (n.text == "replication" || n.text[0] == '+') {
			panic(fmt.Errorf("%s is no database: there is no replication, and +role is for users", n.text))
		}
	}
}

// parseAddress reads an address, which may be two fields, and returns the rest.
func (r *rule) parseAddress(fields []field) (rest []field, err error) {
	text, err := fields[0].single("an address")
	if err != nil {
		return nil, err
	}
	rest = fields[1:]
	switch text {
	case "all":
		return rest, nil
	case string(sameHost), string(sameNet):
		r.own = ownAddresses(text)
		return rest, nil
	}
	prefix, err := netip.ParsePrefix(text)
	if err != nil {
		address, err := netip.ParseAddr(text)
		if err != nil {
			return nil, fmt.Errorf("%q is no address: want one such as 10.0.0.0/8 or ::1/128, all, samehost or samenet; names of hosts are not supported", text)
		}
		bits, err := maskBits(address, rest)
		if err != nil {
			return nil, err
		}
		prefix, rest = netip.PrefixFrom(address, bits), rest[1:]
	}
	if prefix.Masked() != prefix {
		return nil, fmt.Errorf("%v has bits set behind its mask: want %v", prefix, prefix.Masked())
	}
	r.addresses = []netip.Prefix{prefix}
	return rest, nil
}

// maskBits reads a mask that stands behind its address, such as 255.255.0.0.
func maskBits(address netip.Addr, fields []field) (int, error) {
	if len(fields) == 0 {
		return 0, fmt.Errorf("%v is without a mask: want %v/%d for this address alone", address, address, address.BitLen())
	}
	mask, err := netip.ParseAddr(fields[0][0].text)
	if err != nil || mask.BitLen() != address.BitLen() {
		return 0, fmt.Errorf("%v is without a mask: want %v/%d for this address alone", address, address, address.BitLen())
	}
	ones, bits := net.IPMask(mask.AsSlice()).Size()
	if bits == 0 {
		return 0, fmt.Errorf("%v is no mask", mask)
	}
	return ones, nil
}

// parseMethod reads a method, which nothing may follow.
func (r *rule) parseMethod(fields []field) {
	if len(fields) == 0 {
		panic(errors.New("a method is missing"))
	}
	switch fields[0][0].text {
	case "md5":
		panic(errors.New("method md5 is not supported: passwords are kept for scram-sha-256"))
	case "ident", "gss", "sspi", "ldap", "radius", "pam", "bsd", "oauth":
		panic(fmt.Errorf("method %s is not supported", fields[0][0].text))
	}
	text := fields[0].keyword("a method", string(trust), string(reject), string(scram256), string(clearText), string(peer), string(clientCert))
	r.method = method(text)
	if len(fields) > 1 {
		panic(fmt.Errorf("%s: options of methods are not supported", fields[1][0].text))
	}
	switch {
	case r.method == peer && r.transport != "local":
		panic(errors.New("method peer is for local connections"))
	case r.method == clientCert && r.transport != "hostssl":
		panic(errors.New("method cert is for hostssl connections"))
	case r.method == clearText && r.transport == "hostnossl":
		panic(errors.New("method password is not for hostnossl connections: everyone on the way could read it"))
	}
}

// field is a blank-separated part of a line: a list of names.
type field []name

// single returns the one word of a field.
func (f field) single(what string) (string, error) {
	if len(f) != 1 {
		return "", fmt.Errorf("want %s, got a list", what)
	}
	return f[0].text, nil
}

// keyword returns the one word of a field that must be one of a few.
func (f field) keyword(what string, of ...string) string {
	text, err := f.single(what)
	if err == nil && !slices.Contains(of, text) {
		err = fmt.Errorf("%q is not %s: want %s", text, what, strings.Join(of, ", "))
	}
	sqlstate.Check(err)
	return text
}

// splitFields cuts a line at blanks, and fields at commas. Quotes take both into a
// name; # begins a comment.
func splitFields(line string) (fields []field, err error) {
	rest := strings.TrimLeft(line, " \t")
	for rest != "" && rest[0] != '#' {
		var f field
		for goesOn := true; goesOn; {
			var n name
			if n, rest, err = nextName(rest); err != nil {
				return nil, err
			}
			f = append(f, n)
			rest = strings.TrimLeft(rest, " \t")
			if rest, goesOn = strings.CutPrefix(rest, ","); goesOn {
				rest = strings.TrimLeft(rest, " \t")
			}
		}
		fields = append(fields, f)
	}
	return fields, nil
}

// nextName reads a name up to a blank, a comma or the end.
func nextName(text string) (n name, rest string, err error) {
	if body, quoted := strings.CutPrefix(text, `"`); quoted {
		inside, behind, closed := strings.Cut(body, `"`)
		if !closed {
			return n, "", errors.New("a quote is not closed")
		}
		if inside == "" {
			return n, "", errors.New("a name is empty")
		}
		return name{text: inside, quoted: true}, behind, nil
	}
	end := strings.IndexAny(text, " \t,\"#")
	if end < 0 {
		end = len(text)
	}
	if end == 0 {
		return n, "", errors.New("a name is missing")
	}
	return name{text: text[:end]}, text[end:], nil
}
