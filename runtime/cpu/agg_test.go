package cpu

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
	"github.com/cubeloom/cubeloom/sql/value"
)

// aggCase is a query over a relation: keys are columns, accs have the ordinals
// of columns as arguments.
type aggCase struct {
	cols        []column
	keys        []int
	accs        []kernel.Acc
	dst         [][]kernel.Type
	strategy    kernel.Strategy
	partitioned bool
	ranges      map[int]kernel.Range
}

func (c *aggCase) kernel() *kernel.Func {
	var types []kernel.Type
	for _, col := range c.cols {
		types = append(types, col.typ)
	}
	agg := &kernel.Aggregate{Strategy: c.strategy, Partitioned: c.partitioned}
	for _, k := range c.keys {
		agg.Keys = append(agg.Keys, kernel.ValueID(k))
	}
	var dicts []kernel.DictID
	for i, acc := range c.accs {
		for _, d := range c.dst[i] {
			acc.Dst = append(acc.Dst, kernel.ValueID(len(types)))
			types = append(types, d)
			dict := kernel.DictID(0)
			if len(acc.Args) > 0 {
				dict = kernel.DictID(acc.Args[0])
			}
			dicts = append(dicts, dict)
		}
		agg.Accs = append(agg.Accs, acc)
	}
	f := funcOf(types, len(c.cols), nil, agg)
	for i := range c.cols {
		f.Values[i].Nullable = slices.Contains(c.cols[i].vals, nil)
		f.Values[i].Range = c.ranges[i]
	}
	for i, dict := range dicts {
		f.Values[len(c.cols)+i].Dict = dict
	}
	return f
}

// want computes the result row by row.
func (c *aggCase) want(t testing.TB) []string {
	groups := map[string][]int{}
	for row := range c.cols[0].vals {
		key := ""
		for _, k := range c.keys {
			key += fmt.Sprint(c.cols[k].vals[row]) + " "
		}
		groups[key] = append(groups[key], row)
	}
	if len(c.keys) == 0 && len(groups) == 0 {
		groups[""] = nil
	}
	var out []string
	for key, rows := range groups {
		cells := strings.Fields(key)
		if len(c.keys) > 0 {
			cells = strings.Split(strings.TrimSuffix(key, " "), " ")
		}
		for i := range c.accs {
			for _, x := range c.naive(t, i, rows) {
				cells = append(cells, fmt.Sprint(x))
			}
		}
		out = append(out, strings.Join(cells, " "))
	}
	slices.Sort(out)
	return out
}

// naive computes accumulator i over the rows of a group.
func (c *aggCase) naive(t testing.TB, i int, rows []int) []any {
	acc := c.accs[i]
	var vals []any
	typ := kernel.Bool
	for _, row := range rows {
		switch {
		case acc.Filter != kernel.NoValue && c.cols[acc.Filter].vals[row] != true:
		case len(acc.Args) == 0:
			vals = append(vals, true)
		default:
			typ = c.cols[acc.Args[0]].typ
			vals = append(vals, c.cols[acc.Args[0]].vals[row])
		}
	}
	return naiveAcc(t, acc.Op, typ, c.dst[i][0], acc.Distinct, vals)
}

// check runs the case under every configuration.
func (c *aggCase) check(t *testing.T, name string) {
	t.Helper()
	want := c.want(t)
	for _, opts := range configs {
		got, err := runKernel(t, c.kernel(), opts, table(7, c.cols...))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if l := sortedLines(got); !slices.Equal(l, want) {
			t.Fatalf("%s, %d threads, vectors of %d:\n%s\nwant\n%s", name, opts.Threads, opts.VectorRows,
				strings.Join(l, "\n"), strings.Join(want, "\n"))
		}
	}
}

// sortedLines sorts the rows of a shown relation.
func sortedLines(s string) []string {
	l := strings.Split(s, "\n")
	l = l[:len(l)-1]
	slices.Sort(l)
	return l
}

// naiveAcc computes an accumulator over the values of a group.
func naiveAcc(t testing.TB, op kernel.AccOp, typ, dst kernel.Type, distinct bool, vals []any) []any {
	var kept []any
	for _, v := range vals {
		if v != nil && (!distinct || !slices.ContainsFunc(kept, func(k any) bool { return compareAny(typ, k, v) == 0 })) {
			kept = append(kept, v)
		}
	}
	switch {
	case op == kernel.AccCountStar:
		return []any{len(vals)}
	case op == kernel.AccCount:
		return []any{len(kept)}
	case len(kept) == 0:
		return []any{nil}
	case op == kernel.AccSum || op == kernel.AccSumSquare:
		return []any{naiveSum(t, op, typ, dst, kept)}
	case op == kernel.AccMin || op == kernel.AccAnd:
		return []any{slices.MinFunc(kept, func(a, b any) int { return compareAny(typ, a, b) })}
	}
	return []any{slices.MaxFunc(kept, func(a, b any) int { return compareAny(typ, a, b) })}
}

func naiveSum(t testing.TB, op kernel.AccOp, typ, dst kernel.Type, kept []any) any {
	var float float64
	var num value.Num
	var span value.Interval
	var sum value.Int128
	var err error
	for _, v := range kept {
		switch x := v.(type) {
		case float64:
			float += x
		case value.Num:
			if num, err = num.Add(x); err != nil {
				t.Fatal(err)
			}
		case value.Interval:
			span = value.Interval{Months: span.Months + x.Months, Days: span.Days + x.Days, Micros: span.Micros + x.Micros}
		default:
			wide, ok := v.(value.Int128)
			if !ok {
				wide = i128(int64(v.(int)))
			}
			if op == kernel.AccSumSquare {
				wide, _ = wide.Mul(wide)
			}
			sum = sum.AddWrap(wide)
		}
	}
	switch {
	case typ == kernel.F64:
		return float
	case typ == kernel.Num:
		return num
	case typ == kernel.Interval:
		return span
	case dst == kernel.I64:
		return int(sum.Lo)
	}
	return sum
}

// compareAny compares two values of one type that are not NULL.
func compareAny(t kernel.Type, a, b any) int {
	switch t {
	case kernel.I32, kernel.I64:
		return a.(int) - b.(int)
	case kernel.I128:
		return a.(value.Int128).Cmp(b.(value.Int128))
	case kernel.F64:
		return cmp.Compare(vector.OrderedFloat(a.(float64)), vector.OrderedFloat(b.(float64)))
	case kernel.Num:
		return a.(value.Num).Cmp(b.(value.Num))
	case kernel.Interval:
		return vector.CompareIntervals(a.(value.Interval), b.(value.Interval))
	case kernel.Bool:
		return int(vector.B2u(a.(bool))) - int(vector.B2u(b.(bool)))
	}
	return strings.Compare(a.(string), b.(string))
}

// randomColumn makes a column of n values out of card distinct ones, a tenth of
// them NULL where nulls is set.
func randomColumn(r *rand.Rand, t kernel.Type, n, card int, nulls bool) column {
	c := column{typ: t}
	for range n {
		if nulls && r.IntN(10) == 0 {
			c.vals = append(c.vals, nil)
			continue
		}
		c.vals = append(c.vals, valueNumber(t, r.IntN(card)))
	}
	return c
}

// valueNumber is the x-th value of a type.
func valueNumber(t kernel.Type, x int) any {
	switch t {
	case kernel.Bool:
		return x%2 == 1
	case kernel.I32:
		return x - 3
	case kernel.I64:
		return x*(1<<33) - 5
	case kernel.I128:
		if x%3 == 0 {
			return value.Int128{Lo: uint64(x) * 7919, Hi: int64(x)}
		}
		return i128(int64(x) - 7)
	case kernel.F64:
		return float64(x)/4 - 2
	case kernel.Num:
		return dec(int64(x-4)*100, 2)
	case kernel.Interval:
		return value.Interval{Days: int32(x) - 2, Micros: int64(x)}
	}
	return strings.Repeat("x", x%5) + fmt.Sprint(x)
}

var allTypes = []kernel.Type{kernel.Bool, kernel.I32, kernel.I64, kernel.I128, kernel.F64, kernel.Num, kernel.Interval, kernel.Str, kernel.Code}

// accsOf are the accumulators of an argument, which is column arg.
func accsOf(t kernel.Type, arg kernel.ValueID) (accs []kernel.Acc, dst [][]kernel.Type) {
	add := func(op kernel.AccOp, types ...kernel.Type) {
		for _, distinct := range []bool{false, true} {
			accs = append(accs, kernel.Acc{Op: op, Args: []kernel.ValueID{arg}, Distinct: distinct, Filter: kernel.NoValue})
			dst = append(dst, types)
		}
	}
	add(kernel.AccCount, kernel.I64)
	switch t {
	case kernel.Bool:
		add(kernel.AccAnd, kernel.Bool)
		add(kernel.AccOr, kernel.Bool)
		return accs, dst
	case kernel.I32:
		add(kernel.AccSum, kernel.I64)
		add(kernel.AccSumSquare, kernel.I128)
	case kernel.I64:
		add(kernel.AccSum, kernel.I128)
		add(kernel.AccSumSquare, kernel.I128)
	case kernel.I128:
		add(kernel.AccSum, kernel.I128)
	case kernel.F64, kernel.Num, kernel.Interval:
		add(kernel.AccSum, t)
	}
	add(kernel.AccMin, t)
	add(kernel.AccMax, t)
	return accs, dst
}

func TestAggregateAccumulators(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, typ := range allTypes {
		for _, nulls := range []bool{false, true} {
			for _, strategy := range []kernel.Strategy{kernel.Single, kernel.Dense, kernel.Hash} {
				c := aggCase{strategy: strategy, keys: []int{0}, ranges: map[int]kernel.Range{0: {Known: true, Lo: -3, Hi: 9}}}
				n := 100
				c.cols = []column{randomColumn(r, kernel.I32, n, 7, nulls), randomColumn(r, typ, n, 12, nulls), randomColumn(r, kernel.Bool, n, 2, true)}
				if strategy == kernel.Single {
					c.keys = nil
				}
				c.accs, c.dst = accsOf(typ, 1)
				for i := range slices.Clone(c.accs) {
					filtered := c.accs[i]
					filtered.Filter = 2
					c.accs, c.dst = append(c.accs, filtered), append(c.dst, c.dst[i])
				}
				c.accs = append(c.accs, kernel.Acc{Op: kernel.AccCountStar, Filter: kernel.NoValue})
				c.dst = append(c.dst, []kernel.Type{kernel.I64})
				name := fmt.Sprintf("type %d, nulls %t, %s", typ, nulls, strategy)
				c.check(t, name)
				c.partitioned = true
				c.check(t, name+", partitioned")
			}
		}
	}
}

func TestAggregateHashKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := range 60 {
		c := aggCase{strategy: kernel.Hash, partitioned: i%5 > 2, ranges: map[int]kernel.Range{}}
		n := []int{0, 1, 20, 1500}[i%4]
		name := fmt.Sprintf("case %d, %d rows", i, n)
		for k := range 1 + i%3 {
			typ := allTypes[r.IntN(len(allTypes))]
			name += fmt.Sprintf(", type %d", typ)
			c.cols = append(c.cols, randomColumn(r, typ, n, 1+r.IntN(9), r.IntN(2) == 0))
			c.keys = append(c.keys, k)
			if typ == kernel.I32 && r.IntN(2) == 0 {
				c.ranges[k] = kernel.Range{Known: true, Lo: -3, Hi: 9}
			}
		}
		c.cols = append(c.cols, randomColumn(r, kernel.I32, n, 50, true))
		c.accs = []kernel.Acc{{Op: kernel.AccSum, Args: []kernel.ValueID{kernel.ValueID(len(c.keys))}, Filter: kernel.NoValue}}
		c.dst = [][]kernel.Type{{kernel.I64}}
		c.check(t, name)
	}
}

func TestAggregateDenseKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 40 {
		c := aggCase{strategy: kernel.Dense, partitioned: i%5 > 2, ranges: map[int]kernel.Range{}}
		n := []int{1, 20, 1500}[i%3]
		for k := range 1 + i%4 {
			typ := []kernel.Type{kernel.I32, kernel.Code, kernel.Bool}[r.IntN(3)]
			c.cols = append(c.cols, randomColumn(r, typ, n, 1+r.IntN(9), r.IntN(2) == 0))
			c.keys = append(c.keys, k)
			if typ == kernel.I32 {
				c.ranges[k] = kernel.Range{Known: true, Lo: int64(-3 - r.IntN(3)), Hi: 9 + int64(r.IntN(300))}
			}
		}
		c.cols = append(c.cols, randomColumn(r, kernel.I32, n, 50, true))
		c.accs = []kernel.Acc{{Op: kernel.AccSum, Args: []kernel.ValueID{kernel.ValueID(len(c.keys))}, Filter: kernel.NoValue}}
		c.dst = [][]kernel.Type{{kernel.I64}}
		c.check(t, fmt.Sprintf("case %d, %d rows", i, n))
	}
}

func TestAggregateOverflow(t *testing.T) {
	nearly, _ := value.Pow10(38).Sub(i128(1))
	for _, tc := range []struct {
		dst  kernel.Type
		vals []any
		want string
	}{
		{kernel.I64, []any{1<<62 - 1, 1 << 62}, "9223372036854775807\n"},
		{kernel.I64, []any{1 << 62, 1 << 62}, ""},
		{kernel.I128, []any{1 << 62, 1 << 62}, fmt.Sprint(value.Int128{Lo: 1 << 63}) + "\n"},
		{kernel.I128, []any{nearly, i128(1)}, ""},
		{kernel.I128, []any{nearly, i128(1), i128(-1)}, fmt.Sprint(nearly) + "\n"},
		{kernel.I128, []any{nearly, nearly, nearly, nearly}, ""},
	} {
		typ := kernel.I64
		if _, wide := tc.vals[0].(value.Int128); wide {
			typ = kernel.I128
		}
		c := aggCase{cols: []column{{typ, tc.vals}}, strategy: kernel.Single, dst: [][]kernel.Type{{tc.dst}}}
		c.accs = []kernel.Acc{{Op: kernel.AccSum, Args: []kernel.ValueID{0}, Filter: kernel.NoValue}}
		for _, opts := range configs {
			got, err := runKernel(t, c.kernel(), opts, table(7, c.cols...))
			if e, _ := err.(*value.Error); tc.want == "" && (e == nil || e.Code != value.CodeNumericOutOfRange) || got != tc.want {
				t.Errorf("sum of %v: %q, %v; want %q", tc.vals, got, err, tc.want)
			}
		}
	}
}

func TestAggregateMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	c := aggCase{cols: []column{randomColumn(r, kernel.I64, 5000, 4000, false)}, keys: []int{0}, strategy: kernel.Hash}
	opts := runtime.RunOptions{Threads: 2, Account: runtime.NewAccount(20 << 10)}
	_, _, err := New().Run(t.Context(), c.kernel(), []any{table(100, c.cols...)}, &opts)
	if e, _ := err.(*value.Error); e == nil || e.Code != value.CodeOutOfMemory {
		t.Errorf("aggregation beyond the memory limit gives %v", err)
	}
	if used := opts.Account.Used(); used != 0 {
		t.Errorf("%d bytes are still charged", used)
	}
}
