package server

import (
	"net"
	"net/netip"
)

// strangers are the connections that have not logged in, of which there is a limited
// number: a further one takes the place of another. The server's mu guards them.
type strangers struct {
	list   []*conn // as they came
	counts map[netip.Prefix]int
}

// add adds a connection and returns one that has to go for it, or nil.
func (s *strangers) add(c *conn, limit int) (victim *conn) {
	if len(s.list) >= limit {
		victim = s.victim()
		s.remove(victim)
	}
	s.list = append(s.list, c)
	s.counts[c.from]++
	return victim
}

// victim is the oldest connection of the address that has most: so who opens many
// pushes out its own.
func (s *strangers) victim() *conn {
	var victim *conn
	for _, c := range s.list {
		if victim == nil || s.counts[c.from] > s.counts[victim.from] {
			victim = c
		}
	}
	return victim
}

// remove takes a connection out, if it is there.
func (s *strangers) remove(c *conn) {
	for i, other := range s.list {
		if other != c {
			continue
		}
		s.list = append(s.list[:i], s.list[i+1:]...)
		if s.counts[c.from]--; s.counts[c.from] == 0 {
			delete(s.counts, c.from)
		}
		return
	}
}

// fromOf is the address that counts a connection.
func fromOf(nc net.Conn) netip.Prefix {
	if tcp, ok := nc.RemoteAddr().(*net.TCPAddr); ok {
		return prefixOf(tcp.AddrPort().Addr().Unmap().WithZone(""))
	}
	return netip.Prefix{}
}
