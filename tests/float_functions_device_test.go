//go:build device

package tests

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// floatFunctions are functions of double precision, with the conditions for which they are
// defined, and have a result in range.
var floatFunctions = []struct{ call, defined string }{
	{"sqrt(x)", "x >= 0"},
	{"ln(x)", "x > 0"},
	{"log10(x)", "x > 0"},
	{"exp(y)", "y > -700 AND (y < 700 OR y >= 'Infinity')"},
	{"power(x, y)", "abs(x) BETWEEN 1e-30 AND 1e30 AND abs(y) <= 10 AND (x > 0 OR y = floor(y))"},
	{"power(x, y)", `(abs(x) IN ('Infinity', 'NaN') OR abs(y) IN ('Infinity', 'NaN')) AND (x <> 0 OR y >= 0) AND (x >= 0 OR y = floor(y))`},
	{"power(y, 2::double precision)", "y = 0 OR abs(y) > 1e-150 AND (abs(y) < 1e150 OR abs(y) >= 'Infinity')"},
}

// TestDeviceFloatFunctions has every bit of what the device computes compared with what the CPU
// does, and the errors of arguments for which a function is not defined or has no result in
// range.
func TestDeviceFloatFunctions(t *testing.T) {
	t.Parallel()
	db := openDeviceEngine(t)
	host := &engine{db.db, db.db.Session()}
	ctx := context.Background()
	must := func(sql string) {
		t.Helper()
		if _, err := host.Query(ctx, sql); err != nil {
			t.Fatal(err)
		}
	}
	must("SET device = cpu")
	must("CREATE TABLE t (x double precision, y double precision)")
	must("INSERT INTO t VALUES " + strings.Join(floatPairs(rand.New(rand.NewPCG(1, 2))), ", "))
	for i, f := range floatFunctions {
		must(fmt.Sprintf("CREATE TABLE want%d AS SELECT x, y, %s AS v FROM t WHERE %s", i, f.call, f.defined))
		got, err := db.Query(ctx, fmt.Sprintf("SELECT x, y, v, %s FROM want%d WHERE %[1]s IS DISTINCT FROM v", f.call, i))
		if err != nil {
			t.Errorf("%s: %v", f.call, err)
			continue
		}
		if len(got.Rows) > 0 {
			t.Errorf("%s differs for %d pairs, the first of them %v", f.call, len(got.Rows), got.Rows[0])
		}
		checkRan(t, db, f.call)
	}
	for _, call := range []string{"sqrt(x)", "ln(x)", "ln(x + 1)", "log10(x)", "log10(x + 1)", "exp(1000 * x)", "exp(-1000 * x)",
		"power(x, 0.5::double precision)", "power(x + 1, x)", "power(x * 1000, 1e3::double precision)", "power(x * 1000, -1e3::double precision)"} {
		for _, x := range []string{"-1", "1"} {
			sql := fmt.Sprintf("SELECT %s FROM (SELECT %s * v AS x FROM (SELECT x / x AS v FROM t WHERE x = 2) AS one) AS t", call, x)
			_, want := host.Query(ctx, sql)
			_, err := db.Query(ctx, sql)
			if fmt.Sprint(err) != fmt.Sprint(want) || db.SQLState(err) != host.SQLState(want) {
				t.Errorf("%s of %s: %v on the device, %v on the CPU", call, x, err, want)
			}
			if err == nil {
				checkRan(t, db, call)
			}
		}
	}
}

// checkRan reports an error where a kernel has run on the CPU.
func checkRan(t *testing.T, db *deviceEngine, what string) {
	t.Helper()
	if db.onHost > 0 || db.onDevice == 0 {
		t.Errorf("%s: %d kernels ran on the CPU: %v", what, db.onHost, db.reasons)
	}
	clear(db.reasons)
	db.onDevice, db.onHost = 0, 0
}

// floatPairs are rows of two numbers: of all exponents, close to each other and to one, small
// integers, and what is not finite.
func floatPairs(rnd *rand.Rand) []string {
	special := []float64{0, math.Copysign(0, -1), 1, -1, 2, 0.5, 3, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64, math.MaxFloat64,
		math.Sqrt2 / 2, math.Nextafter(math.Sqrt2/2, 0), math.E, math.Nextafter(1, 0), math.Nextafter(1, 2), 700, -700, 1e-310}
	number := func() float64 {
		switch rnd.IntN(5) {
		case 0:
			return math.Float64frombits(rnd.Uint64())
		case 1:
			return special[rnd.IntN(len(special))]
		case 2:
			return float64(rnd.IntN(41) - 20)
		case 3:
			return 1 + rnd.NormFloat64()/1000
		}
		return rnd.NormFloat64() * 20
	}
	rows := []string{"(2, 1)"}
	literal := func(f float64) string {
		return "'" + strings.NewReplacer("+Inf", "Infinity", "-Inf", "-Infinity").Replace(fmt.Sprint(f)) + "'"
	}
	for range 6000 {
		rows = append(rows, fmt.Sprintf("(%s, %s)", literal(number()), literal(number())))
	}
	return rows
}
