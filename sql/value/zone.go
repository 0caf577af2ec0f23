package value

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	_ "time/tzdata" // for machines without a time zone database
)

//go:embed zone_names.txt
var zoneNames string

// ZoneNames are the names of the time zone database, in order.
func ZoneNames() []string { return strings.Fields(zoneNames) }

// maxZones is how many names of time zones are remembered, and maxZoneName how
// long one may be, so that a hostile text cannot make the process grow.
const (
	maxZones    = 4096
	maxZoneName = 255
)

// zones remembers time zones by the names that were asked for.
var zones struct {
	found sync.Map // string to *time.Location
	count atomic.Int32
}

// FindZone finds a time zone as SET TimeZone does: by its name in the time zone
// database in any case, or by a fixed offset in the form of POSIX, like CET-1 or
// <+03>-03. What is given back has a name that finds it again.
func FindZone(name string) (*time.Location, bool) {
	if loc, ok := zones.found.Load(name); ok {
		return loc.(*time.Location), true
	}
	if len(name) > maxZoneName {
		return nil, false
	}
	loc := loadZone(name)
	if loc == nil {
		loc = posixZone(name)
	}
	if loc == nil {
		return nil, false
	}
	if zones.count.Load() < maxZones {
		zones.count.Add(1)
		zones.found.Store(name, loc)
	}
	return loc, true
}

// IsUTC reports whether local time is always that of UTC.
func IsUTC(loc *time.Location) bool {
	switch loc.String() {
	case "UTC", "GMT", "Etc/UTC", "Etc/GMT":
		return true
	}
	return false
}

// loadZone finds a name of the time zone database.
func loadZone(name string) *time.Location {
	if name == "" || strings.EqualFold(name, "local") || len(name) > 64 {
		return nil
	}
	for _, spelling := range []string{name, strings.ToUpper(name), zoneSpelling(name)} {
		if loc, err := time.LoadLocation(spelling); err == nil && spelling != "Local" {
			return loc
		}
	}
	return nil
}

// zoneWords are the parts of names that are not written with one capital.
var zoneWords = map[string]string{
	"of": "of", "es": "es", "au": "au", "gmt": "GMT", "utc": "UTC", "uct": "UCT", "us": "US", "gb": "GB", "nz": "NZ",
	"su": "SU", "in": "IN", "chat": "CHAT", "mcmurdo": "McMurdo", "dumontdurville": "DumontDUrville",
	"denoronha": "DeNoronha", "bajanorte": "BajaNorte", "bajasur": "BajaSur", "easterisland": "EasterIsland",
	"lhi": "LHI", "act": "ACT", "nsw": "NSW",
}

// zoneSpelling writes a name as the database does: Europe/Paris.
func zoneSpelling(name string) string {
	var out strings.Builder
	for rest := strings.ToLower(name); rest != ""; {
		end := strings.IndexAny(rest, "/_-+")
		if end < 0 {
			end = len(rest)
		}
		word := rest[:end]
		if as, ok := zoneWords[word]; ok {
			out.WriteString(as)
		} else if word != "" {
			out.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
		if end < len(rest) {
			out.WriteByte(rest[end])
			end++
		}
		rest = rest[end:]
	}
	return out.String()
}

// posixZone reads a name, which may be missing, and the hours west of Greenwich.
func posixZone(name string) *time.Location {
	name = strings.ToUpper(name)
	rest := name
	if strings.HasPrefix(rest, "<") {
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			return nil
		}
		rest = rest[end+1:]
	} else {
		rest = rest[skip(rest, 0, isLetter):]
	}
	seconds, ok := offsetSeconds(rest)
	if !ok {
		return nil
	}
	return time.FixedZone(name, -seconds)
}

// offsetSeconds reads hours, or hours:minutes, or hours:minutes:seconds, with or
// without a sign.
func offsetSeconds(s string) (seconds int, ok bool) {
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	parts := strings.Split(s, ":")
	if len(parts) > 3 {
		return 0, false
	}
	for i, limit := range []int{167, 59, 59} {
		n := 0
		if i < len(parts) {
			var err error
			if n, err = strconv.Atoi(parts[i]); err != nil || n > limit || !isDigit(parts[i][0]) {
				return 0, false
			}
		}
		seconds = seconds*60 + n
	}
	if negative {
		seconds = -seconds
	}
	return seconds, true
}

// HoursZone is the zone of SET TimeZone to a number: so many hours east of
// Greenwich, at most 168 of them.
func HoursZone(hours float64) (*time.Location, bool) {
	if !(hours > -168 && hours < 168) {
		return nil, false
	}
	return OffsetZone(int(hours * 3600)), true
}

// OffsetZone is the zone so many seconds east of Greenwich.
func OffsetZone(seconds int) *time.Location {
	east := string(appendOffset(nil, seconds))
	west := string(appendOffset(nil, -seconds))
	if seconds == 0 {
		west = "-00"
	}
	return time.FixedZone("<"+east+">"+west, seconds)
}

// errZone says that there is no such time zone.
func errZone(name string) error {
	return Errorf(CodeInvalidParameter, "time zone \"%s\" not recognized", name)
}

// intervalZone finds the zone of AT TIME ZONE with an interval.
func intervalZone(iv Interval) (*time.Location, error) {
	if iv.Months != 0 || iv.Days != 0 {
		return nil, Errorf(CodeInvalidParameter, "interval time zone \"%s\" must not include months or days", iv.String())
	}
	return OffsetZone(int(iv.Micros / microsPerSecond)), nil
}

// offsetAt is what local time is ahead of UTC at a moment, in microseconds.
func offsetAt(micros int64, loc *time.Location) int64 {
	_, seconds := time.Unix(floorDiv(micros, microsPerSecond), 0).In(loc).Zone()
	return int64(seconds) * microsPerSecond
}

// isFixed reports whether clocks of a zone were never changed.
func isFixed(loc *time.Location) bool {
	const half, first, last = secondsPerDay * 365 / 2, -120, 140
	for i := int64(first); i < last; i++ {
		if offsetAt(i*half*microsPerSecond, loc) != offsetAt(0, loc) {
			return false
		}
	}
	return true
}

// LocalTime is the time that clocks show at a moment. Infinity stays.
func LocalTime(micros int64, loc *time.Location) (int64, error) {
	if IsUTC(loc) || !IsFiniteTimestamp(micros) {
		return micros, nil
	}
	local, ok := timestampOf(Int128Of(micros).AddWrap(Int128Of(offsetAt(micros, loc))))
	if !ok {
		return 0, errTimestampRange()
	}
	return local, nil
}

// MomentOf is the moment at which clocks show a time. Of a time that they pass
// over it is the one by the offset before the change, of one that they show
// twice by the offset after it. Infinity stays.
func MomentOf(local int64, loc *time.Location) (int64, error) {
	if IsUTC(loc) || !IsFiniteTimestamp(local) {
		return local, nil
	}
	micros, ok := timestampOf(Int128Of(local).SubWrap(Int128Of(offsetOfLocal(local, loc))))
	if !ok {
		return 0, errTimestampRange()
	}
	return micros, nil
}

// offsetOfLocal is what local time is ahead of UTC when clocks show a time. No
// offset is more than a day, and no two changes are less than two days apart.
func offsetOfLocal(local int64, loc *time.Location) int64 {
	seconds := floorDiv(local, microsPerSecond)
	dayBefore := time.Unix(seconds-secondsPerDay, 0).In(loc)
	_, before := dayBefore.Zone()
	_, end := dayBefore.ZoneBounds()
	if end.IsZero() {
		return int64(before) * microsPerSecond
	}
	_, after := end.Zone()
	change := end.Unix()
	early, late := seconds-int64(before), seconds-int64(after)
	switch {
	case early < change && late < change:
	case early > change && late >= change, early <= late:
		before = after
	}
	return int64(before) * microsPerSecond
}

// appendOffset appends an offset in seconds as +hh, with :mm and :ss where they
// are not 0.
func appendOffset(dst []byte, seconds int) []byte {
	sign := byte('+')
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	dst = append(dst, sign)
	if hours := seconds / 3600; hours < 100 {
		dst = appendTwo(dst, uint64(hours))
	} else {
		dst = AppendInt(dst, int64(hours))
	}
	if seconds%3600 != 0 {
		dst = appendTwo(append(dst, ':'), uint64(seconds/60%60))
	}
	if seconds%60 != 0 {
		dst = appendTwo(append(dst, ':'), uint64(seconds%60))
	}
	return dst
}
