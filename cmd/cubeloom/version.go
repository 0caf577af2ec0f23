package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/cubeloom/cubeloom"
)

// version returns what --version prints: the engine's version, the commit that the
// program was built from where the build knows it, and the Go that built it.
func version() string {
	return fmt.Sprintf("%s (%s), %s %s/%s", cubeloom.Version, commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// commit returns the commit that the program was built from, and whether files were
// changed since.
func commit() string {
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	revision := settings["vcs.revision"]
	switch {
	case revision == "":
		return "commit unknown"
	case settings["vcs.modified"] == "true":
		return "commit " + revision[:min(len(revision), 12)] + ", modified"
	}
	return "commit " + revision[:min(len(revision), 12)]
}
