package server

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/binary"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/sql/value"
)

// registry holds the sessions that are logged in, for cancel requests.
type registry struct {
	mu    sync.Mutex
	last  uint32
	byPID map[uint32]*session
}

// superuserPlaces is how many sessions there may be beyond the limit, of superusers.
const superuserPlaces = 3

// add registers a session, with its PID and secret, unless there are limit sessions, or as many of
// its role as that may have: it fails with 53300 then. Superusers have places of their
// own, and their roles no limit.
func (r *registry) add(s *session, role *cubeloom.Role, limit int) error {
	var secret [4]byte
	rand.Read(secret[:]) // which never fails
	r.mu.Lock()
	defer r.mu.Unlock()
	if role.Superuser {
		limit += superuserPlaces
	}
	if len(r.byPID) >= limit {
		return value.Errorf(value.CodeTooManyConnections, "sorry, too many clients already")
	}
	if role.ConnectionLimit >= 0 && !role.Superuser {
		same := 0
		for _, other := range r.byPID {
			if other.role == uint32(role.OID) {
				same++
			}
		}
		if same >= role.ConnectionLimit {
			return value.Errorf(value.CodeTooManyConnections, "too many connections for role %q", role.Name)
		}
	}
	s.role = uint32(role.OID)
	for {
		r.last++
		if r.last >= 1<<31 {
			r.last = 1
		}
		if r.byPID[r.last] == nil {
			break
		}
	}
	s.pid, s.secret = r.last, binary.BigEndian.Uint32(secret[:])
	s.activity.PID = int32(s.pid)
	r.byPID[s.pid] = s
	return nil
}

// remove takes a session out.
func (r *registry) remove(s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byPID, s.pid)
}

// find returns a session by its PID, or nil.
func (r *registry) find(pid uint32) *session {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.byPID[pid]
}

// cancel ends the running statement of a session, where the secret is right.
func (r *registry) cancel(pid, secret uint32) {
	if s := r.find(pid); s != nil && subtle.ConstantTimeEq(int32(s.secret), int32(secret)) == 1 {
		s.cancel()
	}
}

// signal ends the statement of a session, or the session.
func (r *registry) signal(pid int32, terminate bool) bool {
	s := r.find(uint32(pid))
	if s == nil {
		return false
	}
	if terminate {
		s.terminated.Store(true)
		s.conn.raw.SetReadDeadline(time.Unix(1, 0))
		// A client that does not read what it asked for does not hold the session.
		s.conn.raw.SetWriteDeadline(time.Now().Add(farewell))
	}
	s.cancel()
	return true
}

// activity lists the sessions, by PID.
func (r *registry) activity() []cubeloom.Activity {
	r.mu.Lock()
	defer r.mu.Unlock()
	var list []cubeloom.Activity
	for _, pid := range slices.Sorted(maps.Keys(r.byPID)) {
		list = append(list, r.byPID[pid].currentActivity())
	}
	return list
}

// count is the number of sessions.
func (r *registry) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.byPID)
}

// cancelAll ends all running statements.
func (r *registry) cancelAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.byPID {
		s.cancel()
	}
}
