//go:build device

package tests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/runtime/machine"
	"github.com/cubeloom/cubeloom/tests/device"
)

// sumOfMany is a query that is quicker on the device of tests that openQuick opens.
const sumOfMany = "SELECT v, sum(w), count(*) FROM many GROUP BY v ORDER BY v"

// openQuick opens a database with device = auto where a device is quicker than the host once its
// kernels are compiled and its columns there: figures are those of a slow host.
func openQuick(t *testing.T, opts cubeloom.Options, figures map[string]float64) (*cubeloom.DB, *cubeloom.Session) {
	t.Helper()
	m, err := machine.Default().WithFigures(map[string]float64{
		"Device.Step": 1, "Device.Open": 1, "Device.Compile": 1e15, "Host.Row": 1e4, "Host.Encoded": 1e-3,
	})
	if err == nil {
		m, err = m.WithFigures(figures)
	}
	if err != nil {
		t.Fatal(err)
	}
	machine.Use(m)
	t.Cleanup(func() { machine.Use(machine.Default()) })
	opts.Devices = 1
	db, err := cubeloom.Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	s := db.Session()
	query(t, s, "SET device = cpu")
	query(t, s, "CREATE TABLE many AS SELECT i % 7 AS v, i AS w FROM generate_series(1, 20000) AS s(i)")
	query(t, s, "SET device = auto")
	return db, s
}

// answers are those of sumOfMany.
func answers(t *testing.T, s *cubeloom.Session) string {
	t.Helper()
	query(t, s, "SET device = cpu")
	_, rows := query(t, s, sumOfMany)
	query(t, s, "SET device = auto")
	return rows
}

// runsOnCPU runs sumOfMany, which is to run on the CPU for a reason that EXPLAIN ANALYZE shows, and that
// nobody is told of otherwise.
func runsOnCPU(t *testing.T, s *cubeloom.Session, want, reason string) {
	t.Helper()
	res, rows := query(t, s, sumOfMany)
	if rows != want || strings.Contains(ranOn(res), "cuda") || len(res.Notices) > 0 {
		t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
	}
	if _, plan := query(t, s, "EXPLAIN ANALYZE "+sumOfMany); !strings.Contains(plan, "on cpu: "+reason) {
		t.Errorf("EXPLAIN ANALYZE does not say %q:\n%s", reason, plan)
	}
}

// comesToDevice runs sumOfMany until the device runs it, and holds that every answer is right.
func comesToDevice(t *testing.T, s *cubeloom.Session, want string) {
	t.Helper()
	for range 3000 {
		res, rows := query(t, s, sumOfMany)
		if rows != want || len(res.Notices) > 0 {
			t.Fatalf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
		}
		if strings.Contains(ranOn(res), "cuda") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the device never runs the query")
}

// A statement whose kernels are not compiled runs on the CPU while they are compiled, and a later
// one finds them.
func TestKernelsAreCompiledBehind(t *testing.T) {
	d := newStuck(device.Open(t))
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) { return d, nil }}, nil)
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	want := answers(t, s)
	runsOnCPU(t, s, want, "kernels are being compiled; CPU this time")
	loads := len(d.asked)
	runsOnCPU(t, s, want, "kernels are being compiled; CPU this time")
	if n := len(d.asked); n == 0 || n > loads+1 {
		t.Errorf("%d modules are compiled, then %d", loads, n)
	}
	close(d.gate)
	comesToDevice(t, s, want)
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// Where waiting for the compiler is likely to be quicker than the CPU the statement waits.
func TestStatementWaitsWhereThatIsQuicker(t *testing.T) {
	db, s := openQuick(t, cubeloom.Options{OpenDevice: device.Opener(t)}, map[string]float64{"Device.Compile": 1, "Device.Open": 1})
	defer db.Close()
	want := answers(t, s)
	if res, rows := query(t, s, sumOfMany); rows != want || !strings.Contains(ranOn(res), "cuda") {
		t.Errorf("%q on %s", rows, ranOn(res))
	}
}

// keeping is a device that keeps all machine code, and takes a while to load it.
type keeping struct{ cuda.Device }

func (k keeping) Keeps(string) bool { return true }

func (k keeping) Load(ctx context.Context, name, source string) (cuda.Code, error) {
	time.Sleep(20 * time.Millisecond)
	return k.Device.Load(ctx, name, source)
}

// A statement waits until kernels are loaded that need not be compiled.
func TestKeptKernelsAreWaitedFor(t *testing.T) {
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) { return keeping{device.Open(t)}, nil }}, nil)
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	want := answers(t, s)
	if res, rows := query(t, s, sumOfMany); rows != want || !strings.Contains(ranOn(res), "cuda") {
		t.Errorf("%q on %s", rows, ranOn(res))
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// failing is a device whose compiler fails.
type failing struct {
	cuda.Device
	loads atomic.Int32
}

func (f *failing) Load(context.Context, string, string) (cuda.Code, error) {
	f.loads.Add(1)
	return nil, errors.New("error: a token is missing\nand more of the log")
}

// Kernels that cannot be compiled leave statements on the CPU where they may run there, and are not
// tried again.
func TestCompilerFails(t *testing.T) {
	d := &failing{Device: device.Open(t)}
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) { return d, nil }}, nil)
	defer db.Close()
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	want := answers(t, s)
	for start := time.Now(); d.loads.Load() == 0 && time.Since(start) < time.Minute; {
		query(t, s, sumOfMany)
	}
	const reason = "cannot be compiled: error: a token is missing"
	for start := time.Now(); ; time.Sleep(time.Millisecond) {
		_, plan := query(t, s, "EXPLAIN ANALYZE "+sumOfMany)
		if strings.Contains(plan, reason) {
			break
		}
		if time.Since(start) > time.Minute {
			t.Fatalf("EXPLAIN ANALYZE does not say why:\n%s", plan)
		}
	}
	loads := d.loads.Load()
	if res, rows := query(t, s, sumOfMany); rows != want || strings.Contains(ranOn(res), "cuda") || d.loads.Load() != loads {
		t.Errorf("%q on %s, compiled %d and then %d times", rows, ranOn(res), loads, d.loads.Load())
	}
}

// TestCompilerFailsWhileItIsWaitedFor holds that a statement which only waited because that seemed to be
// quicker is answered by the CPU.
func TestCompilerFailsWhileItIsWaitedFor(t *testing.T) {
	d := &failing{Device: device.Open(t)}
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) { return d, nil }}, map[string]float64{"Device.Compile": 1})
	defer db.Close()
	want := answers(t, s)
	if res, rows := query(t, s, sumOfMany); rows != want || strings.Contains(ranOn(res), "cuda") || len(res.Notices) > 0 || d.loads.Load() == 0 {
		t.Errorf("%q on %s after %d tries, notices %v", rows, ranOn(res), d.loads.Load(), res.Notices)
	}
	query(t, s, "SET device = cuda")
	if _, err := s.Query(context.Background(), sumOfMany); err == nil || !strings.Contains(err.Error(), "a token is missing") {
		t.Errorf("device = cuda: error %v", err)
	}
}

// A compiler that does not return keeps nobody: statements run on the CPU, it is given no more
// kernels, and the database can be closed.
func TestCompilerHangs(t *testing.T) {
	d := newStuck(device.Open(t))
	defer close(d.gate)
	db, s := openQuick(t, cubeloom.Options{CompileLimit: time.Millisecond, OpenDevice: func(int) (cuda.Device, error) { return d, nil }}, nil)
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	query(t, s, "SET device = cuda")
	for n := range 12 {
		sql := fmt.Sprintf("SELECT sum(w%s) FROM many WHERE v > 1", strings.Repeat("+w", n))
		if res, _ := query(t, s, sql); strings.Contains(ranOn(res), "cuda") || len(res.Notices) != 1 {
			t.Errorf("ran on %s, notices %v", ranOn(res), res.Notices)
		}
	}
	if n := len(d.asked); n > 6 {
		t.Errorf("a compiler that does not return was given %d kernels", n)
	}
	query(t, s, "SET device = auto")
	res, rows := query(t, s, sumOfMany)
	if strings.Contains(ranOn(res), "cuda") || len(res.Notices) > 0 || rows != answers(t, s) {
		t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
	}
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// closing is a device that notes when it is closed.
type closing struct {
	cuda.Device
	closed chan struct{}
}

func (c *closing) Close() error {
	close(c.closed)
	return c.Device.(io.Closer).Close()
}

// A device is opened behind the statements that would have gained by it. One that comes when the
// database is closed is closed too.
func TestDeviceIsOpenedBehind(t *testing.T) {
	gate, closed := make(chan struct{}), make(chan struct{})
	opener := device.Opener(t)
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) {
		<-gate
		d, err := opener(0)
		return &closing{d, closed}, err
	}}, nil)
	want := answers(t, s)
	runsOnCPU(t, s, want, "the device is being opened; CPU this time")
	if err := db.Close(); err != nil {
		t.Error(err)
	}
	close(gate)
	select {
	case <-closed:
	case <-time.After(time.Minute):
		t.Error("a device that was opened too late is not closed")
	}
}

// A process whose statements gain less by a device than opening takes opens none.
func TestDeviceIsNotOpened(t *testing.T) {
	db, s := openQuick(t, cubeloom.Options{OpenDevice: func(int) (cuda.Device, error) {
		t.Error("the device is opened")
		return nil, cuda.ErrNoDevice
	}}, map[string]float64{"Device.Open": 1e15})
	defer db.Close()
	runsOnCPU(t, s, answers(t, s), "the device is not open")
}

// Columns are copied behind the statements that would have gained by them.
func TestColumnsAreCopiedBehind(t *testing.T) {
	db, s := openQuick(t, cubeloom.Options{OpenDevice: device.Opener(t)}, map[string]float64{"Host.Encoded": 1.5e4, "Device.Compile": 1})
	defer db.Close()
	if _, _, err := db.CUDADevices(); err != nil {
		t.Fatal(err)
	}
	want := answers(t, s)
	copied := false
	for range 3000 {
		_, plan := query(t, s, "EXPLAIN ANALYZE "+sumOfMany)
		if copied = copied || strings.Contains(plan, "columns are being copied to the device; CPU this time"); copied {
			break
		}
	}
	if !copied {
		t.Error("EXPLAIN ANALYZE never says that columns are copied")
	}
	comesToDevice(t, s, want)
}

// TestDeviceFallbackOff has it be an error to run anything elsewhere than on the device.
func TestDeviceFallbackOff(t *testing.T) {
	for _, c := range []struct {
		name, sql, code, message string
		change                   func(cuda.Device) cuda.Device
	}{
		{"none", "SELECT sum(amount) FROM sales", "", "", func(d cuda.Device) cuda.Device { return d }},
		{"no code", "SELECT count(*) FROM sales WHERE sqrt(amount::numeric) > 4", "0A000", "there is no device code", func(d cuda.Device) cuda.Device { return d }},
		{"recursion", "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT sum(i) FROM r", "0A000", "WITH RECURSIVE", func(d cuda.Device) cuda.Device { return d }},
		{"result of a recursion", "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 3) SELECT * FROM r", "0A000", "WITH RECURSIVE", func(d cuda.Device) cuda.Device { return d }},
		{"no room", "SELECT sum(amount) FROM sales", "53200", "out of device memory", func(d cuda.Device) cuda.Device { return full{d} }},
		{"lost", "SELECT sum(amount) FROM sales", "58030", "out of service", func(d cuda.Device) cuda.Device { return losing(d, 0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := openOn(t, func(ordinal int) (cuda.Device, error) {
				d, err := device.Opener(t)(ordinal)
				if err != nil {
					return nil, err
				}
				return c.change(d), nil
			}, "cuda")
			query(t, s, "SET device_fallback = off")
			_, err := s.Query(context.Background(), c.sql)
			var failure *cubeloom.Error
			switch {
			case c.code == "":
				if err != nil {
					t.Error(err)
				}
			case !errors.As(err, &failure) || failure.Code != c.code || !strings.Contains(failure.Message, c.message) || !strings.Contains(failure.Message, "would run on the CPU"):
				t.Errorf("error %v", err)
			}
			query(t, s, "SET device = cpu")
			query(t, s, "SELECT sum(amount) FROM sales")
		})
	}
}

// TestFilesOnTheDevice compares what a device and the CPU make of files of several row groups, with
// texts, numbers of all widths and NULLs.
func TestFilesOnTheDevice(t *testing.T) {
	t.Parallel()
	s := openOn(t, device.Opener(t), "cpu")
	dir := t.TempDir()
	query(t, s, `CREATE TABLE many AS SELECT i AS id, i % 5 AS k, i::bigint * 100003000 AS big, i::float8 / 7 AS f, 'text ' || i % 11 AS s,
		CASE WHEN i % 3 > 0 THEN i % 300 END AS n, date '2020-01-01' + (i % 400)::int AS d, (i % 977)::numeric(8,2) AS m, i % 2 = 0 AS b
		FROM generate_series(-75000, 75000) AS s(i)`)
	csv, parquet := filepath.Join(dir, "many.csv"), filepath.Join(dir, "many.parquet")
	query(t, s, "COPY many TO '"+csv+"' WITH (FORMAT csv, HEADER)")
	query(t, s, "COPY many TO '"+parquet+"'")
	compareFile(t, s, csv)
	query(t, s, "SET device_fallback = off")
	compareFile(t, s, parquet, "SELECT s, count(*), sum(CASE WHEN b THEN 1 END) FROM '%s' WHERE n < 200 GROUP BY s ORDER BY s")
}

// compareFile compares what a device and the CPU make of a file of TestFilesOnTheDevice.
func compareFile(t *testing.T, s *cubeloom.Session, file string, more ...string) {
	t.Helper()
	for _, sql := range append(more,
		"SELECT k, count(*), sum(id), sum(big), min(d), max(d), sum(m), sum(n), count(n) FROM '%s' GROUP BY k ORDER BY k",
		"SELECT s, count(*), max(f) FROM '%s' WHERE n < 200 GROUP BY s ORDER BY s",
		"SELECT a.id, b.big FROM '%[1]s' a JOIN '%[1]s' b ON a.id = b.id WHERE a.n = 7 ORDER BY a.id LIMIT 50",
	) {
		sql = fmt.Sprintf(sql, file)
		query(t, s, "SET device = cpu")
		_, want := query(t, s, sql)
		query(t, s, "SET device = cuda")
		if _, got := query(t, s, sql); got != want {
			t.Errorf("%s gives\n%s\nand on the CPU\n%s", sql, got, want)
		}
	}
}
