//go:build device

package tests

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
	"github.com/cubeloom/cubeloom/tests/reference"
)

var cubeDevice = flag.Int("cubes.device", 2, "number of random cubes of each table that a device refines beside the CPU")

// TestDeviceCubes refines random cubes on the device and on the CPU: of no rows, one, all
// equal, few, and several tiles.
func TestDeviceCubes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(*cubeSeed, 20))
	db := openDeviceEngine(t)
	refined := 0
	for _, table := range []struct {
		rows int
		one  bool
	}{{0, false}, {1, false}, {60, true}, {400, false}, {5000, false}} {
		mustQuery(t, &db.engine, "SET device = cpu")
		for _, sql := range cubeTable(rng, table.rows, table.one) {
			mustQuery(t, &db.engine, sql)
		}
		for range *cubeDevice {
			sql := cubeQuery(rng)
			mustQuery(t, &db.engine, "SET device = cpu")
			mustQuery(t, &db.engine, "SET cube_strategy = refine")
			want, failure := db.Query(ctx, sql)
			mustQuery(t, &db.engine, "SET device = cuda")
			got, err := db.Query(ctx, sql)
			switch {
			case err != nil && strings.Contains(err.Error(), "cube_strategy is refine, which does not apply"):
			case err != nil || failure != nil:
				if db.SQLState(err) != db.SQLState(failure) {
					t.Errorf("%d rows, %s: gave %v, want %v", table.rows, sql, err, failure)
				}
			default:
				refined++
				if err := reference.Compare(got, want, false); err != nil {
					t.Errorf("%d rows, %s\n%v", table.rows, sql, err)
				}
			}
		}
	}
	db.log(t)
	if db.onDevice == 0 || refined == 0 {
		t.Errorf("%d cubes were refined, %d kernels ran on the device", refined, db.onDevice)
	}
}

// TestDeviceCubesOfManyCells refines keys of many codes, whose cells are sorted, and 64 keys
// in 40 sets.
func TestDeviceCubesOfManyCells(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	many, sql := manyDimensions(rand.New(rand.NewPCG(*cubeSeed, 21)))
	for _, sql := range []string{
		"SET device = cpu", "SET cube_strategy = refine", many,
		"CREATE TABLE w AS SELECT i * 7919 % 1000003 AS a, i % 300 * 1000 AS b, i % 7 AS c, i % 64 AS m FROM generate_series(1, 5000) AS s(i)",
	} {
		mustQuery(t, &db.engine, sql)
	}
	for _, sql := range []string{
		sql,
		"SELECT a, b, c, count(*), sum(m) FROM w GROUP BY CUBE (a, b, c)",
		"SELECT a, b, c, count(*), sum(m) FROM w GROUP BY CUBE (a, b, c) HAVING count(*) >= 2 AND max(m) >= 40",
	} {
		mustQuery(t, &db.engine, "SET device = cpu")
		want := mustQuery(t, &db.engine, sql)
		mustQuery(t, &db.engine, "SET device = cuda")
		before := db.onDevice
		got, err := db.Query(context.Background(), sql)
		if err != nil {
			t.Fatal(err)
		}
		if err := reference.Compare(got, want, false); err != nil {
			t.Errorf("%s\n%v", sql, err)
		}
		if db.onDevice == before {
			t.Errorf("nothing ran on the device of %s", sql)
		}
	}
	db.log(t)
}

// leaving notes that many bytes have been copied to the host at once, and waits for that, or fails,
// at one of the launches.
type leaving struct {
	mu       sync.Mutex
	launches int
	at       int // the launch that waits
	fails    bool
	left     chan struct{} // closed when many bytes are copied
}

func (l *leaving) expect(at int, fails bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.launches, l.at, l.fails, l.left = 0, at, fails, make(chan struct{})
}

type leavingStream struct {
	cuda.Stream
	*leaving
}

func (s leavingStream) Launch(l cuda.Launch) error {
	s.mu.Lock()
	s.launches++
	waits, left := s.launches == s.at, s.left
	s.mu.Unlock()
	if waits {
		select {
		case <-left:
		case <-time.After(20 * time.Second):
			return errors.New("nothing has left before the last launch")
		}
		if s.fails {
			return fmt.Errorf("the launch failed: %w", cuda.ErrLost)
		}
	}
	return s.Stream.Launch(l)
}

func (s leavingStream) Download(ctx context.Context, copies ...cuda.Copy) error {
	bytes := 0
	for _, c := range copies {
		bytes += len(c.Dst)
	}
	if s.mu.Lock(); bytes > 1<<20 {
		select {
		case <-s.left:
		default:
			close(s.left)
		}
	}
	s.mu.Unlock()
	return s.Stream.Download(ctx, copies...)
}

// Cuboids that are found by refinement leave the device while others are computed; where one of
// these fails then, the CPU gives the answer.
func TestCuboidsLeave(t *testing.T) {
	t.Parallel()
	noted := &leaving{}
	open := device.Opener(t)
	db := openDatabase(t, cubeloom.Options{Device: "cuda", OpenDevice: func(ordinal int) (cuda.Device, error) {
		d, err := open(ordinal)
		return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return leavingStream{s, noted} }}, err
	}, Devices: 1})
	s := db.Session()
	for _, sql := range []string{"SET device = cpu", "CREATE TABLE tall AS SELECT i AS a, i % 3 AS b FROM generate_series(1, 70000) AS s(i)", "SET cube_strategy = refine"} {
		query(t, s, sql)
	}
	const cube = "SELECT a, b, count(*), sum(a) FROM tall GROUP BY CUBE (a, b)"
	_, want := query(t, s, cube)
	query(t, s, "SET device = cuda")
	noted.expect(0, false)
	query(t, s, cube)
	launches := noted.launches
	for _, fails := range []bool{false, true} {
		noted.expect(launches, fails)
		res, got := query(t, s, cube)
		if sorted(got) != sorted(want) || (ranOn(res) == "cuda") == fails {
			t.Errorf("where the last of %d launches fails: %v, on %s, %v, equal %v", launches, fails, ranOn(res), res.Notices, sorted(got) == sorted(want))
		}
		res.Close()
	}
}
