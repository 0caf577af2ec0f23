package query

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql"
)

// dumpCount numbers the queries of the process in their dumps.
var dumpCount atomic.Int64

// Dump writes every stage of the query to a directory below another one, unless that is
// "": the statement, the algebra after each pass that changed it, the
// groups, and each kernel in as text.
func (c *Compiled) Dump(q *sql.Query, under string) error {
	if under == "" {
		return nil
	}
	dir := filepath.Join(under, fmt.Sprintf("query-%04d", dumpCount.Add(1)))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	files := map[string]string{
		"1-statement.txt": sql.Tree(q),
		"2-algebra.txt":   algebra.Format(c.Plan.Root),
		"3-groups.txt":    fusion.Explain(c.Woven).Text(),
	}
	for i, step := range c.Program.Steps {
		files[fmt.Sprintf("4-kernel-%02d-%s.txt", i, FileWord(step.Func.Name))] = kernel.Print(step.Func)
	}
	c.dumpDir = dir
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// DumpDevice writes the CUDA source and the launch plan of each step that ran on a
// device.
func (c *Compiled) DumpDevice(run *runtime.Execution) error {
	if c.dumpDir == "" {
		return nil
	}
	for i, m := range run.Steps {
		if m.Device == nil {
			continue
		}
		word := FileWord(c.Program.Steps[i].Func.Name)
		source, plan := m.Device.Text()
		for name, text := range map[string]string{
			fmt.Sprintf("5-cuda-%02d-%s.cu", i, word): source, fmt.Sprintf("6-launch-%02d-%s.txt", i, word): plan,
		} {
			if err := os.WriteFile(filepath.Join(c.dumpDir, name), []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// FileWord is a name with everything but letters, digits and dashes replaced.
func FileWord(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}
