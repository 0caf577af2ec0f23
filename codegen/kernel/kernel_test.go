package kernel_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	. "github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// sample is a kernel with every kind of instruction, a dense aggregate at its
// end.
func sample() *Func {
	text := func(s string) value.Value { return value.Value{Kind: value.Text, S: s} }
	return &Func{
		Name: "sales \"by\" city",
		Inputs: []Input{
			{Kind: RelationInput, Name: "sales"},
			{Kind: HashTableInput, Name: "shops"},
		},
		Dicts: 2,
		Values: []Value{
			0:  {Type: I32, Range: Range{Known: true, Lo: -1, Hi: 50}, Name: "quantity"},
			1:  {Type: Code, Nullable: true, Dict: 0, Name: "city"},
			2:  {Type: I32},
			3:  {Type: Str},
			4:  {Type: Str, Nullable: true},
			5:  {Type: Bool, Nullable: true},
			6:  {Type: Bool, Nullable: true},
			7:  {Type: Bool},
			8:  {Type: I32, Name: "price .. of \"it\""},
			9:  {Type: I32, Nullable: true},
			10: {Type: I32, Nullable: true},
			11: {Type: I64},
			12: {Type: I64, Nullable: true, Name: "sum"},
			13: {Type: Str, Nullable: true},
			14: {Type: Str, Nullable: true},
			15: {Type: Code, Nullable: true, Dict: 1},
			16: {Type: I32, Nullable: true},
			17: {Type: Bool, Nullable: true},
			18: {Type: Num},
		},
		Params: []Param{
			{Dst: 2, Val: value.Value{Kind: value.Int, I: 7}},
			{Dst: 3, Val: text("a \"b\"\n")},
			{Dst: 10},
			{Dst: 18, Val: value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.MinInt128, Scale: 3}}},
		},
		Source: &Scan{
			Input: 0,
			Cols:  []SourceCol{{Ordinal: 4, Dst: 0}, {Ordinal: 2, Dst: 1}},
			Prune: []Prune{{Ordinal: 4, Lo: 2, Hi: NoValue}},
		},
		Body: Block{
			&Map{Src: 1, Arg: 4, Dst: 6, Result: 5, Body: Block{
				&Compute{Op: OpEq, Dst: 5, Args: []ValueID{4, 3}, Pos: value.NoPos},
			}},
			&Filter{Cond: 6},
			&Map{Src: 1, Arg: 13, Dst: 15, Result: 14, Body: Block{
				&Compute{Op: OpUpper, Dst: 14, Args: []ValueID{13}, Pos: 3},
			}},
			&Compute{Op: OpLt, Dst: 7, Args: []ValueID{0, 2}, Pos: value.NoPos},
			&If{Cond: 7, Dst: 9, ThenVal: 8, ElseVal: 10, Then: Block{
				&Compute{Op: OpDiv, Dst: 8, Args: []ValueID{2, 0}, Checked: true, Pos: 12},
			}},
			&Probe{
				Kind: ProbeLeft, Input: 1, Keys: []Key{{Val: 0, NullSafe: true}}, Mark: true,
				Payload: []SourceCol{{Ordinal: 1, Dst: 16}},
				Residual: Block{
					&Compute{Op: OpGt, Dst: 17, Args: []ValueID{16, 0}, Pos: value.NoPos},
				},
				Cond: 17,
			},
			&Compute{Op: OpConvert, Dst: 11, Args: []ValueID{2}, Pos: value.NoPos, Aux: Aux{
				Scale: -2, Bits: 16, Digits: 5, Field: "year", Length: 3,
			}},
			&Repeat{Count: 11, Index: NoValue},
		},
		Sink: &Aggregate{
			Keys: []ValueID{0, 15}, Strategy: Dense, Partitioned: true, Device: "block", Groups: 12.5,
			Accs: []Acc{{Op: AccSum, Args: []ValueID{9}, Distinct: true, Filter: 7, Dst: []ValueID{12}}},
		},
	}
}

func TestVerifyAcceptsSample(t *testing.T) {
	if err := Verify(sample()); err != nil {
		t.Fatal(err)
	}
}

func TestParseReadsWhatPrintWrote(t *testing.T) {
	param := func(typ Type, v value.Value) *Func {
		return &Func{
			Name: "f", Inputs: []Input{{Name: "t"}}, Values: []Value{{Type: typ}},
			Params: []Param{{Dst: 0, Val: v}}, Source: &Scan{},
			Sink: &Materialize{Cols: []ValueID{0}, Limit: -1, Ordered: true},
		}
	}
	withSink := func(s Sink) *Func {
		f := sample()
		f.Sink = s
		f.Values[12] = Value{} // was the aggregate's
		return f
	}
	unmatched := sample()
	unmatched.Source = &Unmatched{Input: 1, Cols: []SourceCol{{Ordinal: 0, Dst: 0}, {Ordinal: 1, Dst: 1}}}
	matched := sample()
	matched.Source = &Unmatched{Input: 1, Matched: true, Cols: unmatched.Source.(*Unmatched).Cols}
	numbered := sample()
	numbered.Values = append(numbered.Values, Value{Type: I64, Name: "copy"})
	numbered.Body[len(numbered.Body)-1].(*Repeat).Index = 19
	if err := Verify(numbered); err != nil {
		t.Error(err)
	}
	for name, f := range map[string]*Func{
		"sample":    sample(),
		"numbered":  numbered,
		"matched":   matched,
		"unmatched": unmatched,
		"build":     withSink(&Build{Keys: []Key{{Val: 0}, {Val: 9, NullSafe: true}}, Payload: []ValueID{11}, Dense: true}),
		"sort":      withSink(&Sort{Keys: []SortKey{{Val: 0, Desc: true}, {Val: 9, NullsFirst: true}}, Cols: []ValueID{1}, Limit: 10, Offset: 3, Top: true}),
		"window":    window(),
		"float":     param(F64, value.Value{Kind: value.Float, F: math.Nextafter(0.1, 1)}),
		"infinity":  param(F64, value.Value{Kind: value.Float, F: math.Inf(-1)}),
		"bool":      param(Bool, value.Value{Kind: value.Bool, B: true}),
		"i128":      param(I128, value.Value{Kind: value.Decimal, Num: value.Num{Coef: value.MaxInt128}}),
		"interval":  param(Interval, value.Value{Kind: value.Intervals, Interval: value.Interval{Months: -1, Days: 2, Micros: -3}}),
	} {
		text := Print(f)
		back, err := kerneltext.Parse(text)
		if err != nil {
			t.Errorf("%s: %v in\n%s", name, err, text)
		} else if !reflect.DeepEqual(f, back) {
			t.Errorf("%s: became\n%s\nfrom\n%s", name, Print(back), text)
		}
	}
}

// window is a kernel with every kind of call and of frame.
func window() *Func {
	f := sample()
	f.Values[12] = Value{Type: I64, Nullable: true, Name: "sum"}
	f.Values = append(f.Values, Value{Type: I64, Name: "rank"}, Value{Type: Code, Nullable: true, Dict: 0, Name: "lag"})
	none := FrameBound{Kind: UnboundedPreceding, Limit: NoValue}
	f.Sink = &Window{
		Partition: []SortKey{{Val: 9}}, Order: []SortKey{{Val: 0, Desc: true, NullsFirst: true}}, Cols: []ValueID{0, 1},
		Frames: []Frame{
			{
				Unit: FrameRange, Exclude: ExcludeTies, Key: 0,
				Start: FrameBound{Kind: Preceding, Limit: 2}, End: FrameBound{Kind: CurrentRow, Limit: NoValue},
			},
			{Unit: FrameRows, Exclude: ExcludeNothing, Key: NoValue, Start: none, End: FrameBound{Kind: Following, Offset: 3, Limit: NoValue}},
		},
		Calls: []WindowCall{
			{Func: WindowAggregate, Acc: Acc{Op: AccSum, Args: []ValueID{9}, Filter: 7, Dst: []ValueID{12}}},
			{Func: WindowRank, Acc: Acc{Filter: NoValue, Dst: []ValueID{19}}, Frame: 1},
			{Func: WindowLag, Acc: Acc{Args: []ValueID{1, 2}, Filter: NoValue, Dst: []ValueID{20}}, Frame: 1},
		},
	}
	return f
}

func TestVerifyFindsDefectsOfWindows(t *testing.T) {
	if err := Verify(window()); err != nil {
		t.Fatal(err)
	}
	for want, damage := range map[string]func(s *Window){
		"there is no frame 2":      func(s *Window) { s.Calls[1].Frame = 2 },
		"needs its rank":           func(s *Window) { s.Partition[0].Val = 1 },
		"no unit":                  func(s *Window) { s.Frames[1].Unit = "days" },
		"no exclusion":             func(s *Window) { s.Frames[1].Exclude = "" },
		"no bound":                 func(s *Window) { s.Frames[1].End.Kind = "next" },
		"distance -1":              func(s *Window) { s.Frames[1].End.Offset = -1 },
		"ends before it starts":    func(s *Window) { s.Frames[1].End.Kind = UnboundedPreceding },
		"a limit without a key":    func(s *Window) { s.Frames[0].Key = NoValue },
		"a limit belongs":          func(s *Window) { s.Frames[0].End.Limit = 2 },
		"%11 is i64, want i32":     func(s *Window) { s.Frames[0].Start.Limit = 11 },
		"rank of 1 arguments":      func(s *Window) { s.Calls[1].Args = []ValueID{0} },
		"%11 is i64":               func(s *Window) { s.Calls[2].Args[1] = 11 },
		"lag gives i32":            func(s *Window) { s.Calls[2].Args[0] = 0 },
		"is used where it is not ": func(s *Window) { s.Cols[0] = 12 },
	} {
		f := window()
		damage(f.Sink.(*Window))
		if err := Verify(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, text := range []string{
		"", "kernel", "kernel \"a", "kernel \"a\" dicts 0\nend",
		strings.Replace(Print(sample()), "scan", "scam", 1),
		strings.Replace(Print(sample()), "yield", "yeald", 1),
		strings.Replace(Print(sample()), "%16 i32", "%99999999 i32", 1),
		Print(sample())[:300],
	} {
		if _, err := kerneltext.Parse(text); err == nil {
			t.Errorf("accepted %q", text)
		}
	}
}

func TestVerifyFindsDefects(t *testing.T) {
	for want, damage := range map[string]func(f *Func){
		"used where it is not defined": func(f *Func) { f.Body = f.Body[1:] },
		"%8 is used":                   func(f *Func) { f.Sink = &Materialize{Cols: []ValueID{8}} },
		"defined twice":                func(f *Func) { f.Body = append(f.Body, f.Body[0]) },
		"is not a relation":            func(f *Func) { f.Source.(*Scan).Input = 1 },
		"there is no input 5":          func(f *Func) { f.Source.(*Scan).Input = 5 },
		"not defined on":               func(f *Func) { f.Values[8].Type = Str },
		"dense key":                    func(f *Func) { f.Values[0].Range = Range{} },
		"without a limit":              func(f *Func) { f.Sink = &Sort{Keys: []SortKey{{Val: 9}}, Top: true, Limit: -1} },
		"is a code":                    func(f *Func) { f.Sink = &Sort{Keys: []SortKey{{Val: 1}}} },
		"of dictionary 1 of 1":         func(f *Func) { f.Dicts = 1 },
		"can be NULL":                  func(f *Func) { f.Values[9].Nullable = false },
		"gives 1 columns":              func(f *Func) { f.Sink.(*Aggregate).Accs[0].Dst = nil },
		"is never defined":             func(f *Func) { f.Values = append(f.Values, Value{Type: I32}) },
		"inside an expression":         func(f *Func) { f.Body[4].(*If).Then = Block{&Filter{Cond: 7}} },
		"bound %0 is not a parameter":  func(f *Func) { f.Source.(*Scan).Prune[0].Lo = 0 },
		"there is no source":           func(f *Func) { f.Source = nil },
		"there is no sink":             func(f *Func) { f.Sink = nil },
		"the index is i32":             func(f *Func) { f.Values = append(f.Values, Value{Type: I32}); f.Body[7].(*Repeat).Index = 19 },
		"no such operation":            func(f *Func) { f.Body[3].(*Compute).Op = "lesser" },
	} {
		f := sample()
		damage(f)
		if err := Verify(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestMapSeesOnlyItsArgument(t *testing.T) {
	f := sample()
	f.Body[2].(*Map).Body[0].(*Compute).Args[0] = 1
	if err := Verify(f); err == nil {
		t.Error("a map that reads a row's value was accepted")
	}
}

func TestBlockCanRaise(t *testing.T) {
	f := sample()
	if !f.BlockCanRaise(f.Body[4:5]) {
		t.Error("a division cannot raise")
	}
	if f.BlockCanRaise(f.Body[:4]) {
		t.Error("comparisons can raise")
	}
}
