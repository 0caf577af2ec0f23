package planner

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestRuleComments holds that the comment of every rule has the shape before and after
// it, and the counter-example that it must not touch. Rules are the functions that the
// table in rules.go names.
func TestRuleComments(t *testing.T) {
	files, err := filepath.Glob("rewrite/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	comments := map[string]string{}
	var named []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv != nil {
				continue
			}
			comments[f.Name.Name] = f.Doc.Text()
			if f.Name.Name == "Rules" {
				named = rulesNamed(f)
			}
		}
	}
	if len(named) == 0 {
		t.Fatal("no rules")
	}
	for _, rule := range named {
		for _, part := range []string{"\tbefore: ", "\tafter:  ", "\tnever:  "} {
			if !strings.Contains(comments[rule], part) {
				t.Errorf("the comment of %s has no line %q", rule, strings.TrimSpace(part))
			}
		}
	}
}

// rulesNamed are the functions in the table that a function returns.
func rulesNamed(table *ast.FuncDecl) []string {
	var names []string
	ast.Inspect(table.Body, func(n ast.Node) bool {
		if row, ok := n.(*ast.CompositeLit); ok && len(row.Elts) == 5 {
			if f, ok := row.Elts[2].(*ast.Ident); ok {
				names = append(names, f.Name)
			}
		}
		return true
	})
	return names
}
