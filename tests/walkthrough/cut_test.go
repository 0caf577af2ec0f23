package walkthrough

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/cubeloom/cubeloom"
)

// boxes returns the groups as EXPLAIN draws them.
func boxes(text string) string {
	_, text, _ = strings.Cut(text, "\n") // what it costs in all
	drawn, _, _ := strings.Cut(text, "\n\n")
	return drawn
}

// launchSteps returns the launch plan of a kernel.
func launchSteps(text, kernel string) (string, error) {
	_, plan, found := strings.Cut(text, fmt.Sprintf("\nplan %q\n", kernel))
	if !found {
		return "", fmt.Errorf("there is no launch plan of %s:\n%s", kernel, text)
	}
	end := strings.Index(plan, "\nend\n")
	if end < 0 {
		return "", fmt.Errorf("the launch plan of %s has no end", kernel)
	}
	return fmt.Sprintf("plan %q\n%s\nend", kernel, plan[:end]), nil
}

// cudaEntry returns the text of an entry of CUDA source.
func cudaEntry(text, entry string) (string, error) {
	at := strings.Index(text, " "+entry+"(")
	for at >= 0 {
		line := strings.LastIndexByte(text[:at], '\n') + 1
		if strings.Contains(text[line:at], "__global__") {
			body, _, _ := strings.Cut(text[line:], "\n}\n")
			return body + "\n}", nil
		}
		next := strings.Index(text[at+1:], " "+entry+"(")
		if next < 0 {
			break
		}
		at += 1 + next
	}
	return "", fmt.Errorf("no kernel of the source is called %s", entry)
}

// firstRows returns the first rows of the answer, and how many there are.
func firstRows(session *cubeloom.Session, text string, n int) (string, error) {
	rows, err := answer(session, text)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s\n… %d rows", strings.Join(rows[:min(n, len(rows))], "\n"), len(rows)), nil
}

// answer returns the rows of a statement, their columns separated by bars.
func answer(session *cubeloom.Session, text string) ([]string, error) {
	result, err := session.Query(context.Background(), text)
	if err != nil {
		return nil, err
	}
	defer result.Close()
	var rows []string
	cursor := result.Cursor()
	for cursor.Next() {
		var cells []string
		for i := range result.Columns {
			cells = append(cells, cursor.Text(i))
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	return rows, cursor.Err()
}

// goFunction returns the source of a function or method of the package in a folder
// or one below it, with its comment.
func goFunction(folder, name string) (string, error) {
	found := ""
	err := filepath.WalkDir(filepath.Join("../..", folder), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := functionOf(path, name)
		if text != "" && found != "" {
			return fmt.Errorf("%s has several functions %s", folder, name)
		}
		found += text
		return err
	})
	if err == nil && found == "" {
		err = fmt.Errorf("%s has no function %s", folder, name)
	}
	return found, err
}

// functionOf returns the source of a function of a file, or "".
func functionOf(path, name string) (string, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, source, parser.ParseComments)
	if err != nil {
		return "", err
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == name {
			from := f.Pos()
			if f.Doc != nil {
				from = f.Doc.Pos()
			}
			return string(source[files.Position(from).Offset:files.Position(f.End()).Offset]), nil
		}
	}
	return "", nil
}
