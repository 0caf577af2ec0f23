package tests

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// mutualList is the list of file pairs that may depend on each other. Lines that
// begin with # give the reason of the lines below them.
const mutualList = "testdata/directions.txt"

var listDirections = flag.Bool("directions.list", false, "print the pairs of files that depend on each other")

// TestFileDirections holds the files of every package to one direction: of two
// files at most one uses what the other declares. What is on the list may
// differ, and the list only shrinks: a line without such a pair fails too.
func TestFileDirections(t *testing.T) {
	allowed := readMutual(t)
	for _, pair := range mutualFiles(t) {
		if *listDirections {
			fmt.Println(pair)
		}
		if _, found := slices.BinarySearch(allowed, pair); !found {
			t.Errorf("%s: each uses what the other declares; move a declaration, or name the recursion in %s", pair, mutualList)
		}
		allowed = slices.DeleteFunc(allowed, func(line string) bool { return line == pair })
	}
	for _, line := range allowed {
		t.Errorf("%s has the line %q, but the files do not depend on each other: remove it", mutualList, line)
	}
}

// readMutual returns the sorted lines of the list.
func readMutual(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(mutualList)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.Split(string(text), "\n"), func(line string) bool {
		return line == "" || strings.HasPrefix(line, "#")
	})
	slices.Sort(lines)
	return slices.Compact(lines)
}

// listedPackage is what `go list -json` prints of a package.
type listedPackage struct {
	ImportPath, Dir, Export string
	GoFiles, CgoFiles       []string
	Module                  *struct{ Path string }
}

// mutualFiles returns the pairs "folder: a.go b.go" of files without tests that
// use declarations of each other, sorted.
func mutualFiles(t *testing.T) []string {
	t.Helper()
	packages := listPackages(t)
	exports := map[string]string{}
	for _, p := range packages {
		exports[p.ImportPath] = p.Export
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	})
	var pairs []string
	for _, p := range packages {
		if p.Module == nil || p.Module.Path != module {
			continue
		}
		uses := fileUses(t, p, files, imports)
		for _, a := range slices.Sorted(maps.Keys(uses)) {
			for _, b := range slices.Sorted(maps.Keys(uses[a])) {
				if a < b && uses[b][a] {
					folder := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
					pairs = append(pairs, fmt.Sprintf("%s: %s %s", folder, a, b))
				}
			}
		}
	}
	slices.Sort(pairs)
	return pairs
}

// listPackages returns the packages of this module and all that they import,
// with the files that hold their exported types.
func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	command := exec.Command("go", "list", "-deps", "-export", "-json=ImportPath,Dir,Export,GoFiles,CgoFiles,Module", "./...")
	command.Dir = ".."
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.Bytes())
	}
	var packages []listedPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listedPackage
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

// fileUses returns, for each file of a package, the other files of the package
// whose declarations it uses: types, functions, methods, fields, variables and
// constants.
func fileUses(t *testing.T, p listedPackage, files *token.FileSet, imports types.Importer) map[string]map[string]bool {
	t.Helper()
	var parsed []*ast.File
	for _, name := range slices.Concat(p.GoFiles, p.CgoFiles) {
		file, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: imports, FakeImportC: true}
	checked, err := config.Check(p.ImportPath, files, parsed, info)
	if err != nil {
		t.Fatal(err)
	}
	uses := map[string]map[string]bool{}
	for identifier, object := range info.Uses {
		if object.Pkg() != checked {
			continue
		}
		user := filepath.Base(files.Position(identifier.Pos()).Filename)
		owner := filepath.Base(files.Position(object.Pos()).Filename)
		if uses[user] == nil {
			uses[user] = map[string]bool{}
		}
		uses[user][owner] = true
	}
	return uses
}
