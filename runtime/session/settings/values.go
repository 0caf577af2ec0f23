// Package settings is what SET changes for one session: the values, and how each is named,
// read, shown and checked.
package settings

import (
	"maps"
	"strconv"
	"time"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Values are what SET changes for one session.
type Values struct {
	Fusion           bool
	HashJoins        bool
	Joins            string       // the strategy that is forced, or auto
	Aggregates       string       // likewise
	Expansions       string       // likewise
	Pages            kernel.Pages // of form children of Expansions
	Filters          string       // as Expansions
	Packing          string       // likewise
	Preaggregates    string       // likewise
	Replicas         string       // likewise, a number
	GroupThreads     string       // likewise
	GroupRows        string       // likewise
	Launch           runtime.LaunchParameters
	Tuning           runtime.Tuning
	RunKernels       string // of runs of rows on a device; likewise, a number
	RunUpdates       string // likewise
	RunRows          string // likewise, a number
	Sorts            string // likewise
	Distinct         string // likewise
	Cubes            string // likewise
	Exchange         string // likewise: how devices join with a table
	MergeJoins       bool
	Threads          int
	VectorRows       int
	MemoryLimit      int64
	StatementTimeout time.Duration
	ProgressInterval time.Duration
	Device           placement.Wish
	DeviceFallback   bool // groups that a device cannot run are run by the CPU
	Devices          int  // that share kernels; 0: all, where that pays
	DisabledRules    []string
	Gpu              *placement.Device // of the database
	Client           map[string]string // what clients set, by name; replaced and never changed

	SessionRole access.OID // SET SESSION AUTHORIZATION's role, or that which logged in
	CurrentRole access.OID // SET ROLE's, or that of the session
}

// Setting is one name that SET, SHOW and RESET know.
type Setting struct {
	Name string
	Help string
	Show func(*Values) string
	Set  func(*Values, string) error
}

// SetClient changes a client setting: other copies of the settings keep theirs.
func (s *Values) SetClient(name, text string) {
	s.Client = maps.Clone(s.Client)
	s.Client[name] = text
}

// ClientDuration is a client setting that is a time.
func (s *Values) ClientDuration(name string) time.Duration {
	var d time.Duration
	if err := setDuration(name, &d, s.Client[name]); err != nil {
		return 0
	}
	return d
}

// Location is the time zone of the settings.
func (s *Values) Location() *time.Location {
	loc, ok := value.FindZone(s.Client["TimeZone"])
	if !ok {
		return time.UTC
	}
	return loc
}

// DateStyle is the setting of which a value may say only a part.
const DateStyle = "DateStyle"

// ExtraFloatDigits is the setting of how many digits are written of floats.
const ExtraFloatDigits = "extra_float_digits"

// Style is how the settings have dates, intervals and floats read and written.
func (s *Values) Style() value.Style {
	style, _ := value.Style{}.WithDateStyle(s.Client[DateStyle])
	extra, _ := strconv.Atoi(s.Client[ExtraFloatDigits]) // checked when it was set
	style.Floats = value.FloatDigitsOf(extra)
	return style.WithIntervalStyle(s.Client["IntervalStyle"])
}
