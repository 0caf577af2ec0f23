//go:build device

package tests

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/tests/device"
)

// sales is a small table with a dimension.
const sales = `CREATE TABLE sales (item int, amount int, note text);
INSERT INTO sales VALUES (1, 10, 'a'), (2, 20, 'b'), (1, 30, NULL), (3, 5, 'a');
CREATE TABLE items (id int, kind text);
INSERT INTO items VALUES (1, 'fruit'), (2, 'bread'), (3, 'fruit');`

// openOn opens a database with a CUDA device and the tables of sales.
func openOn(t *testing.T, open func(ordinal int) (cuda.Device, error), setting string) *cubeloom.Session {
	t.Helper()
	db := openDatabase(t, cubeloom.Options{Device: setting, OpenDevice: open})
	s := db.Session()
	if err := s.Run(context.Background(), "SET device = cpu; "+sales+"; RESET device", func(*cubeloom.Result) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return s
}

// query runs one statement and returns its rows as lines.
func query(t *testing.T, s *cubeloom.Session, sql string) (*cubeloom.Result, string) {
	t.Helper()
	res, err := s.Query(context.Background(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	var lines []string
	cursor := res.Cursor()
	for cursor.Next() {
		var cells []string
		for i := range res.Columns {
			cells = append(cells, cursor.Text(i))
		}
		lines = append(lines, strings.Join(cells, " "))
	}
	if err := cursor.Err(); err != nil {
		t.Fatal(err)
	}
	return res, strings.Join(lines, "\n")
}

// ranOn are the names of the backends that the kernels of a query ran on.
func ranOn(res *cubeloom.Result) string {
	var names []string
	for _, p := range res.Stats.Places {
		names = append(names, p.Backend.Name())
	}
	return strings.Join(names, " ")
}

func TestSetDevice(t *testing.T) {
	s := openOn(t, device.Opener(t), "")
	const sum = "SELECT sum(amount) FROM sales WHERE item = 1"
	for _, c := range []struct{ setting, where string }{
		{"auto", "cpu"}, {"cuda", "cuda"}, {"cpu", "cpu"},
	} {
		query(t, s, "SET device = "+c.setting)
		res, rows := query(t, s, sum)
		if rows != "40" || ranOn(res) != c.where || len(res.Notices) != 0 {
			t.Errorf("device = %s: %s, ran on %s, notices %v", c.setting, rows, ranOn(res), res.Notices)
		}
	}
	if _, err := s.Query(context.Background(), "SET device = tpu"); err == nil {
		t.Error("there is no device tpu")
	}
}

// A machine without a device runs everything, and says so to who insists.
func TestNoDevice(t *testing.T) {
	tries := 0
	// What comes with an error is no device, and nobody closes it.
	open := func(ordinal int) (cuda.Device, error) {
		tries++
		return (*unopened)(nil), errors.New("nothing is plugged in")
	}
	s := openOn(t, open, "")
	res, rows := query(t, s, "SELECT sum(amount) FROM sales")
	if rows != "65" || len(res.Notices) != 0 || tries != 0 {
		t.Errorf("%s, %v, the device was looked for %d times", rows, res.Notices, tries)
	}
	var failure *cubeloom.Error
	if _, err := s.Query(context.Background(), "SET device = cuda"); !errors.As(err, &failure) || failure.Code != "0A000" || !strings.Contains(failure.Message, "plugged in") {
		t.Errorf("SET device = cuda: %v", err)
	}
	if _, err := cubeloom.Open(cubeloom.Options{Device: "cuda", OpenDevice: open}); err == nil {
		t.Error("a database that insists on a device was opened without")
	}
}

// unopened is a device that could not be opened.
type unopened struct {
	cuda.Device
	closed bool
}

func (u *unopened) Close() error {
	u.closed = true
	return nil
}

// What the device cannot do runs on the CPU, with a reason in EXPLAIN and a
// notice.
func TestPartialFallback(t *testing.T) {
	s := openOn(t, device.Opener(t), "cuda")
	const text = "SELECT count(*) FROM sales WHERE sqrt(amount::numeric) > 4"
	res, rows := query(t, s, text)
	if rows != "2" || !strings.Contains(ranOn(res), "cpu") {
		t.Errorf("%q, ran on %s", rows, ranOn(res))
	}
	_, plan := query(t, s, "EXPLAIN "+text)
	if !strings.Contains(plan, "on cpu: there is no device code for") {
		t.Errorf("EXPLAIN does not say why:\n%s", plan)
	}
	if len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "on the CPU ran group") {
		t.Errorf("notices %v", res.Notices)
	}
}

func TestExplainDevice(t *testing.T) {
	s := openOn(t, device.Opener(t), "cuda")
	_, plan := query(t, s, "EXPLAIN (CUDA) SELECT sum(amount) FROM sales WHERE item = 1")
	for _, want := range []string{"on cuda: device is set to cuda", "__global__", "struct Params"} {
		if !strings.Contains(plan, want) {
			t.Errorf("EXPLAIN (CUDA) does not show %q:\n%s", want, plan)
		}
	}
	_, plan = query(t, s, "EXPLAIN (LAUNCH) SELECT sum(amount) FROM sales WHERE item = 1")
	for _, want := range []string{"  block kernel", "launch scan_aggregate over chunk giving ran", "result rows out count 1"} {
		if !strings.Contains(plan, want) {
			t.Errorf("EXPLAIN (LAUNCH) does not show %q:\n%s", want, plan)
		}
	}
	_, plan = query(t, s, "EXPLAIN ANALYZE SELECT sum(amount) FROM sales WHERE item = 1")
	for _, want := range []string{" on cuda: 4 → 1 rows", "threads, ", " registers, ", "occupancy", "of the device's memory held"} {
		if !strings.Contains(plan, want) {
			t.Errorf("EXPLAIN ANALYZE does not show %q:\n%s", want, plan)
		}
	}
}

// TestExplainShowsWhatRuns compares the sources and launch plans that EXPLAIN shows before
// a query with those that it shows of its run.
func TestExplainShowsWhatRuns(t *testing.T) {
	s := openOn(t, device.Opener(t), "cuda")
	for _, sql := range []string{
		"SELECT sum(amount) FROM sales WHERE item = 1",
		"SELECT item, count(DISTINCT amount) FROM sales GROUP BY item",
		"SELECT a.amount, b.n FROM sales a JOIN (SELECT item, count(*) AS n FROM sales GROUP BY item) b ON a.item = b.item ORDER BY 2, 1",
	} {
		for _, option := range []string{"CUDA", "LAUNCH"} {
			_, before := query(t, s, "EXPLAIN ("+option+") "+sql)
			_, ran := query(t, s, "EXPLAIN (ANALYZE, "+option+") "+sql)
			shown, want := deviceText(before), deviceText(ran)
			if want == "" || shown != want {
				t.Errorf("EXPLAIN (%s) %s shows\n%s\nwhat ran is\n%s", option, sql, shown, want)
			}
			if !strings.Contains(before, "for its inputs as they are now") || !strings.Contains(ran, ", as it ran") {
				t.Errorf("EXPLAIN (%s) %s does not say what it shows", option, sql)
			}
		}
	}
}

// TestExplainSaysWhatTheRunDecides holds that EXPLAIN names what another rendering may
// take the place of.
func TestExplainSaysWhatTheRunDecides(t *testing.T) {
	s := openOn(t, device.Opener(t), "cuda")
	for key, differs := range map[string]bool{"amount": true, "item": false} {
		_, plan := query(t, s, fmt.Sprintf("EXPLAIN (CUDA) SELECT a.note, b.note FROM sales a JOIN sales b ON a.%[1]s = b.%[1]s", key))
		if says := strings.Contains(plan, "// where keys turn out to stand twice"); says != differs {
			t.Errorf("EXPLAIN (CUDA) of a join by %s says that keys may stand twice: %v\n%s", key, says, plan)
		}
	}
}

// TestExplainWithoutDevice holds that sources say for which shapes they were rendered.
func TestExplainWithoutDevice(t *testing.T) {
	s := openOn(t, device.Opener(t), "cpu")
	_, plan := query(t, s, "EXPLAIN (CUDA) SELECT sum(amount) FROM sales WHERE item = 1")
	if !strings.Contains(plan, "for columns as wide as their values may ask for") || !strings.Contains(plan, `// input "sales": 0`) {
		t.Errorf("EXPLAIN (CUDA) does not say for which shapes:\n%s", plan)
	}
}

// deviceText is what EXPLAIN shows of the kernels, without what it says about them.
func deviceText(plan string) string {
	var b strings.Builder
	inKernel := false
	for line := range strings.Lines(plan) {
		switch {
		case strings.HasPrefix(line, "// kernel "):
			inKernel = true
			continue
		case strings.HasPrefix(line, "// input "), strings.HasPrefix(line, "// where keys"), strings.HasPrefix(line, "planned, woven"), strings.HasPrefix(line, "executed in"), strings.TrimSpace(line) == "":
			continue
		}
		if inKernel {
			b.WriteString(line)
		}
	}
	return b.String()
}

// refusing is a stream whose launches may be refused.
type refusing struct {
	cuda.Stream
	launched func() error
}

func (r refusing) Launch(launch cuda.Launch) error {
	if err := r.launched(); err != nil {
		return err
	}
	return r.Stream.Launch(launch)
}

// losing is a device of which so many launches still work.
func losing(d cuda.Device, launches int) cuda.Device {
	launched := func() error {
		if launches--; launches < 0 {
			return fmt.Errorf("launch failed: %w", cuda.ErrLost)
		}
		return nil
	}
	return device.Around{Device: d, Stream: func(s cuda.Stream) cuda.Stream { return refusing{s, launched} }}
}

// A device that fails for good is taken out of service: the query is answered
// by the CPU with a warning, and so are those after it.
func TestDeviceIsLost(t *testing.T) {
	for launches := range 3 {
		s := openOn(t, func(ordinal int) (cuda.Device, error) {
			d, err := device.Opener(t)(ordinal)
			return losing(d, launches), err
		}, "cuda")
		res, rows := query(t, s, "SELECT item, sum(amount) FROM sales GROUP BY item ORDER BY item")
		for !hasWarning(res) && launches > 0 {
			launches--
			res, rows = query(t, s, "SELECT item, sum(amount) FROM sales GROUP BY item ORDER BY item")
		}
		if rows != "1 40\n2 20\n3 5" || !hasWarning(res) || strings.Contains(ranOn(res), "cuda") {
			t.Errorf("%q on %s, notices %v", rows, ranOn(res), res.Notices)
		}
		res, rows = query(t, s, "SELECT sum(amount) FROM sales")
		if rows != "65" || ranOn(res) != "cpu" || len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "launch failed") {
			t.Errorf("afterwards: %q on %s, notices %v", rows, ranOn(res), res.Notices)
		}
	}
}

func hasWarning(res *cubeloom.Result) bool {
	return len(res.Notices) == 1 && res.Notices[0].Severity == "WARNING" && strings.Contains(res.Notices[0].Message, "out of service")
}

// A device without room leaves the query to the CPU and says so.
func TestDeviceWithoutRoom(t *testing.T) {
	s := openOn(t, func(ordinal int) (cuda.Device, error) {
		d, err := device.Opener(t)(ordinal)
		return full{d}, err
	}, "cuda")
	res, rows := query(t, s, "SELECT sum(amount) FROM sales")
	if rows != "65" || strings.Contains(ranOn(res), "cuda") {
		t.Errorf("%q on %s", rows, ranOn(res))
	}
	if len(res.Notices) != 1 || !strings.Contains(res.Notices[0].Message, "no room") {
		t.Errorf("notices %v", res.Notices)
	}
}

// A device whose memory is full at any moment gives the right answer all the
// same: steps move to the CPU, those that share hash tables together.
func TestDeviceIsFullAtAnyMoment(t *testing.T) {
	const text = `SELECT kind, count(*), sum(amount) FROM sales LEFT JOIN items ON item = id
		GROUP BY kind ORDER BY kind`
	moved := 0
	for allocations := 0; ; allocations++ {
		left := allocations
		s := openOn(t, func(ordinal int) (cuda.Device, error) {
			d, err := device.Opener(t)(ordinal)
			return filling{d, &left}, err
		}, "cuda")
		res, rows := query(t, s, text)
		if rows != "bread 1 20\nfruit 3 45" {
			t.Fatalf("after %d allocations: %q, ran on %s, notices %v", allocations, rows, ranOn(res), res.Notices)
		}
		if left > 0 {
			break // it was never full
		}
		moved++
	}
	if moved == 0 {
		t.Error("the device was never full")
	}
}

// filling is a device that has room for so many allocations more.
type filling struct {
	cuda.Device
	left *int
}

func (f filling) Memory() cuda.Memory { return fillingMemory{f.Device.Memory(), f.left} }

type fillingMemory struct {
	cuda.Memory
	left *int
}

func (m fillingMemory) Alloc(bytes int64) (cuda.Ptr, error) {
	if *m.left <= 0 {
		return 0, cuda.ErrOutOfMemory
	}
	*m.left--
	return m.Memory.Alloc(bytes)
}

// full is a device whose memory is full.
type full struct{ cuda.Device }

func (f full) Memory() cuda.Memory { return fullMemory{f.Device.Memory()} }

type fullMemory struct{ cuda.Memory }

func (fullMemory) Alloc(int64) (cuda.Ptr, error) { return 0, cuda.ErrOutOfMemory }
