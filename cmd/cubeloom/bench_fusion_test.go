package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestBenchFusion runs the patterns over little data: woven and unwoven agree, and
// the unwoven ones write more.
func TestBenchFusion(t *testing.T) {
	cmd := newBenchFusion()
	var out strings.Builder
	cmd.SetOut(&out)
	cmd.SetErr(io.Discard)
	cmd.SetArgs([]string{"--device", "cpu", "--sizes", "64kB", "--selectivity", "50", "--runs", "1", "--json"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	var got fusionBench
	if err := json.Unmarshal([]byte(out.String()), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Results) != len(patternNames()) {
		t.Fatalf("%d results of %d patterns", len(got.Results), len(patternNames()))
	}
	for _, r := range got.Results {
		if r.Rows == 0 || r.Unwoven.Written <= r.Woven.Written {
			t.Errorf("pattern %s gives %d rows and writes %d bytes woven, %d unwoven", r.Pattern, r.Rows, r.Woven.Written, r.Unwoven.Written)
		}
	}
}

func TestDisabledRules(t *testing.T) {
	out, errors := runShell(t, `SET disabled_rules = 'push_filters, merge_projects'; SHOW disabled_rules; SET disabled_rules = 'nothing';`)
	if !strings.Contains(out, "push_filters,merge_projects") || !strings.Contains(errors, `there is no rule "nothing"`) {
		t.Errorf("got %q, errors %q", out, errors)
	}
}
