package isolation

import (
	"context"
	"flag"
	"net"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/server"
)

var (
	histories = flag.Int("histories", 4, "random histories at each level")
	firstSeed = flag.Uint64("seed", uint64(time.Now().UnixNano()%1e6), "seed of the first history")
	rounds    = flag.Int("rounds", 100, "attempts at write skew")
)

// connector opens connections to a server.
type connector = func(context.Context) (*pgconn.PgConn, error)

// cubeloomServer starts a server, which the end of the test stops.
func cubeloomServer(t *testing.T) connector {
	t.Helper()
	db, err := cubeloom.Open(cubeloom.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := server.New(server.Config{DB: db})
	go srv.Serve(l)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if err := srv.Shutdown(ctx); err != nil {
			t.Error(err)
		}
		db.Close()
	})
	return func(ctx context.Context) (*pgconn.PgConn, error) {
		return pgconn.Connect(ctx, "sslmode=disable user=postgres dbname=postgres host=127.0.0.1 port="+portOf(l))
	}
}

func portOf(l net.Listener) string {
	_, port, _ := net.SplitHostPort(l.Addr().String())
	return port
}

// checkServer runs histories at every level, and reports what the level forbids.
// That the weaker levels have anomalies shows that the histories can.
func checkServer(t *testing.T, connect connector) {
	for _, level := range Levels {
		t.Run(string(level), func(t *testing.T) {
			found, committed, failed := map[string]int{}, 0, 0
			for i := range *histories {
				seed := *firstSeed + uint64(i)
				o := Options{Level: level, Seed: seed, Clients: 16, Transactions: 12, Objects: 6, Tables: []int{6, 3, 1}[i/4%3]}
				h, lost, err := Run(context.Background(), connect, o)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				failed += lost
				committed += len(h) - lost
				for _, a := range Check(h, level != ReadCommitted) {
					found[a.Name]++
					if level.Forbids(a.Name) {
						t.Errorf("seed %d: %v", seed, a)
					}
				}
			}
			t.Logf("%d histories from seed %d: %d transactions ended by themselves, %d were in others' way; anomalies: %v",
				*histories, *firstSeed, committed, failed, found)
		})
	}
}

// checkWriteSkew holds that there is none at SERIALIZABLE, and that the attempt
// makes it at REPEATABLE READ.
func checkWriteSkew(t *testing.T, connect connector) {
	for _, test := range []struct {
		level  Level
		rounds int
		all    bool
	}{{RepeatableRead, 20, true}, {Serializable, *rounds, false}} {
		skewed, err := WriteSkew(context.Background(), connect, test.level, test.rounds)
		if err != nil {
			t.Fatal(err)
		}
		if test.all != (skewed == test.rounds) || !test.all && skewed > 0 {
			t.Errorf("at %s %d of %d attempts were skewed", test.level, skewed, test.rounds)
		}
	}
}

func TestHistories(t *testing.T) { checkServer(t, cubeloomServer(t)) }

func TestWriteSkew(t *testing.T) { checkWriteSkew(t, cubeloomServer(t)) }
