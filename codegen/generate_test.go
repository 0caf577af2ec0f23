package codegen_test

import (
	"github.com/cubeloom/cubeloom/tests/kerneltext"

	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/tests/plantest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// generate weaves a plan and generates its kernels; each must be the same after
// it has been printed and parsed.
func generate(t *testing.T, plan algebra.Node, opts fusion.Options) (*fusion.Program, *codegen.Program) {
	t.Helper()
	if err := algebra.Verify(plan); err != nil {
		t.Fatal(err)
	}
	woven, err := fusion.Weave(plan, opts)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := codegen.Generate(woven)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range prog.Steps {
		text := kernel.Print(step.Func)
		back, err := kerneltext.Parse(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !reflect.DeepEqual(back, step.Func) {
			t.Errorf("kernel %s changes when it is printed and parsed:\n%s", step.Func.Name, text)
		}
	}
	return woven, prog
}

// stages is the whole way of a plan as text.
func stages(plan algebra.Node, woven *fusion.Program, prog *codegen.Program) string {
	var b strings.Builder
	fmt.Fprintf(&b, "== algebra\n%s\n== groups\n%s", algebra.Format(plan), fusion.Explain(woven).Text())
	for i, step := range prog.Steps {
		fmt.Fprintf(&b, "\n== step %d, group %d, reads %s\n%s", i, step.Group, bindings(step.Inputs), kernel.Print(step.Func))
	}
	fmt.Fprintf(&b, "\n== result %s\n", binding(&prog.Result))
	return b.String()
}

func bindings(list []codegen.Binding) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = binding(&list[i])
	}
	return strings.Join(texts, "; ")
}

func binding(b *codegen.Binding) string {
	switch {
	case b.Table != nil:
		return "table " + b.Table.Name
	case b.Rows != nil:
		return fmt.Sprintf("%d constant rows", len(b.Rows.Rows))
	}
	texts := make([]string, len(b.Parts))
	for i, p := range b.Parts {
		texts[i] = fmt.Sprintf("step %d", p.Step)
		if p.Cols != nil {
			cols := make([]string, len(p.Cols))
			for k, c := range p.Cols {
				switch {
				case c.Ordinal >= 0:
					cols[k] = fmt.Sprint(c.Ordinal)
				case c.Const.Kind == 0:
					cols[k] = "NULL"
				default:
					cols[k] = fmt.Sprintf("=%d", c.Const.I)
				}
			}
			texts[i] += " columns " + strings.Join(cols, " ")
		}
	}
	return strings.Join(texts, ", ")
}

func TestGenerateQueries(t *testing.T) {
	for name, plan := range plantest.Queries() {
		for suffix, opts := range map[string]fusion.Options{"": {Fusion: true}, ".unwoven": {}} {
			woven, prog := generate(t, plan, opts)
			golden(t, name+suffix+".txt", stages(plan, woven, prog))
		}
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

// TestStarJoinIsOneKernel checks what weaving is for: all that is done with a
// row of the fact table happens in one kernel.
func TestStarJoinIsOneKernel(t *testing.T) {
	_, prog := generate(t, plantest.SSB41(), fusion.Options{Fusion: true})
	if len(prog.Steps) != 6 { // four dimensions, the star join, the order
		t.Fatalf("%d steps", len(prog.Steps))
	}
	star := prog.Steps[4].Func
	probes := 0
	for _, in := range star.Body {
		if _, ok := in.(*kernel.Probe); ok {
			probes++
		}
	}
	if _, ok := star.Sink.(*kernel.Aggregate); !ok || probes != 4 {
		t.Errorf("the star join is\n%s", star)
	}
}
