package value

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"time"
)

// zoneAbbreviations are the abbreviations of time zones that PostgreSQL 15 knows unless
// it is told otherwise (its file timezonesets/Default): each with its seconds east of
// Greenwich, or with the zone in which it has meant several offsets.
//
//go:embed zone_abbreviations.txt
var zoneAbbreviations string

// abbreviation is what an abbreviation of a time zone means.
type abbreviation struct {
	name    string // in capitals
	seconds int64
	zone    string // "" where it has always meant the same
}

var abbreviations = sync.OnceValue(func() map[string]abbreviation {
	all := map[string]abbreviation{}
	for line := range strings.Lines(zoneAbbreviations) {
		name, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		a := abbreviation{name: strings.ToUpper(name)}
		var err error
		if a.seconds, err = strconv.ParseInt(meaning, 10, 64); err != nil {
			a.zone = meaning
		}
		all[name] = a
	}
	return all
})

// findAbbreviation finds an abbreviation in any case.
func findAbbreviation(name string) (abbreviation, bool) {
	const longest = 8
	if len(name) > longest {
		return abbreviation{}, false
	}
	a, ok := abbreviations()[strings.ToLower(name)]
	return a, ok
}

// atLocal is the offset that an abbreviation means at a local time, in seconds east of
// Greenwich.
func (a abbreviation) atLocal(local int64) int64 {
	loc, ok := FindZone(a.zone)
	if a.zone == "" || !ok {
		return a.seconds
	}
	return a.at(local-offsetOfLocal(local, loc), loc)
}

// atMoment is the offset that an abbreviation means at a moment.
func (a abbreviation) atMoment(micros int64) int64 {
	loc, ok := FindZone(a.zone)
	if a.zone == "" || !ok {
		return a.seconds
	}
	return a.at(micros, loc)
}

// at is what the abbreviation meant when the zone used it last before a moment, else
// when it does so next, else what is ahead of UTC then.
func (a abbreviation) at(micros int64, loc *time.Location) int64 {
	const lastYear = 2100 // rules go on without end
	at := time.Unix(floorDiv(micros, microsPerSecond), 0).In(loc)
	for t := at; ; {
		if name, seconds := t.Zone(); name == a.name {
			return int64(seconds)
		}
		start, _ := t.ZoneBounds()
		if start.IsZero() || start.After(t) {
			break
		}
		t = start.Add(-time.Second)
	}
	for t := at; t.Year() < lastYear; {
		if name, seconds := t.Zone(); name == a.name {
			return int64(seconds)
		}
		_, end := t.ZoneBounds()
		if end.IsZero() || !end.After(t) {
			break
		}
		t = end
	}
	_, seconds := at.Zone()
	return int64(seconds)
}

// zoneAtLocal finds the zone that a name means at a local time: an abbreviation, or
// what FindZone finds.
func zoneAtLocal(name string, local int64) (*time.Location, error) {
	if a, ok := findAbbreviation(name); ok {
		return time.FixedZone(name, int(a.atLocal(local))), nil
	}
	return mustFindZone(name)
}

// zoneAtMoment is zoneAtLocal at a moment.
func zoneAtMoment(name string, micros int64) (*time.Location, error) {
	if a, ok := findAbbreviation(name); ok {
		return time.FixedZone(name, int(a.atMoment(micros))), nil
	}
	return mustFindZone(name)
}

// mustFindZone is FindZone with its error.
func mustFindZone(name string) (*time.Location, error) {
	loc, ok := FindZone(name)
	if !ok {
		return nil, errZone(name)
	}
	return loc, nil
}
