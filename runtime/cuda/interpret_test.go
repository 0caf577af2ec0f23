package cuda

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"
	mathbits "math/bits"

	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
)

const plans = "../../codegen/launch/testdata/"

var wideColumn = cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncI64}

// TestPlanStartsAgainWithMoreRoom runs a plan whose entry makes two rows of each: there
// is room for one at first.
func TestPlanStartsAgainWithMoreRoom(t *testing.T) {
	shape := wideColumn
	shape.Nullable = true
	r, d := fakeRun(t, plans+"filter.plan", 2000, []cudagen.ColumnShape{shape})
	var rooms []int64
	d.kernels["materialize"] = func(l *fakeLaunch) {
		rooms = append(rooms, l.arg("capacity_5"))
		count := l.get("count_3", 8, 0)
		for i := range int64(4000) {
			if count+i < l.arg("capacity_5") {
				l.put("out_data_6", 8, count+i, 7*i)
				l.put("out_valid_7", 1, (count+i)/8, 0xff)
			}
		}
		l.put("count_3", 8, 0, count+4000)
	}
	out, _, err := carryOut(r)
	if err != nil {
		t.Fatal(err)
	}
	values := column64(t, out, 0)
	if len(values) != 4000 || values[3999] != 7*3999 || !slices.Equal(rooms, []int64{2000, 4000}) {
		t.Errorf("%d rows, for which there was room %d, the last of them %d", len(values), rooms, values[len(values)-1])
	}
	if want := []string{"materialize 2", "materialize 2"}; !slices.Equal(d.ran, want) {
		t.Errorf("launched were %q, not %q", d.ran, want)
	}
	out.Release()
	if used := r.backend.mem.used(); used != 0 {
		t.Errorf("%d bytes are held after the run", used)
	}
}

// TestPlanEndsWithTheErrorOfARow has an entry report an error, and a query that is
// cancelled before it.
func TestPlanEndsWithTheErrorOfARow(t *testing.T) {
	shape := wideColumn
	shape.Nullable = true
	r, d := fakeRun(t, plans+"filter.plan", 10, []cudagen.ColumnShape{shape})
	d.kernels["materialize"] = func(l *fakeLaunch) { l.put("error_0", 8, 0, int64(cudagen.ErrSumRange)) }
	if _, _, err := carryOut(r); err == nil || !strings.Contains(err.Error(), "a sum needs more than 38 digits") {
		t.Errorf("error %v", err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	r.ctx = ended
	if _, _, err := carryOut(r); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a query that has ended", err)
	}
	if used := r.backend.mem.used(); used != 0 {
		t.Errorf("%d bytes are held after the run", used)
	}
}

// TestPlanGrowsATable runs a plan whose table is too small at first: the second one is
// as large as the rows until then make likely, and all words count from 0 again.
func TestPlanGrowsATable(t *testing.T) {
	narrow := cudagen.ColumnShape{Type: kernel.I64, Encoding: cudagen.EncU32}
	r, d := fakeRun(t, plans+"groups.plan", 100000, []cudagen.ColumnShape{narrow, {Type: kernel.Bool, Encoding: cudagen.EncBits}})
	var tables []int64
	d.kernels["aggregate"] = func(l *fakeLaunch) {
		slots := l.arg("cells_5")
		if !slices.Contains(tables, slots) {
			tables = append(tables, slots)
			if l.get("keys_2", 8, slots-1) != -1 || l.get("state_3", 4, slots-1) != 0 || l.get("count_4", 8, 0) != 0 {
				t.Error("the table or the status holds what was there before")
			}
		}
		full := int64(0)
		if slots < 4000 {
			full = 1
		}
		for i, v := range []int64{900, full, 40, 5000, 900} { // of 40 * 2048 rows, one of 16 warps
			l.put("count_4", 8, int64(i), v)
		}
	}
	d.kernels["finish"] = func(l *fakeLaunch) { l.put("out_data_8", 4, 5, 42) }
	out, room, err := carryOut(r)
	if err != nil || out != nil {
		t.Fatal(out, err)
	}
	if want := int64(6 + 6 + 49); room != want { // blocks that ran last and of finish, and tiles
		t.Errorf("the other plan is told %d, not %d", room, want)
	}
	if len(tables) != 2 || tables[0] != 1024 || tables[1] < 4000 {
		t.Errorf("the tables had %d slots", tables)
	}
}

// TestPlanSorts runs the plan of a Sort on few rows, which are ranked, and on many, by
// words of keys of which some differ in no bit, and some in few.
func TestPlanSorts(t *testing.T) {
	for _, rows := range []int64{0, 100, 5000} {
		rnd := rand.New(rand.NewPCG(uint64(rows), 1))
		keys := make([][3]int64, rows)
		for i := range keys {
			keys[i] = [3]int64{rnd.Int64N(4) << 60, 77, rnd.Int64N(1 << 20)}
		}
		shapes := []cudagen.ColumnShape{{Type: kernel.I64, Encoding: cudagen.EncU8}, wideColumn}
		shapes[1].Nullable = true
		r, d := fakeRun(t, "../../codegen/cuda/testdata/sort.plan", rows, shapes)
		d.kernels["scan_collect"] = func(l *fakeLaunch) {
			for i, k := range keys {
				for w, word := range k {
					l.put("sort_keys_14", 8, int64(w)*l.arg("capacity_7")+int64(i), word)
				}
				l.put("out_data_12", 8, int64(i), int64(i))
			}
			l.put("count_8", 8, 0, rows)
		}
		addOrderKernels(d)
		out, _, err := carryOut(r)
		if err != nil {
			t.Fatal(err)
		}
		order := make([]int64, rows)
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortStableFunc(order, func(a, b int64) int {
			return slices.CompareFunc(keys[a][:], keys[b][:], func(x, y int64) int { return cmp.Compare(uint64(x), uint64(y)) })
		})
		if got, want := column64(t, out, 1), order[min(5, rows):min(15, rows)]; !slices.Equal(got, want) {
			t.Errorf("of %d rows %d come first, not %d", rows, got, want)
		}
		digits := len(slices.DeleteFunc(slices.Clone(d.ran), func(s string) bool { return !strings.HasPrefix(s, "sweep") }))
		if want := map[int64]int{5000: 4}[rows]; digits != want {
			t.Errorf("%d rows are sorted by %d digits, not %d", rows, digits, want)
		}
		out.Release()
		if used := r.backend.mem.used(); used != 0 {
			t.Errorf("%d bytes are held after the run", used)
		}
	}
}

// TestMalformedPlansEndQueries has a plan that is malformed: no other backend runs the
// kernel in silence.
func TestMalformedPlansEndQueries(t *testing.T) {
	f := copyKernel(t)
	b := New(breaker{&fakeDevice{heap: newHeap(0)}}, cpu.New(), Options{})
	if _, err := b.Check(f); err != nil {
		t.Errorf("the kernel is refused: %v", err)
	}
	rows := pileOf(t, kernel.I64, ints(1, 2, 3))
	_, _, err := b.Run(t.Context(), f, []any{rows}, &runtime.RunOptions{Account: runtime.NewAccount(0)})
	if err == nil || !strings.Contains(err.Error(), "launch plan copy is malformed: it ends without a result") {
		t.Errorf("error %v", err)
	}
}

// TestRunsLeaveKernelsToTheCompilerBehind has a kernel that is not compiled end a run that does
// not wait for the compiler.
func TestRunsLeaveKernelsToTheCompilerBehind(t *testing.T) {
	b := New(&fakeDevice{heap: newHeap(0)}, cpu.New(), Options{})
	rows := pileOf(t, kernel.I64, ints(1, 2, 3))
	_, _, err := b.Run(t.Context(), copyKernel(t), []any{rows}, &runtime.RunOptions{Account: runtime.NewAccount(0), CompileBehind: true})
	if why := new(NotCompiled); !errors.As(err, &why) || !strings.Contains(why.Reason, "kernels are being compiled") {
		t.Errorf("error %v", err)
	}
}

// copyKernel is a kernel that copies a column.
func copyKernel(t *testing.T) *kernel.Func {
	t.Helper()
	f, err := kerneltext.Parse(`kernel "copy" dicts 0
  input 0 relation "t"
  scan 0
    %0 i64 "k" = column 0
  body
  materialize limit -1 offset 0 columns %0
end
`)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// breaker is a device with launch plans that have no body.
type breaker struct{ *fakeDevice }

// Replan implements Replanner.
func (breaker) Replan(p *launch.Plan) (*launch.Plan, error) {
	broken := *p
	broken.Body = nil
	return &broken, launch.Verify(&broken)
}

// addOrderKernels adds what the entries of the rows' module do.
func addOrderKernels(d *fakeDevice) {
	key := func(l *fakeLaunch, w, row int64) int64 { return l.get("keys", 8, w*l.arg("capacity")+row) }
	d.kernels["rank_rows"] = func(l *fakeLaunch) {
		order := make([]int64, l.arg("rows"))
		for i := range order {
			order[i] = int64(i)
		}
		slices.SortStableFunc(order, func(a, b int64) int {
			for w := range l.arg("words") {
				if c := cmp.Compare(uint64(key(l, w, a)), uint64(key(l, w, b))); c != 0 {
					return c
				}
			}
			return 0
		})
		for i, row := range order {
			l.put("out_rows", 4, int64(i), row)
		}
	}
	d.kernels["differ"] = func(l *fakeLaunch) {
		spread := int64(0)
		for i := range l.arg("rows") {
			spread |= key(l, l.arg("word"), i) ^ key(l, l.arg("word"), 0)
		}
		l.put("spread", 8, l.arg("word"), spread)
	}
	d.kernels["histograms"] = func(l *fakeLaunch) {
		digit := int64(0)
		for bits := uint64(l.get("spread", 8, l.arg("word"))); bits != 0; digit++ {
			shift := mathbits.TrailingZeros64(bits)
			bits &^= 255 << shift
			for i := range l.arg("rows") {
				at := 256*digit + key(l, l.arg("word"), i)>>shift&255
				l.put("counts", 4, at, l.get("counts", 4, at)+1)
			}
		}
	}
	d.kernels["sweep"] = func(l *fakeLaunch) {
		var next [256]int64
		for i := 1; i < 256; i++ {
			next[i] = next[i-1] + l.get("counts", 4, 256*l.arg("digit")+int64(i)-1)
		}
		for i := range l.arg("rows") {
			row := i
			if l.arg("in_rows") != 0 {
				row = l.get("in_rows", 4, i)
			}
			word := key(l, l.arg("word"), row)
			if l.arg("in_keys") != 0 {
				word = l.get("in_keys", 8, i)
			}
			to := &next[word>>l.arg("shift")&255]
			l.put("out_keys", 8, *to, word)
			l.put("out_rows", 4, *to, row)
			*to++
		}
	}
	d.kernels["sweep_few"] = d.kernels["sweep"]
	d.kernels["gather"] = func(l *fakeLaunch) {
		for i := range l.arg("rows") {
			l.put("to_1", 8, i, l.get("from_1", 8, l.get("order", 4, i)))
			l.put("to_valid_1", 1, i/8, 0xff)
		}
	}
}
