package algebra

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/sql/value"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func col(id ColumnID, name string, t Type) Column { return Column{ID: id, Name: name, Type: t} }

func intConst(i int64) *Const { return &Const{Val: value.Value{Kind: value.Int, I: i}, Typ: TInt32} }

// samplePlan is a plan with every kind of node.
func samplePlan() Node {
	fact := &Scan{
		Table:    TableRef{Name: "sales", Rows: 1000},
		Cols:     []Column{col(1, "day", TDate), col(2, "shop", TInt32), col(3, "price", TDecimal(12, 2))},
		Ordinals: []int{0, 1, 2}, ColStats: make([]Stats, 3),
	}
	shops := &Scan{
		Table: TableRef{Name: "shops", Rows: 10}, Alias: "s",
		Cols:     []Column{col(4, "id", TInt32), col(5, "city", TText)},
		Ordinals: []int{0, 1}, ColStats: make([]Stats, 2),
	}
	late := &Filter{Input: fact, Conds: []Expr{&Call{
		Func: Ge, Typ: TBool,
		Args: []Expr{fact.Cols[0].Ref(), &Const{Val: value.Value{Kind: value.Int, I: 8766}, Typ: TDate}},
	}}}
	join := &Join{
		Kind: JoinLeft, Left: late, Right: shops,
		Keys: []JoinKey{{Left: fact.Cols[1].Ref(), Right: shops.Cols[0].Ref()}},
	}
	city := shops.Cols[1]
	city.Nullable = true
	agg := &Aggregate{
		Input: join,
		Keys:  []Item{{Column: Column{ID: 6, Name: "city", Type: TText, Nullable: true}, Expr: city.Ref()}},
		Sets:  []KeySet{1, 0},
		Aggs: []Agg{{
			Column: Column{ID: 7, Name: "sum", Type: TDecimal(38, 2), Nullable: true},
			Func:   Sum, Arg: fact.Cols[2].Ref(),
		}},
		GroupingID: col(8, "set", TInt32),
	}
	cols := agg.Columns()
	project := &Project{Input: agg, Items: []Item{
		{Column: cols[0], Expr: cols[0].Ref()},
		{Column: cols[1], Expr: cols[1].Ref()},
	}}
	none := &Values{
		Cols: []Column{{ID: 9, Name: "a", Type: TText, Nullable: true}, {ID: 10, Name: "b", Type: TDecimal(38, 2), Nullable: true}},
		Rows: [][]value.Value{{{}, {}}},
	}
	union := &SetOp{
		Kind: Union, All: true, Left: project, Right: none,
		Cols: []Column{{ID: 11, Name: "city", Type: TText, Nullable: true}, {ID: 12, Name: "sum", Type: TDecimal(38, 2), Nullable: true}},
	}
	sort := &Sort{Input: union, Keys: []SortKey{{Expr: union.Cols[1].Ref(), Desc: true}}, Limit: -1}
	return &Limit{Input: sort, Count: 5, Offset: 2}
}

func TestPrint(t *testing.T) {
	plan := samplePlan()
	if err := Verify(plan); err != nil {
		t.Fatal(err)
	}
	js, err := JSON(plan)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]string{
		"plan.txt": Format(plan), "plan.ids.txt": FormatWithIDs(plan), "plan.json": string(js),
	} {
		golden(t, name, got)
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

func TestVerifyFindsDefects(t *testing.T) {
	scan := &Scan{
		Table: TableRef{Name: "t"}, Cols: []Column{col(1, "a", TInt32), {ID: 2, Name: "b", Type: TInt64, Nullable: true}},
		Ordinals: []int{0, 1}, ColStats: make([]Stats, 2),
	}
	other := &Scan{Table: TableRef{Name: "o"}, Cols: []Column{col(20, "c", TInt64)}, Ordinals: []int{0}, ColStats: make([]Stats, 1)}
	a, b, c := scan.Cols[0].Ref(), scan.Cols[1].Ref(), other.Cols[0].Ref()
	notNull := scan.Cols[1]
	notNull.Nullable = false
	project := func(e Expr) Node {
		return &Project{Input: scan, Items: []Item{{Column: col(9, "x", e.Type()), Expr: e}}}
	}
	for _, tc := range []struct {
		want string
		plan Node
	}{
		{"not in the input", project(col(5, "z", TInt32).Ref())},
		{"is integer in the input and bigint here", project(col(1, "a", TInt64).Ref())},
		{"can be NULL", project(notNull.Ref())},
		{"no add of (integer, bigint)", project(&Call{Func: Add, Args: []Expr{a, b}, Typ: TInt64})},
		{"no sqrt of (integer)", project(&Call{Func: Sqrt, Args: []Expr{a}, Typ: TFloat64})},
		{"does not fit", project(&Const{Val: value.Value{Kind: value.Text, S: "x"}, Typ: TInt32})},
		{"unknown type", project(&Const{Typ: TUnknown})},
		{"made twice", &Join{Kind: JoinInner, Left: scan, Right: &Scan{Table: scan.Table, Cols: scan.Cols, Ordinals: scan.Ordinals, ColStats: scan.ColStats}}},
		{"both inputs have the same column", &Join{Kind: JoinInner, Left: scan, Right: scan}},
		{"condition a is integer", &Filter{Input: scan, Conds: []Expr{a}}},
		{"keys a and c", &Join{Kind: JoinInner, Left: scan, Right: other, Keys: []JoinKey{{Left: a, Right: c}}}},
		{"no grouping set", &Aggregate{Input: scan}},
		{"grouping set 10 of 1 keys", &Aggregate{Input: scan, Keys: []Item{{Column: col(3, "k", TInt32), Expr: a}}, Sets: []KeySet{2}}},
		{"sum(a) gives bigint", &Aggregate{Input: scan, Sets: []KeySet{0}, Aggs: []Agg{{Column: col(3, "s", TInt32), Func: Sum, Arg: a}}}},
		{"2 and 1 columns for 2", &SetOp{Kind: Union, Left: scan, Right: other, Cols: []Column{col(11, "x", TInt32), col(12, "y", TInt32)}}},
	} {
		err := Verify(tc.plan)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("want %q, got %v", tc.want, err)
		}
	}
}

func TestExprString(t *testing.T) {
	x, y := col(1, "x", TInt32).Ref(), col(2, "y", TInt32).Ref()
	call := func(f Func, args ...Expr) Expr { return &Call{Func: f, Args: args, Typ: TInt32} }
	for _, tc := range []struct {
		want string
		expr Expr
	}{
		{"x - (y - 1)", call(Sub, x, call(Sub, y, intConst(1)))},
		{"x - y - 1", call(Sub, call(Sub, x, y), intConst(1))},
		{"(x + y) * -y", call(Mul, call(Add, x, y), call(Neg, y))},
		{"x = 1 AND (y = 1 OR x < y)", call(And, call(Eq, x, intConst(1)), call(Or, call(Eq, y, intConst(1)), call(Lt, x, y)))},
		{"NOT (x = y OR x > 1)", call(Not, call(Or, call(Eq, x, y), call(Gt, x, intConst(1))))},
		{"(x + y)::bigint", &Call{Func: Cast, Args: []Expr{call(Add, x, y)}, Typ: TInt64}},
		{"x + y IN (1, 2)", call(In, call(Add, x, y), intConst(1), intConst(2))},
		{"x = 1 IS NULL", call(IsNull, call(Eq, x, intConst(1)))},
		{"CASE WHEN x = 1 THEN y ELSE 2 END", &Case{Whens: []When{{call(Eq, x, intConst(1)), y}}, Else: intConst(2), Typ: TInt32}},
		{"-0.05", &Const{Val: value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.Int128{Lo: ^uint64(4), Hi: -1}, Scale: 2}}, Typ: TNumeric}},
		{"'it''s'", &Const{Val: value.Value{Kind: value.Text, S: "it's"}, Typ: TText}},
	} {
		if got := tc.expr.String(); got != tc.want {
			t.Errorf("got %s, want %s", got, tc.want)
		}
	}
}

func TestTransformSharesWhatIsUnchanged(t *testing.T) {
	plan := samplePlan()
	if got := Transform(plan, func(n Node) Node { return n }); got != plan {
		t.Error("a transformation that changes nothing copied the plan")
	}
	seen := 0
	Walk(plan, func(Node) bool { seen++; return true })
	if seen != 10 {
		t.Errorf("walked %d nodes", seen)
	}
}
