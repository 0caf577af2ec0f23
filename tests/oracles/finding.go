package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/cubeloom/cubeloom/tests/randquery"
)

// A finding is a broken law or an error that should not be.
type finding struct {
	law, kind    string
	config       configuration
	number, seed uint64 // of the round, and of the case
	err          error
	tables       []randquery.Table
	asked        []string
}

// repeat is the command that finds it again.
func (f finding) repeat() string {
	return fmt.Sprintf("go run ./tests/oracles --seed %d --rounds 1 --laws %s --configs %s", f.number, f.law, f.config.name)
}

// name is the name of its script.
func (f finding) name() string {
	return fmt.Sprintf("oracles-%s-%s-%d-%d.sql", f.law, f.config.name, f.number, f.seed)
}

// script is the finding as SQL: the tables that the queries name, and the queries.
func (f finding) script() string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s of law %s under %s, case %d\n-- %s\n", f.kind, f.law, f.config.name, f.seed, f.repeat())
	fmt.Fprintf(&b, "-- %s\n\n", strings.ReplaceAll(f.err.Error(), "\n", "\n-- "))
	for _, s := range f.config.settings {
		fmt.Fprintf(&b, "SET %s;\n", s)
	}
	fmt.Fprintf(&b, "%s;\n", zone(f.number))
	for _, t := range f.tables {
		if strings.Contains(strings.Join(f.asked, " "), t.Name) {
			fmt.Fprintf(&b, "%s;\n", strings.Join(t.SQL(), ";\n"))
		}
	}
	for _, sql := range f.asked {
		fmt.Fprintf(&b, "\n%s;\n", sql)
	}
	return b.String()
}

// write writes the script to a folder and prints it.
func (f finding) write(dir string, out writer) error {
	path := filepath.Join(dir, f.name())
	fmt.Fprintf(out, "\nfinding, written to %s\n%s\n", path, f.script())
	return os.WriteFile(path, []byte(f.script()), 0o644)
}

type writer = io.Writer

// zones are the time zones of sessions, by the number of the round.
var zones = []string{"UTC", "Europe/Berlin", "UTC", "America/St_Johns"}

func zone(number uint64) string { return "SET timezone = '" + zones[number%uint64(len(zones))] + "'" }
