package value

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseArray(t *testing.T) {
	words, whole := Element{Letter: 's'}, Element{Letter: 'w'}
	for _, c := range []struct {
		in   string
		elem Element
		want string // the array, or the SQLSTATE of the error
	}{
		{"{}", whole, "{}"},
		{" { 1 , -2,NULL,null } ", whole, "{1,-2,NULL,NULL}"},
		{"{1,2", whole, CodeInvalidText},
		{"{1,}", whole, CodeInvalidText},
		{"{,1}", whole, CodeInvalidText},
		{"{1}}", whole, CodeInvalidText},
		{"1,2", whole, CodeInvalidText},
		{"", whole, CodeInvalidText},
		{"{", whole, CodeInvalidText},
		{`{"1`, whole, CodeInvalidText},
		{`{1\`, whole, CodeInvalidText},
		{`{"1"2}`, whole, CodeInvalidText},
		{`{1"2"}`, whole, CodeInvalidText},
		{"{1 2}", whole, CodeInvalidText},
		{"{3000000000}", whole, CodeNumericOutOfRange},
		{"{{1},{2}}", whole, CodeFeatureNotSupported},
		{"[0:1]={1,2}", whole, "[0:1]={1,2}"},
		{" [ 2 ] = {1,2}", whole, "{1,2}"},
		{"[-1:-1]={7}", whole, "[-1:-1]={7}"},
		{"[1:2][1:2]={{1,2},{3,4}}", whole, CodeFeatureNotSupported},
		{"[0:1]={1}", whole, CodeInvalidText},
		{"[0:1{1}", whole, CodeInvalidText},
		{"[1:0]={}", whole, "2202E"},
		{"[1:2147483647]={1}", whole, "54000"},
		{`{a b , "c d" ,e\,f,"",\"}`, words, `{"a b","c d","e,f","","\""}`},
		{`{"null",nul\l,NULL,"{}",x\ }`, words, `{"null","null",NULL,"{}","x "}`},
		{"{abcd,é}", Element{Letter: 's', Length: 3}, "{abc,é}"},
		{"{1.005,2}", Element{Letter: 'n', Precision: 5, Scale: 2}, "{1.01,2.00}"},
		{"{1.50,1e3}", Element{Letter: 'n'}, "{1.50,1000}"},
		{"{yes,0}", Element{Letter: 'b'}, "{t,f}"},
		{"{2020-1-2}", Element{Letter: 'd'}, "{2020-01-02}"},
		{"{2020-01-02 03:04}", Element{Letter: 't'}, `{"2020-01-02 03:04:00"}`},
		{"{1 day,36:00}", Element{Letter: 'i'}, `{"1 day",36:00:00}`},
	} {
		got, err := ParseArray(nil, c.in, Shown{Element: c.elem}, true)
		var failure *Error
		if errors.As(err, &failure) {
			got = failure.Code
		}
		if got != c.want {
			t.Errorf("%q: got %s, want %s", c.in, got, c.want)
		}
	}
}

// TestSplitArray holds that an array's text gives its elements back.
func TestSplitArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []Item
		for range rapid.IntRange(0, 4).Draw(t, "n") {
			item := Item{Null: rapid.Bool().Draw(t, "null")}
			if !item.Null {
				item.Text = rapid.StringOf(rapid.SampledFrom([]rune(`aN"\,{} `+"ulé\n"))).Draw(t, "text")
			}
			items = append(items, item)
		}
		array := JoinArray(nil, items)
		if got := SplitArray(nil, array); !slices.Equal(got, items) {
			t.Fatalf("%s: got %v, want %v", array, got, items)
		}
		again, err := ParseArray(nil, array, Shown{Element: Element{Letter: 's'}}, true)
		if err != nil || again != array {
			t.Fatalf("%s reads as %s, %v", array, again, err)
		}
	})
}

// TestArrayKey holds that keys order as elements do.
func TestArrayKey(t *testing.T) {
	ordered := []struct {
		elem   Element
		arrays string // in ascending order; those with = between are equal
	}{
		{Element{Letter: 'w'}, "{} {-2147483648} {-1} {-1,5} {-1,NULL} {0} {2147483647} {NULL} {NULL,1}"},
		{Element{Letter: 'l'}, "{-9223372036854775808} {9} {10} {9223372036854775807}"},
		{Element{Letter: 'n'}, "{-100} {-99.5} {-10}={-10.0} {-9.99} {-0.001}={-0.0010} {0}={0.00} {1e-30} {0.5} {0.55} {1}={1.00} {9.9} {10} {10,0} {10.1} {100}"},
		{Element{Letter: 'f'}, "{-Infinity} {-1} {-0.5} {-0}={0} {0.5} {2} {10} {Infinity} {NaN}"},
		{Element{Letter: 's'}, "{\"\"} {\"\",a} {A} {A,B} {A\x01} {A\x02} {A\x02\x01} {A\x03} {AA} {a} {é} {NULL}"},
		{Element{Letter: 'b'}, "{f} {t}"},
		{Element{Letter: 'd'}, "{1969-12-31} {1970-01-01} {2020-01-01}"},
		{Element{Letter: 'i'}, "{-1mon} {-29days} {00:00:00} {29days} {1mon}={30days}={720:00:00} {1year}"},
	}
	for _, o := range ordered {
		last := ""
		for _, equal := range strings.Fields(o.arrays) {
			var first string
			for i, array := range strings.Split(equal, "=") {
				key, err := ArrayKey(nil, array, o.elem)
				if err != nil {
					t.Fatal(array, err)
				}
				if i == 0 {
					first = key
				}
				if key != first {
					t.Errorf("%s has another key than the array that it equals", array)
				}
			}
			if last != "" && first <= last {
				t.Errorf("%s is not behind the array before it", equal)
			}
			last = first
		}
	}
	f := math.Copysign(0, -1)
	if orderedFloat(f) != orderedFloat(0) {
		t.Error("there are two zeros")
	}
}
