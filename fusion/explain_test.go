package fusion_test

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

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

func weave(t *testing.T, plan algebra.Node, opts fusion.Options) *fusion.Program {
	t.Helper()
	if err := algebra.Verify(plan); err != nil {
		t.Fatal(err)
	}
	p, err := fusion.Weave(plan, opts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExplain(t *testing.T) {
	for name, plan := range plantest.Queries() {
		woven := fusion.Explain(weave(t, plan, fusion.Options{Fusion: true}))
		golden(t, name+".txt", woven.Text())
		golden(t, name+".dot", woven.Dot())
		js, err := woven.JSON()
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name+".json", string(js)+"\n")
		golden(t, name+".unwoven.txt", fusion.Explain(weave(t, plan, fusion.Options{})).Text())
	}
}

func TestJSONReadsBack(t *testing.T) {
	e := fusion.Explain(weave(t, plantest.SSB21(), fusion.Options{Fusion: true}))
	e.Groups[0].Measured = &fusion.Measurement{Backend: "cpu", RowsIn: 5}
	js, err := e.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var back fusion.Explanation
	if err := json.Unmarshal(js, &back); err != nil {
		t.Fatal(err)
	}
	if back.Groups[0].Measured.RowsIn != 5 || len(back.Edges) != len(e.Edges) {
		t.Errorf("read back %+v", back)
	}
}
