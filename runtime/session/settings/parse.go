package settings

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// OnOff names the state of a switch.
func OnOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// SetBool reads a switch.
func SetBool(name string, dst *bool, text string) error {
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

// showDuration writes a time in the largest unit that makes a whole number, as
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
