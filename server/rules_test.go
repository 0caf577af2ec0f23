package server

import (
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestRules(t *testing.T) {
	rules, err := ParseRules(`
# TYPE  DATABASE        USER            ADDRESS                 METHOD
local   all             root                                    peer
local   sameuser        all                                     scram-sha-256  # behind it
host    all             eve             all                     reject
hostssl sales,"all"     +readers,bob    10.1.0.0/16             scram-sha-256
hostnossl postgres      all             10.2.0.0  255.255.0.0   trust
host    samerole        "+readers"      ::1/128                 \
                                                                password
host    all             all             samehost                scram-sha-256
`)
	if err != nil {
		t.Fatal(err)
	}
	member := func(role, group string) bool { return role == "ana" && group == "readers" || role == group }
	for _, c := range []struct {
		user, database, address string
		secure                  bool
		line                    int // 0: none
	}{
		{"root", "x", "", false, 3},
		{"ana", "ana", "", false, 4},
		{"ana", "sales", "", false, 0},
		{"eve", "sales", "10.1.2.3", true, 5},
		{"ana", "sales", "10.1.2.3", true, 6},
		{"bob", "all", "10.1.2.3", true, 6},
		{"bob", "other", "10.1.2.3", true, 0},
		{"ana", "sales", "10.1.2.3", false, 0},
		{"ana", "sales", "10.3.2.3", true, 0},
		{"readers", "sales", "10.1.2.3", true, 6},
		{"carl", "sales", "10.1.2.3", true, 0},
		{"carl", "postgres", "10.2.255.1", false, 7},
		{"carl", "postgres", "10.2.255.1", true, 0},
		{"+readers", "+readers", "::1", true, 8},
		{"ana", "readers", "::1", true, 10},
		{"ana", "x", "127.0.0.1", false, 10},
	} {
		a := attempt{user: c.user, database: c.database, secure: c.secure}
		if c.address != "" {
			a.address = netip.MustParseAddr(c.address)
		}
		r, err := rules.find(a, member)
		if r.line != c.line || (err != nil) != (c.line == 0) {
			t.Errorf("%s: line %d, %v; want %d", a, r.line, err, c.line)
		}
	}
}

func TestBadRules(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# nothing", "1: no rules: nobody could log in"},
		{"\nremote all all all trust", `2: "remote" is not a kind of connection: want local, host, hostssl, hostnossl`},
		{"host all", "1: users is missing"},
		{"host all all", "1: an address is missing"},
		{"local all all", "1: a method is missing"},
		{"host all all all", "1: a method is missing"},
		{"host all all 10.0.0.0 trust", "1: 10.0.0.0 is without a mask: want 10.0.0.0/32 for this address alone"},
		{"host all all 10.0.0.0 255.0.255.0 trust", "1: 255.0.255.0 is no mask"},
		{"host all all 10.0.0.1/8 trust", "1: 10.0.0.1/8 has bits set behind its mask: want 10.0.0.0/8"},
		{"host all all db.example.com trust", `1: "db.example.com" is no address: want one such as 10.0.0.0/8 or ::1/128, all, samehost or samenet; names of hosts are not supported`},
		{"host all all all md5", "1: method md5 is not supported: passwords are kept for scram-sha-256"},
		{"host all all all ldap ldapserver=x", "1: method ldap is not supported"},
		{"host all all all ever", `1: "ever" is not a method: want trust, reject, scram-sha-256, password, peer, cert`},
		{"hostssl all all all cert clientcert=verify-full", "1: clientcert=verify-full: options of methods are not supported"},
		{"host all all all peer", "1: method peer is for local connections"},
		{"host all all all cert", "1: method cert is for hostssl connections"},
		{"hostnossl all all all password", "1: method password is not for hostnossl connections: everyone on the way could read it"},
		{"host @file all all trust", "1: @file: names from files are not supported; list them"},
		{"host all /^a all trust", "1: /^a: regular expressions are not supported; list the names"},
		{"host replication all all trust", "1: replication is no database: there is no replication, and +role is for users"},
		{`host "all all all trust`, "1: a quote is not closed"},
		{`host "" all all trust`, "1: a name is empty"},
		{"host a,,b all all trust", "1: a name is missing"},
		{"host all + all trust", "1: + is without a role's name"},
	} {
		file := filepath.Join(t.TempDir(), "rules")
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := LoadRules(file); err == nil || err.Error() != file+":"+c.want {
			t.Errorf("%q: got %v", c.text, err)
		}
	}
}

func FuzzRules(f *testing.F) {
	f.Add("host all all 10.0.0.0/8 trust\n")
	f.Add("hostssl \"a b\",c +d ::1/128 scram-sha-256 # x\n\\")
	f.Add("local a,")
	f.Fuzz(func(t *testing.T, text string) {
		rules, err := ParseRules(text)
		if err != nil {
			if number, _, ok := strings.Cut(err.Error(), ":"); !ok || strings.Trim(number, "0123456789") != "" {
				t.Errorf("an error without a line: %v", err)
			}
			return
		}
		rules.find(attempt{user: "a", database: "b"}, func(string, string) bool { return false })
	})
}

// TestThrottle slows who fails, in intervals that grow, and forgets it in time.
func TestThrottle(t *testing.T) {
	th := &throttle{pairs: map[pair]*failures{}, addresses: map[netip.Prefix]*failures{}}
	ana := attempt{user: "ana", address: netip.MustParseAddr("10.0.0.1")}
	now := time.Unix(1e9, 0)
	looked := 0
	for range 6000 { // a hundred a second
		now = now.Add(10 * time.Millisecond)
		if th.reserve(ana, now) <= longestWait {
			looked++
			th.failed(ana, now)
		}
	}
	if looked < 15 || looked > 30 {
		t.Errorf("%d passwords were looked at in a minute", looked)
	}
	for _, other := range []attempt{{user: "bob", address: ana.address}, {user: "ana", address: netip.MustParseAddr("10.0.0.2")}, {user: "ana"}} {
		if wait := th.reserve(other, now); wait > 0 {
			t.Errorf("%s waits %v", other, wait)
		}
	}
	if wait := th.reserve(ana, now.Add(5*time.Minute)); wait > 0 {
		t.Errorf("after five minutes it still waits %v", wait)
	}
	// Many names from one address.
	looked = 0
	for i := range 6000 {
		now = now.Add(10 * time.Millisecond)
		a := attempt{user: strings.Repeat("x", i), address: netip.MustParseAddr("2001:db8::1")}
		if th.reserve(a, now) <= longestWait {
			looked++
			th.failed(a, now)
		}
	}
	if looked > 80 {
		t.Errorf("%d passwords of many names were looked at in a minute", looked)
	}
	if wait := th.reserve(attempt{user: "bob", address: netip.MustParseAddr("2001:db8::2")}, now); wait == 0 {
		t.Error("another address of the same network does not wait")
	}
	for i := range 3 * maxFailing {
		a := netip.AddrFrom4([4]byte{11, byte(i >> 16), byte(i >> 8), byte(i)})
		th.failed(attempt{user: "ana", address: a}, now)
	}
	if len(th.pairs) > maxFailing || len(th.addresses) > maxFailing {
		t.Errorf("%d and %d are remembered", len(th.pairs), len(th.addresses))
	}
}
