package tests

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const (
	module = "github.com/cubeloom/cubeloom"
	vitess = "vitess.io/vitess"
)

// A layer is a top-level package with those below it, and what it may import of
// ours. A package may always import what lies in the same layer.
type layer struct {
	name string
	may  []string
}

// vocabulary is what every layer after it may import.
var vocabulary = []string{"sql/sqlstate", "sql/value", "sql/access", "planner/algebra", "planner/strategy", "codegen/kernel", "runtime/machine", "runtime/tune"}

// layers in the order that data passes through them: the table of
// ARCHITECTURE.md.
var layers = []layer{
	{"sql", nil},
	{"planner", []string{"sql"}},
	{"operators", []string{"planner/algebra", "codegen/kernel"}},
	{"fusion", []string{"planner/algebra", "planner/estimate", "operators"}},
	{"codegen", []string{"fusion", "operators"}},
	{"runtime/session", []string{"sql", "planner", "operators", "fusion", "codegen", "runtime"}},
	{"runtime", []string{"operators", "codegen"}},
	{"", []string{"sql", "planner", "operators", "fusion", "codegen", "runtime", "runtime/session"}},
	{"server", []string{""}},
	{"cmd", []string{"", "server", "operators/cubing", "codegen/cuda/expand", "codegen/cuda/preaggregate", "runtime/cuda"}},
}

// exceptions narrow the rules of layers for single packages.
var exceptions = map[string]func(imported string) bool{
	// The kernel IR stands on values alone.
	"codegen/kernel": func(p string) bool { return within(p, "sql/value", "sql/sqlstate", "codegen/kernel") },
	// The catalogue of functions is data.
	"planner/function": func(p string) bool { return within(p, "sql", "planner/algebra") },
	// The types of SQL stand below what is bound.
	"planner/sqltype": func(p string) bool { return within(p, "sql", "planner/algebra", "planner/sqltype") },
	// The figures stand on nothing.
	"runtime/machine": func(string) bool { return false },
	// A search knows nothing of what is tuned.
	"runtime/tune": func(string) bool { return false },
	// A launch plan knows nothing of what is launched.
	"codegen/launch": func(p string) bool { return within(p, "codegen/launch") },
	// What a session is made of stands below it, and what runs its statements above.
	"runtime/session/settings": func(p string) bool { return !within(p, "runtime/session") },
	"runtime/session/result":   func(p string) bool { return !within(p, "runtime/session") },
	"runtime/session/catalog": func(p string) bool {
		return !within(p, "runtime/session") || p == "runtime/session" || within(p, "runtime/session/result", "runtime/session/settings", "runtime/session/catalog")
	},
	"runtime/session/query": func(p string) bool {
		return !within(p, "runtime/session") || p == "runtime/session" || within(p, "runtime/session/result", "runtime/session/settings", "runtime/session/catalog", "runtime/session/query")
	},
	// The two backends never import each other.
	"runtime/cpu":  func(p string) bool { return !within(p, "runtime/cuda") },
	"runtime/cuda": func(p string) bool { return !within(p, "runtime/cpu") },
}

const cpuRoot = "runtime/cpu/"

// cpuPackages are those of the CPU's backend. Each may import those before it.
var cpuPackages = []string{
	"spare", "vector", "scheduler", "exec", "compile", "keytable",
	"join/packed", "join/probe", "join/hash", "join/merge", "join",
	"scan", "materialize/anyorder", "materialize/inorder", "materialize", "sort/order", "sort/top", "sort",
	"aggregate/accumulator", "distinct/set", "distinct", "aggregate/group",
	"aggregate/single", "aggregate/ordered", "aggregate/dense", "aggregate/partitioned", "aggregate/hash", "aggregate",
	"window",
}

// mayImportCPU reports whether package number i of the CPU's backend may import another.
func mayImportCPU(i int, imported string) bool {
	name, ours := strings.CutPrefix(imported, cpuRoot)
	return imported != "runtime/cpu" && (!ours || slices.Contains(cpuPackages[:i], name))
}

// within reports whether a package is one of the roots or lies below it.
func within(pkg string, roots ...string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		return pkg == root || root != "" && strings.HasPrefix(pkg, root+"/")
	})
}

// layerOf is the layer of a package, given by its path in the module.
func layerOf(pkg string) (layer, bool) {
	for _, l := range layers {
		if within(pkg, l.name) {
			return l, true
		}
	}
	return layer{}, false
}

// allowed reports whether a package may import another of ours.
func allowed(pkg, imported string) bool {
	l, known := layerOf(pkg)
	if !known {
		return pkg == "tests" || strings.HasPrefix(pkg, "tests/")
	}
	for root, rule := range exceptions {
		if within(pkg, root) && !rule(imported) {
			return false
		}
	}
	for i, name := range cpuPackages {
		if within(pkg, cpuRoot+name) && !mayImportCPU(i, imported) {
			return false
		}
	}
	of, _ := layerOf(imported)
	return of.name == l.name || slices.Contains(l.may, of.name) || within(imported, l.may...) && of.name != "runtime/session" ||
		l.name != "sql" && within(imported, vocabulary...)
}

func TestImportRules(t *testing.T) {
	seen := map[string]bool{}
	for file, imports := range importsOfModule(t) {
		pkg := path.Dir(file)
		if pkg == "." {
			pkg = ""
		}
		isTest := strings.HasSuffix(file, "_test.go")
		for _, imported := range imports {
			if strings.HasPrefix(imported, vitess) && pkg != "sql" && !within(pkg, "sql/dialect") && !isTest {
				t.Errorf("%s imports %s: only package sql knows Vitess", file, imported)
			}
			ours, isOurs := strings.CutPrefix(imported+"/", module+"/")
			if !isOurs {
				continue
			}
			ours = strings.TrimSuffix(ours, "/")
			if !allowed(pkg, ours) && !isTest {
				t.Errorf("%s imports %s, which its layer may not", file, imported)
			}
			seen[pkg] = true
		}
	}
	if !seen["cmd/cubeloom/workload/tpch"] {
		t.Error("the imports of cmd/cubeloom/workload/tpch were not found")
	}
}

// importsOfModule parses the imports of every Go file of this module, by its
// path from the root.
func importsOfModule(t *testing.T) map[string][]string {
	t.Helper()
	root := ".."
	imports := map[string][]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && file != root {
			return skipFolder(file, d)
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		imports[filepath.ToSlash(name)] = nil
		for _, spec := range parsed.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports[filepath.ToSlash(name)] = append(imports[filepath.ToSlash(name)], imported)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return imports
}

// skipFolder passes over hidden folders, test data and other modules.
func skipFolder(dir string, d fs.DirEntry) error {
	if strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "node_modules" {
		return fs.SkipDir
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

func TestAllowedImports(t *testing.T) {
	for _, c := range []struct {
		pkg, imported string
		want          bool
	}{
		{"sql/dialect", "sql", true},
		{"sql", "planner/algebra", false},
		{"sql/value", "planner", false},
		{"planner", "codegen/kernel", true},
		{"operators/filter", "fusion", false},
		{"operators/filter", "codegen/kernel", true},
		{"codegen/kernel", "planner/algebra", false},
		{"codegen/kernel", "sql/value", true},
		{"runtime/cpu", "runtime/cuda", false},
		{"runtime/cuda", "runtime/cpu", false},
		{"runtime/cpu", "runtime/store", true},
		{"runtime", "planner", false},
		{"runtime/cpu", "runtime/session/settings", false},
		{"runtime/session/result", "runtime/session", false},
		{"runtime/session/catalog", "runtime/session/query", false},
		{"runtime/session/query", "runtime/session/catalog", true},
		{"runtime/session/query", "runtime/session/write", false},
		{"runtime/session/define", "runtime/session", true},
		{"runtime/session/settings", "planner", true},
		{"runtime/session/settings", "runtime/cpu", true},
		{"", "runtime/session/settings", true},
		{"", "runtime/cpu", true},
		{"", "server", false},
		{"server", "", true},
		{"server", "sql/value", true},
		{"server", "runtime", false},
		{"cmd/cubeloom", "server", true},
		{"cmd/cubeloom", "fusion", false},
		{"tests", "fusion", true},
	} {
		if allowed(c.pkg, c.imported) != c.want {
			t.Errorf("%q imports %q: allowed is %t", c.pkg, c.imported, !c.want)
		}
	}
}
