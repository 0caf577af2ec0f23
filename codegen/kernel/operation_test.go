package kernel

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"strconv"
	"testing"
)

// TestOperationsAreComplete holds the table to the declared operations.
func TestOperationsAreComplete(t *testing.T) {
	file, err := goparser.ParseFile(token.NewFileSet(), "operation.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if typ, ok := spec.Type.(*ast.Ident); !ok || typ.Name != "Op" {
			return false
		}
		name, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		declared++
		if op := Op(name); op != OpRoutine && op != OpStatistic && len(op.Operation().Signatures) == 0 {
			t.Errorf("operation %s is not in the table", op)
		}
		return false
	})
	if want := len(operations) + 1; declared != want {
		t.Errorf("%d operations are declared, the table has %d", declared, want)
	}
}
