package main

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// givenFlags are the flags of the command line, by name.
func givenFlags(set *pflag.FlagSet) map[string][]string {
	given := map[string][]string{}
	set.Visit(func(f *pflag.Flag) { given[f.Name] = valuesOf(f) })
	return given
}

// valuesOf are the values of a flag, which may be repeated.
func valuesOf(f *pflag.Flag) []string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return list.GetSlice()
	}
	return []string{f.Value.String()}
}

// readConfig sets flags by a file of them, where the command line does not. A blank path
// is no file.
func readConfig(path string, set *pflag.FlagSet, given map[string][]string) error {
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("--config: %w", err)
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, value, ok := strings.Cut(line, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		switch {
		case !ok:
			return fmt.Errorf("%s:%d: want NAME = VALUE", path, number)
		case set.Lookup(name) == nil || slices.Contains([]string{"config", "help"}, name):
			return fmt.Errorf("%s:%d: there is no setting %q; 'cubeloom serve --help' lists them without their dashes", path, number, name)
		case given[name] != nil:
			continue
		}
		if err := set.Set(name, value); err != nil {
			return fmt.Errorf("%s:%d: %w", path, number, err)
		}
	}
	return nil
}

// rereadFlags are the flags as they would be at a new start: those of the command line,
// then those that the file says now. Fresh are all flags of the command, with their
// defaults; those of the engine are checked and not given.
func rereadFlags(fresh *pflag.FlagSet, config string, given map[string][]string) (*serveFlags, error) {
	flags := &serveFlags{}
	set := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	flags.register(set)
	fresh.VisitAll(func(f *pflag.Flag) {
		if set.Lookup(f.Name) == nil {
			set.AddFlag(f)
		}
	})
	for name, values := range given {
		for _, value := range values {
			if err := set.Set(name, value); err != nil {
				return nil, err
			}
		}
	}
	return flags, readConfig(config, set, given)
}
