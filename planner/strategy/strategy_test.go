package strategy_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/sql/value"
)

func offers() []strategy.Offer {
	return []strategy.Offer{
		{Strategy: "sorted", Refusal: "the rows are in no order"},
		{Strategy: "hash", Cost: 20},
		{Strategy: "dense", Cost: 10, Detail: "4 cells"},
	}
}

func TestChoose(t *testing.T) {
	for _, c := range []struct {
		prefers strategy.Preference
		taken   string
		reason  string
	}{
		{strategy.Preference{}, "dense", "the cheapest"},
		{strategy.Preference{Avoid: []string{"dense"}}, "hash", "nothing else applies"},
		{strategy.Preference{Avoid: []string{"dense", "hash"}}, "dense", "nothing else applies, though it is to be avoided"},
		{strategy.Preference{Setting: "way", Force: "hash"}, "hash", "way is hash"},
	} {
		d, err := c.prefers.Choose("table", offers()...)
		if err != nil {
			t.Fatal(err)
		}
		if !d.Takes(c.taken) || d.Reason != c.reason || len(d.Offers) != 3 {
			t.Errorf("%+v takes %+v: %s; want %s: %s", c.prefers, d.Taken(), d.Reason, c.taken, c.reason)
		}
	}
}

func TestForceFails(t *testing.T) {
	p := strategy.Preference{Setting: "way", Force: "sorted"}
	d, err := p.Choose("table", offers()...)
	if err == nil || d.Taken() != nil {
		t.Fatalf("took %+v", d.Taken())
	}
	if e, ok := err.(*value.Error); !ok || e.Code != value.CodeFeatureNotSupported || !strings.Contains(e.Message, "the rows are in no order") {
		t.Errorf("got %v", err)
	}
}

func TestTakeAgain(t *testing.T) {
	d, err := new(strategy.Preference).Choose("table", offers()...)
	if err != nil {
		t.Fatal(err)
	}
	d.Take(1, "there is no room for cells")
	want := []string{
		"       sorted does not apply: the rows are in no order",
		"taken  hash 2e-05 ms",
		"       dense (4 cells) 1e-05 ms",
	}
	if got := d.Lines(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTable(t *testing.T) {
	table := strategy.Table[int]{
		{Name: "twice", Offer: func(n int) strategy.Offer { return strategy.Offer{Cost: float64(2 * n)} }},
		{Name: "never", Offer: func(int) strategy.Offer { return strategy.Offer{Refusal: "it never does"} }},
	}
	if got := table.Names(); !slices.Equal(got, []string{"twice", "never"}) {
		t.Errorf("names %q", got)
	}
	want := []strategy.Offer{{Strategy: "twice", Cost: 6}, {Strategy: "never", Refusal: "it never does"}}
	if got := table.Offers(3); !slices.Equal(got, want) {
		t.Errorf("offers %+v", got)
	}
	want = []strategy.Offer{{Strategy: "twice", Refusal: "there is nothing"}, {Strategy: "never", Refusal: "there is nothing"}}
	if got := table.Refused("there is nothing"); !slices.Equal(got, want) {
		t.Errorf("refused %+v", got)
	}
}
