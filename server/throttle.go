package server

import (
	"context"
	"math"
	"net/netip"
	"sync"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// throttle slows guessing of passwords: behind some wrong ones, others of the same
// role from the same address are looked at one by one, in intervals that grow, and so
// are those of all roles from an address that fails at many. Others notice nothing. It
// is safe for concurrent use.
type throttle struct {
	mu        sync.Mutex
	pairs     map[pair]*failures
	addresses map[netip.Prefix]*failures
}

// pair is who fails.
type pair struct {
	user    string
	address netip.Prefix
}

// failures are the wrong passwords of someone.
type failures struct {
	count float64   // half as many after each half-life
	last  time.Time // when the last one came
	next  time.Time // when the next one may be looked at
}

// patience is how an interval grows: it is firstInterval behind free failures, and twice
// as long with each one more, up to longest.
type patience struct {
	free    float64
	longest time.Duration
}

var (
	pairPatience    = patience{free: 3, longest: 4 * time.Second}
	addressPatience = patience{free: 30, longest: 2 * time.Second}
)

const (
	firstInterval = 100 * time.Millisecond
	halfLife      = time.Minute
	longestWait   = 5 * time.Second // of one login
	maxFailing    = 4096            // of pairs, and of addresses
	maxCount      = 40              // of failures: what comes above is forgotten at once
)

// await waits until the password of a login may be looked at. It fails with 28000 where
// that would take too long, and where ctx ends first.
func (t *throttle) await(ctx context.Context, a attempt) error {
	wait := t.reserve(a, time.Now())
	if wait > longestWait {
		return value.Errorf(value.CodeInvalidAuthorization, "too many failed logins of %s: try again in %d s", a, int(math.Ceil(wait.Seconds())))
	}
	select {
	case <-time.After(wait):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// reserve returns how long a login has to wait for its turn, and takes the turn unless
// that is too long.
func (t *throttle) reserve(a attempt, now time.Time) (wait time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := prefixOf(a.address)
	one, all := t.pairs[pair{a.user, from}], t.addresses[from]
	wait = max(one.wait(now), all.wait(now))
	if wait <= longestWait {
		one.take(now.Add(wait), pairPatience)
		all.take(now.Add(wait), addressPatience)
	}
	return wait
}

// wait is how long it is to the next turn; nil: none.
func (f *failures) wait(now time.Time) time.Duration {
	if f == nil {
		return 0
	}
	return max(f.next.Sub(now), 0)
}

// take takes the turn at a time. Behind many failures it is taken for one more until it
// turns out to be none, so that those that come at the same time have to wait for it.
func (f *failures) take(at time.Time, p patience) {
	if f == nil {
		return
	}
	if f.at(at) >= p.free {
		f.add(at)
		f.next = at.Add(p.interval(f.count))
	}
}

// add counts one more at a time, which may lie before that of the last.
func (f *failures) add(at time.Time) {
	f.count = min(f.at(at)+1, maxCount)
	if at.After(f.last) {
		f.last = at
	}
}

// at is how many failures count at a time.
func (f *failures) at(now time.Time) float64 {
	return f.count * math.Exp2(-max(now.Sub(f.last), 0).Seconds()/halfLife.Seconds())
}

// interval is the time between two looks behind a number of failures.
func (p patience) interval(count float64) time.Duration {
	if count < p.free {
		return 0
	}
	return time.Duration(min(float64(firstInterval)*math.Exp2(count-p.free), float64(p.longest)))
}

// failed notes a wrong password. Many stand behind the addresses of this machine, such
// as proxies and pools: there only the role counts.
func (t *throttle) failed(a attempt, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := prefixOf(a.address)
	note(t.pairs, pair{a.user, from}, pairPatience, now)
	if a.address.IsValid() && !a.address.IsLoopback() {
		note(t.addresses, from, addressPatience, now)
	}
}

// succeeded forgets the failures of who has the right password after all.
func (t *throttle) succeeded(a attempt) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.pairs, pair{a.user, prefixOf(a.address)})
}

// note counts a failure. Where there are too many to remember, those that count least
// go.
func note[K comparable](of map[K]*failures, key K, p patience, now time.Time) {
	f := of[key]
	if f == nil {
		if len(of) >= maxFailing {
			forget(of, now)
		}
		f = &failures{}
		of[key] = f
	}
	f.add(now)
	if next := now.Add(p.interval(f.count)); next.After(f.next) {
		f.next = next
	}
}

// forget forgets the half of the failures that counts least.
func forget[K comparable](of map[K]*failures, now time.Time) {
	var sum float64
	for _, f := range of {
		sum += f.at(now)
	}
	average, spare := sum/float64(len(of)), len(of)/2
	for key, f := range of {
		if spare > 0 && f.at(now) <= average {
			delete(of, key)
			spare--
		}
	}
}

// prefixOf is what is taken for one address: of IPv6 the network, since the owner of one
// address there has as many as it takes.
func prefixOf(a netip.Addr) netip.Prefix {
	bits := a.BitLen()
	if a.Is6() && !a.IsLoopback() {
		bits = 64
	}
	prefix, err := a.Prefix(bits)
	if err != nil {
		return netip.Prefix{}
	}
	return prefix
}
