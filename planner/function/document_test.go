package function

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/planner/algebra"
)

var update = flag.Bool("update", false, "write docs/functions.md anew")

const introduction = `# Functions

Made from the catalogue of functions (` + "`planner/function`" + `) by ` + "`go test ./planner/function -run Document -update`" + `;
each example is a test. Unless a row says otherwise, the result of a function is NULL where
an argument is, and the same whenever the arguments are.
`

// TestDocumentIsCurrent compares docs/functions.md with the catalogue; with -update it is
// written anew.
func TestDocumentIsCurrent(t *testing.T) {
	const file = "../../docs/functions.md"
	text := document()
	if *update {
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(have) != text {
		t.Error("docs/functions.md is not current: go test ./planner/function -run Document -update")
	}
}

// document is the catalogue as a page.
func document() string {
	var out strings.Builder
	out.WriteString(introduction)
	section := ""
	for _, f := range All() {
		if f.Section != section {
			section = f.Section
			out.WriteString("\n## " + section + "\n\n| call | result | example | answer |\n|---|---|---|---|\n")
		}
		out.WriteString("| " + strings.Join(calls(f), "<br>") + " | " + cell(sentences(f)) + " | `" + cell(f.Example) + "` | " + answer(f.Answer) + " |\n")
	}
	return out.String()
}

// cell is a text in a table.
func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func answer(s string) string {
	if s == "" {
		return "the empty text"
	}
	return "`" + cell(s) + "`"
}

// sentences say what a function is, and in what it differs from others.
func sentences(f *Function) string {
	s := f.Text
	if len(f.Aliases) > 0 {
		s += " Also `" + strings.Join(f.Aliases, "`, `") + "`."
	}
	switch f.Volatility {
	case Stable:
		s += " *Stable.*"
	case Volatile:
		s += " *Volatile.*"
	}
	switch {
	case f.Nulls == NullCounts:
		s += " *Takes NULL.*"
	case f.Nulls == NullSkipped:
		s += " *Skips NULL.*"
	}
	return s
}

// calls are the ways to call a function.
func calls(f *Function) []string {
	var all []string
	for _, usage := range f.Usage {
		all = append(all, "`"+cell(usage)+"`")
	}
	for i := range f.Signatures {
		sig := &f.Signatures[i]
		var params []string
		for _, letter := range []byte(sig.Params) {
			params = append(params, typeName(letter))
		}
		all = append(all, "`"+f.Name+"("+strings.Join(params, ", ")+") → "+typeName(sig.Result)+"`")
	}
	return all
}

// typeName is the type that a letter stands for as SQL writes it.
func typeName(letter byte) string {
	switch typ := TypeOf(letter); {
	case letter == '?':
		return "any"
	case typ.Kind == algebra.Array:
		return "anyarray"
	default:
		return typ.String()
	}
}
