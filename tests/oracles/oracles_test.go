package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/tests/randquery"
	"github.com/cubeloom/cubeloom/tests/reference"
	"github.com/cubeloom/cubeloom/tests/share"
)

// onCPU are the configurations that need no compiler.
var onCPU = slices.DeleteFunc(configNames(), onDevices)

func testOptions(t *testing.T) options {
	return options{
		rounds: 3, seed: 1, threads: 1, laws: lawNames(), configs: onCPU, limit: time.Minute, shrink: 5 * time.Second,
		dir: t.TempDir(), out: io.Discard, progress: io.Discard,
	}
}

// Every law holds in a sample under every configuration, or a share of them.
func TestLawsHold(t *testing.T) {
	for _, config := range share.Some(t, t.Name(), onCPU) {
		o := testOptions(t)
		o.configs, o.seed = []string{config}, uint64(slices.Index(onCPU, config)*o.rounds)
		total, err := search(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range total.findings {
			t.Error(f.script())
		}
		for _, law := range o.laws {
			if c := total.cells[[2]string{law, config}]; c == nil || c.cases-c.none-c.refused-c.raised < c.cases/2 {
				t.Errorf("law %s under %s: %+v", law, config, c)
			}
		}
		var b bytes.Buffer
		total.print(&b)
		t.Logf("%s\n%s", config, b.String())
	}
}

// planted are bugs of an engine, by the law that has to find them.
var planted = map[string]alter{
	"tlp-where": func(_, sql string, _ bool, r *reference.Result) { // a filter takes NULL for false
		if strings.Contains(sql, " IS NULL)") {
			loseRow(r)
		}
	},
	"tlp-having": func(_, sql string, _ bool, r *reference.Result) { // a group is lost
		if strings.Contains(sql, "HAVING (NOT ") {
			loseRow(r)
		}
	},
	"tlp-aggregate": func(_, sql string, _ bool, r *reference.Result) { // the last aggregate is NULL
		if strings.Contains(sql, "AS parts") && len(r.Rows) > 0 {
			row := r.Rows[0]
			row[len(row)-1] = reference.Cell{Null: !row[len(row)-1].Null}
		}
	},
	"joins": func(_, sql string, _ bool, r *reference.Result) { // a row without a partner is lost
		if strings.Contains(sql, " LEFT ") || strings.Contains(sql, " FULL ") {
			loseRow(r)
		}
	},
	"norec": func(_, sql string, _ bool, r *reference.Result) { // a filter passes nothing
		if strings.HasPrefix(sql, "SELECT count(*)") {
			r.Rows[0][0].Text = "0"
		}
	},
	"pqs": func(_, sql string, plain bool, r *reference.Result) { // a row is lost
		if !plain {
			loseRow(r)
		}
	},
	"eet": func(_, sql string, _ bool, r *reference.Result) { // CASE loses a row
		if strings.Count(sql, "CASE")%2 == 1 {
			loseRow(r)
		}
	},
	"agree": func(_, sql string, plain bool, r *reference.Result) { // weaving loses a row
		if !plain {
			loseRow(r)
		}
	},
}

func loseRow(r *reference.Result) {
	if len(r.Rows) > 0 {
		r.Rows = r.Rows[1:]
	}
}

// Each law finds a bug that is planted, makes it smaller, and writes a script that runs.
func TestPlantedBugs(t *testing.T) {
	for _, law := range randquery.Laws {
		t.Run(law.Name, func(t *testing.T) {
			o := testOptions(t)
			o.laws, o.configs, o.answer, o.shrink = []string{law.Name}, onCPU[:1], planted[law.Name], time.Second
			total := firstFindings(t, o)
			for _, f := range total.findings {
				if f.kind != "violation" {
					t.Errorf("%s: %v", f.kind, f.err)
				}
			}
			checkScript(t, o, total.findings[0])
		})
	}
}

// firstFindings searches until a round has findings, which takes four rounds at the most.
func firstFindings(t *testing.T, o options) *counters {
	t.Helper()
	for o.rounds = 1; o.seed <= 4; o.seed++ {
		total, err := search(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		if len(total.findings) > 0 {
			return total
		}
	}
	t.Fatal("it is not found")
	return nil
}

// checkScript runs a finding's script and its command.
func checkScript(t *testing.T, o options, f finding) {
	t.Helper()
	script, err := os.ReadFile(filepath.Join(o.dir, f.name()))
	if err != nil {
		t.Fatal(err)
	}
	e, err := openEngine(f.config, o.limit)
	if err != nil {
		t.Fatal(err)
	}
	defer e.db.Close()
	for _, sql := range strings.Split(string(script), ";\n") {
		if strings.TrimSpace(sql) == "" {
			continue
		}
		if _, err := e.query(context.Background(), sql, false); err != nil {
			t.Errorf("%s\n%v", sql, err)
		}
	}
	o.seed, o.rounds = f.number, 1
	again, err := search(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range again.findings {
		if g.seed == f.seed {
			return
		}
	}
	t.Errorf("%s does not find it again", f.repeat())
}

// What is not an answer is a finding, or free, as the SQLSTATE says.
func TestOutcomes(t *testing.T) {
	e, err := openEngine(configurations[0], 2*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	defer e.db.Close()
	for _, test := range []struct {
		sql     string
		number  uint64
		kind    string
		finding bool
	}{
		{"SELECT 1", 0, "holds", false},
		{"SELECT 1 / (g - 1) FROM generate_series(1, 1) g", extremeEvery - 1, "raised", false},
		{"SELECT 1 / (g - 1) FROM generate_series(1, 1) g", 0, "error 22012", true},
		{"SELECT no_such_function()", 0, "error 42883", true},
		{"SELECT count(*) FROM generate_series(1, 100000) a, generate_series(1, 1000000) b WHERE a * b % 7 = 3", 0, "error 57014", true},
		{fmt.Sprintf("SELECT g FROM generate_series(1, %d) g", maxRows+1), 0, "refused", false},
	} {
		_, err := e.query(context.Background(), test.sql, false)
		r := round{number: test.number}
		if o := r.outcome(err); o.kind != test.kind || o.finding != test.finding {
			t.Errorf("%s: %+v (%v), want %s", test.sql, o, err, test.kind)
		}
	}
	internal := &randquery.Violation{}
	for err, kind := range map[error]string{errHang: "hang", io.ErrUnexpectedEOF: "panic", internal: "violation"} {
		if o := (&round{}).outcome(err); o.kind != kind || !o.finding {
			t.Errorf("%v: %+v", err, o)
		}
	}
}

// What does not exist is named.
func TestUnknownNames(t *testing.T) {
	for _, args := range [][]string{{"--laws", "gravity"}, {"--configs", "gravity"}} {
		cmd := newCommand()
		cmd.SetArgs(args)
		cmd.SetOut(io.Discard)
		if err := cmd.Execute(); err == nil || !strings.Contains(err.Error(), `"gravity"`) || !strings.Contains(err.Error(), "tlp-where") {
			t.Errorf("%v: %v", args, err)
		}
	}
}
