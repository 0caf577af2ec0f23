package explain

import (
	"strings"

	"github.com/cubeloom/cubeloom/runtime/session/settings"
	"github.com/cubeloom/cubeloom/sql"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Options are the options of an EXPLAIN.
type Options struct {
	Analyze bool // run the query and show what each kernel cost
	Fusion  bool // show every decision
	kernel  bool // show the kernels
	Rules   bool // show what each rewrite rule changed
	Cuda    bool // show the CUDA source of the kernels
	Launch  bool // show how a device launches them
	costs   bool // begin with the estimated cost
	format  string
}

// ReadOptions reads the options of an EXPLAIN.
func ReadOptions(list []sql.Option) (Options, error) {
	opts := Options{format: "text", costs: true}
	switches := map[string]*bool{"analyze": &opts.Analyze, "fusion": &opts.Fusion, "kernel": &opts.kernel, "rules": &opts.Rules, "cuda": &opts.Cuda, "launch": &opts.Launch, "costs": &opts.costs}
	ignored := new(bool) // PostgreSQL's options that change nothing here
	for _, name := range []string{"verbose", "timing", "summary", "buffers", "settings", "wal"} {
		switches[name] = ignored
	}
	for _, o := range list {
		if o.Name == "format" {
			opts.format = strings.ToLower(o.Value)
			if opts.format != "text" && opts.format != "json" && opts.format != "dot" {
				return opts, value.ErrorAt(int(o.Pos), value.CodeInvalidParameter,
					"unrecognized value for EXPLAIN option \"format\": %q (use text, json or dot)", o.Value)
			}
			continue
		}
		dst := switches[o.Name]
		if dst == nil {
			return opts, value.ErrorAt(int(o.Pos), value.CodeSyntax, "unrecognized EXPLAIN option %q", o.Name)
		}
		*dst = true
		if o.Value != "" {
			if err := settings.SetBool(o.Name, dst, o.Value); err != nil {
				return opts, value.At(err, int(o.Pos))
			}
		}
	}
	return opts, nil
}
