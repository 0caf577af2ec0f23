//go:build costs

package costs

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

var (
	only    = flag.String("costs.only", "", "the name of one statement to run, and no other")
	sample  = flag.Int("costs.sample", 8, "how many of the large statements are run, chosen at random; 0: all")
	clients = flag.Int("costs.clients", 8, "how many clients run them at the same time, after one has alone")
	seed    = flag.Uint64("costs.seed", 0, "seed of what is chosen and its order; 0: another one each time")
)

// The limits of the server, and what its process may take in MB.
const (
	statementLimit = "256MB"
	totalLimit     = "512MB"
	maxMemory      = 1024
	longestAnswer  = time.Second
	longestRun     = 5 * time.Minute
)

// TestLargeStatementsStayWithinTheServersMemory runs statements that are made to take
// much memory: each alone, then all of them from several clients. The process stays
// below its limit, each statement has its answer or 53200, and others are answered all
// the time.
func TestLargeStatementsStayWithinTheServersMemory(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("repeat with -costs.seed %d", *seed)
	random := rand.New(rand.NewPCG(*seed, 0))
	chosen := make([]large, 0, len(statements))
	for _, i := range random.Perm(len(statements)) {
		if *only == statements[i].name || *only == "" && (*sample == 0 || len(chosen) < *sample) {
			chosen = append(chosen, statements[i])
		}
	}
	p := startServer(t, "--memory-limit", statementLimit, "--total-memory", totalLimit)
	for _, st := range chosen {
		p.resetHighWater()
		slowest := watched(t, p, func() { check(t, p, st) })
		t.Logf("%-30s %5d MB, slowest answer beside it %v", st.name, p.highWater(t), slowest.Round(time.Millisecond))
		if mb := p.highWater(t); mb >= maxMemory {
			t.Errorf("%s: the process takes %d MB", st.name, mb)
		}
	}
	p.resetHighWater()
	slowest := watched(t, p, func() { together(t, p, chosen, random) })
	t.Logf("%d clients: %d MB, slowest answer beside them %v", *clients, p.highWater(t), slowest.Round(time.Millisecond))
	if mb := p.highWater(t); mb >= maxMemory {
		t.Errorf("%d clients: the process takes %d MB", *clients, mb)
	}
}

// together runs the statements from several clients, each in an order of its own.
func together(t *testing.T, p *process, chosen []large, random *rand.Rand) {
	var wg sync.WaitGroup
	for range *clients {
		order := random.Perm(len(chosen))
		wg.Go(func() {
			for _, i := range order {
				check(t, p, chosen[i])
			}
		})
	}
	wg.Wait()
}

// check runs a statement: it succeeds, or fails since it needs too much.
func check(t *testing.T, p *process, st large) {
	ctx, cancel := context.WithTimeout(context.Background(), longestRun)
	defer cancel()
	c, err := newClient(ctx, p)
	if err != nil {
		t.Errorf("%s: %v", st.name, err)
		return
	}
	defer func() {
		if err := c.close(); err != nil {
			t.Errorf("after %s: %v", st.name, err)
		}
	}()
	began := time.Now()
	err = st.run(c)
	var e *pgconn.PgError
	switch {
	case err == nil:
	case errors.As(err, &e) && (e.Code == "53200" || e.Code == "54000" || e.Code == "54001"):
	default:
		t.Errorf("%s: after %v: %v", st.name, time.Since(began).Round(time.Millisecond), err)
	}
}
