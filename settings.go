package cubeloom

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/fusion"
	"github.com/cubeloom/cubeloom/operators/sort"
	"github.com/cubeloom/cubeloom/planner/rewrite"
	"github.com/cubeloom/cubeloom/runtime/placement"
	"github.com/cubeloom/cubeloom/sql/access"
	"github.com/cubeloom/cubeloom/sql/value"
)

// settings are what SET changes for one session.
type settings struct {
	fusion           bool
	hashJoins        bool
	joins            string // the strategy that is forced, or auto
	aggregates       string // likewise
	sorts            string // likewise
	mergeJoins       bool
	threads          int
	vectorRows       int
	memoryLimit      int64
	statementTimeout time.Duration
	progressInterval time.Duration
	device           placement.Wish
	disabledRules    []string
	gpu              *placement.Device // of the database
	client           map[string]string // what clients set, by name; replaced and never changed

	session access.OID // SET SESSION AUTHORIZATION's role, or that which logged in
	current access.OID // SET ROLE's, or that of the session
}

// setting is one name that SET, SHOW and RESET know.
type setting struct {
	name string
	help string
	show func(*settings) string
	set  func(*settings, string) error
}

// settingTable lists the settings in the order of SHOW ALL.
var settingTable = []setting{
	{"device", "where groups run: auto, cpu or cuda",
		func(s *settings) string { return string(s.device) },
		(*settings).setDevice},
	{"disabled_rules", "rules of the planner that are left out, with commas between them",
		func(s *settings) string { return strings.Join(s.disabledRules, ",") },
		(*settings).setDisabledRules},
	{"enable_hashjoin", "join by hash tables where that is estimated to be cheaper; off merges wherever a table is in the order of the key",
		func(s *settings) string { return onOff(s.hashJoins) },
		func(s *settings, v string) error { return setBool("enable_hashjoin", &s.hashJoins, v) }},
	{"enable_mergejoin", "merge rows with a table that is in the order of the key where that is estimated to be cheaper",
		func(s *settings) string { return onOff(s.mergeJoins) },
		func(s *settings, v string) error { return setBool("enable_mergejoin", &s.mergeJoins, v) }},
	{"join_strategy", "how rows are joined: auto, hash or merge",
		func(s *settings) string { return s.joins },
		func(s *settings, v string) error {
			return setStrategy("join_strategy", &s.joins, fusion.JoinStrategies(), v)
		}},
	{"aggregate_strategy", "how rows are aggregated by keys: auto, dense or hash, or a strategy of CUDA devices, such as block",
		func(s *settings) string { return s.aggregates },
		func(s *settings, v string) error {
			return setStrategy("aggregate_strategy", &s.aggregates, aggregateStrategies(), v)
		}},
	{"sort_strategy", "how the CPU orders rows: auto, top (keep only the rows that a limit lets through) or full",
		func(s *settings) string { return s.sorts },
		func(s *settings, v string) error {
			return setStrategy("sort_strategy", &s.sorts, sort.Strategies(), v)
		}},
	{"fusion", "weave operators into fused kernels; off materializes every operator",
		func(s *settings) string { return onOff(s.fusion) },
		func(s *settings, v string) error { return setBool("fusion", &s.fusion, v) }},
	{"memory_limit", "memory that one query may hold, in bytes or with kB, MB, GB; 0 is no limit",
		func(s *settings) string { return strconv.FormatInt(s.memoryLimit, 10) },
		func(s *settings, v string) error { return setBytes("memory_limit", &s.memoryLimit, v) }},
	{"progress_interval", "time between notices of a running statement's progress, as statement_timeout; 0 is none",
		func(s *settings) string { return showDuration(s.progressInterval) },
		func(s *settings, v string) error { return setDuration("progress_interval", &s.progressInterval, v) }},
	{"statement_timeout", "time after which a statement is cancelled, in milliseconds or with ms, s, min; 0 is none",
		func(s *settings) string { return showDuration(s.statementTimeout) },
		func(s *settings, v string) error { return setDuration("statement_timeout", &s.statementTimeout, v) }},
	{"threads", "threads that work on a query",
		func(s *settings) string { return strconv.Itoa(s.threads) },
		func(s *settings, v string) error { return setInt("threads", &s.threads, v, 1, 1024) }},
	{"vector_rows", "rows in a vector of the CPU backend",
		func(s *settings) string { return strconv.Itoa(s.vectorRows) },
		func(s *settings, v string) error { return setInt("vector_rows", &s.vectorRows, v, 1, 1<<16) }},
}

// setDevice chooses where groups run. Cuda needs a device.
func (s *settings) setDevice(v string) error {
	switch placement.Wish(v) {
	case placement.Auto, placement.Host:
	case placement.CUDA:
		if err := s.gpu.Require(); err != nil {
			return err
		}
	default:
		return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter \"device\": %q", v)
	}
	s.device = placement.Wish(v)
	return nil
}

// setDisabledRules names the planner's rules that are left out.
func (s *settings) setDisabledRules(v string) error {
	names := strings.FieldsFunc(v, func(c rune) bool { return c == ',' || c == ' ' })
	for _, name := range names {
		if !slices.ContainsFunc(rewrite.Rules(), func(r rewrite.Rule) bool { return r.Name == name }) {
			return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter \"disabled_rules\": there is no rule %q", name)
		}
	}
	s.disabledRules = names
	return nil
}

// findSetting looks a setting up by its name in any case.
func findSetting(name string) (*setting, error) {
	if i := slices.IndexFunc(settingTable, func(s setting) bool { return strings.EqualFold(s.name, name) }); i >= 0 {
		return &settingTable[i], nil
	}
	for i := range clientSettings {
		if c := &clientSettings[i]; strings.EqualFold(c.name, name) {
			return c.setting(), nil
		}
	}
	return nil, value.Errorf(value.CodeUndefinedObject, "unrecognized configuration parameter %q", name)
}

// onOff names the state of a switch.
func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// setBool reads a switch.
func setBool(name string, dst *bool, text string) error {
	switch strings.ToLower(text) {
	case "on", "true", "yes", "1":
		*dst = true
	case "off", "false", "no", "0":
		*dst = false
	default:
		return value.Errorf(value.CodeInvalidParameter, "parameter %q requires a Boolean value", name)
	}
	return nil
}

// setInt reads a whole number between lo and hi.
func setInt(name string, dst *int, text string, lo, hi int) error {
	n, err := strconv.Atoi(text)
	if err != nil {
		return value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", name, text)
	}
	if n < lo || n > hi {
		return value.Errorf(value.CodeInvalidParameter, "%d is outside the valid range for parameter %q (%d .. %d)", n, name, lo, hi)
	}
	*dst = n
	return nil
}

// unit is a suffix of a number and what it stands for.
type unit struct {
	suffix string
	factor int64
}

// parseWithUnit reads a number that may have one of the units behind it.
func parseWithUnit(name, text string, units []unit) (int64, error) {
	digits, factor := strings.ToLower(strings.TrimSpace(text)), int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(digits, u.suffix); ok {
			digits, factor = strings.TrimSpace(rest), u.factor
			break
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > (1<<62)/factor {
		return 0, value.Errorf(value.CodeInvalidParameter, "invalid value for parameter %q: %q", name, text)
	}
	return n * factor, nil
}

// byteUnits are the units of an amount of memory: powers of 1024.
var byteUnits = []unit{{"kb", 1 << 10}, {"mb", 1 << 20}, {"gb", 1 << 30}, {"tb", 1 << 40}, {"b", 1}}

// ParseBytes reads an amount of memory as SET memory_limit does: a whole number
// of bytes, or one with the unit kB, MB, GB or TB. Name says what the amount is
// for, in the error.
func ParseBytes(name, text string) (int64, error) {
	n, err := parseWithUnit(name, text, byteUnits)
	if err != nil {
		return 0, value.Errorf(value.CodeInvalidParameter,
			"invalid value for parameter %q: %q (write bytes, or a unit: 512MB, 4GB)", name, text)
	}
	return n, nil
}

// setBytes reads an amount of memory.
func setBytes(name string, dst *int64, text string) error {
	n, err := ParseBytes(name, text)
	if err == nil {
		*dst = n
	}
	return err
}

// setDuration reads a time; a bare number is in milliseconds.
func setDuration(name string, dst *time.Duration, text string) error {
	n, err := parseWithUnit(name, text, []unit{{"ms", 1}, {"s", 1000}, {"min", 60_000}, {"h", 3_600_000}, {"d", 86_400_000}})
	if err == nil && n > int64(24*24*time.Hour/time.Millisecond) {
		err = value.Errorf(value.CodeInvalidParameter, "%s is too long for parameter %q", fmt.Sprintf("%dms", n), name)
	}
	if err == nil {
		*dst = time.Duration(n) * time.Millisecond
	}
	return err
}

// showDuration writes a time in the largest unit that gives a whole number, as
// PostgreSQL does.
func showDuration(d time.Duration) string {
	ms := d.Milliseconds()
	if ms == 0 {
		return "0"
	}
	for _, u := range []unit{{"d", 86_400_000}, {"h", 3_600_000}, {"min", 60_000}, {"s", 1000}} {
		if ms%u.factor == 0 {
			return strconv.FormatInt(ms/u.factor, 10) + u.suffix
		}
	}
	return strconv.FormatInt(ms, 10) + "ms"
}
