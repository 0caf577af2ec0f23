package operators_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators"
	"github.com/cubeloom/cubeloom/operators/aggregate"
	"github.com/cubeloom/cubeloom/operators/build"
	"github.com/cubeloom/cubeloom/operators/cubing"
	"github.com/cubeloom/cubeloom/operators/cuboid"
	"github.com/cubeloom/cubeloom/operators/filter"
	"github.com/cubeloom/cubeloom/operators/finalize"
	"github.com/cubeloom/cubeloom/operators/groups"
	"github.com/cubeloom/cubeloom/operators/limit"
	"github.com/cubeloom/cubeloom/operators/merge"
	"github.com/cubeloom/cubeloom/operators/probe"
	"github.com/cubeloom/cubeloom/operators/project"
	"github.com/cubeloom/cubeloom/operators/recursion"
	"github.com/cubeloom/cubeloom/operators/sample"
	"github.com/cubeloom/cubeloom/operators/scan"
	"github.com/cubeloom/cubeloom/operators/setop"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/operators/union"
	"github.com/cubeloom/cubeloom/operators/unmatched"
	"github.com/cubeloom/cubeloom/operators/unnest"
	"github.com/cubeloom/cubeloom/operators/values"
	"github.com/cubeloom/cubeloom/operators/window"
	"github.com/cubeloom/cubeloom/operators/working"
	"github.com/cubeloom/cubeloom/planner/algebra"
)

// library is one of each operator, by the name of its folder.
func library() map[string]operators.Operator {
	return map[string]operators.Operator{
		"aggregate": &aggregate.Operator{}, "build": &build.Operator{}, "cubing": &cubing.Operator{}, "cuboid": &cuboid.Operator{},
		"filter": &filter.Operator{}, "finalize": &finalize.Operator{}, "groups": &groups.Operator{}, "limit": &limit.Operator{},
		"merge": &merge.Operator{Key: operators.Key{Expr: &algebra.Const{Typ: algebra.TInt64}}, Scan: &algebra.Scan{}},
		"probe": &probe.Operator{Kind: kernel.ProbeInner}, "project": &project.Operator{},
		"recursion": &recursion.Operator{Node: &algebra.Recursive{}}, "working": &working.Operator{Node: &algebra.Working{}},
		"sample": &sample.Operator{Position: &algebra.Const{Typ: algebra.TInt64}},
		"scan":   &scan.Operator{Node: &algebra.Scan{}}, "setop": &setop.Operator{}, "sort": &sort.Operator{},
		"union": &union.Operator{}, "unmatched": &unmatched.Operator{}, "values": &values.Operator{Node: &algebra.Values{}},
		"window": &window.Operator{}, "unnest": &unnest.Operator{Times: &algebra.Const{Typ: algebra.TInt64}},
	}
}

// TestFoldersHaveOneShape checks that every folder but those of the expressions and of
// what several operators do holds one operator: a file of its name, which declares Operator with those methods
// of the interface that it does not embed, in the interface's order.
func TestFoldersHaveOneShape(t *testing.T) {
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	lib := library()
	want := []string{"Traits", "Dependence", "Columns", "Uses", "Skeleton"}
	for _, e := range entries {
		name := e.Name()
		if !e.IsDir() || name == "lower" || name == "distinct" || name == "materialize" {
			continue
		}
		if lib[name] == nil {
			t.Errorf("folder %s is not in the library of this test", name)
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(name, name+".go"), nil, parser.ParseComments)
		if err != nil {
			t.Error(err)
			continue
		}
		if file.Doc == nil {
			t.Errorf("package %s does not say what it is", name)
		}
		last, declared := -1, 0
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				at := slices.Index(want, f.Name.Name)
				if at >= 0 && at < last {
					t.Errorf("%s has %s out of order", name, f.Name.Name)
				}
				if last = max(last, at); at >= 0 {
					declared++
				}
			}
		}
		if declared < 2 {
			t.Errorf("%s.go does not declare what the operator is", name)
		}
	}
}

// TestTraits checks what holds for every operator.
func TestTraits(t *testing.T) {
	for name, op := range library() {
		tr := op.Traits()
		if tr.Name != name {
			t.Errorf("the operator in %s is called %s", name, tr.Name)
		}
		if (tr.Result == operators.Kernel) != (tr.Why != "") {
			t.Errorf("%s: a result with %s dependence, because %q", name, tr.Result, tr.Why)
		}
		s := op.Skeleton()
		if s.Partition == nil || s.Gather == nil {
			t.Errorf("%s cannot stand alone: it lacks a stage", name)
		}
	}
}
