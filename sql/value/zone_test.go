package value

import (
	"strings"
	"testing"
	"time"
)

func TestFindZone(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"UTC", "UTC"}, {"utc", "UTC"}, {"europe/paris", "Europe/Paris"}, {"AMERICA/PORT_OF_SPAIN", "America/Port_of_Spain"},
		{"america/argentina/buenos_aires", "America/Argentina/Buenos_Aires"}, {"est5edt", "EST5EDT"}, {"etc/gmt+3", "Etc/GMT+3"},
		{"foo+3", "FOO+3"}, {"<+03>-3", "<+03>-3"}, {"+02:30", "+02:30"},
		{"local", ""}, {"", ""}, {"../etc/passwd", ""}, {"/etc/localtime", ""}, {"nope", ""}, {"Europe", ""}, {"FOO+999", ""}, {"<x", ""}, {"a:b", ""}, {strings.Repeat("a", 300) + "+3", ""},
	} {
		loc, ok := FindZone(c.name)
		if ok != (c.want != "") || ok && loc.String() != c.want {
			t.Errorf("%s: got %v, want %q", c.name, loc, c.want)
		}
	}
	if loc, ok := HoursZone(-8); !ok || loc.String() != "<-08>+08" {
		t.Errorf("got %v", loc)
	}
	if loc, ok := HoursZone(200); ok {
		t.Errorf("got %v", loc)
	}
}

// TestMomentOf takes local times around changes of the clocks there and back.
func TestMomentOf(t *testing.T) {
	for _, c := range []struct{ zone, local, utc string }{
		{"Europe/Paris", "2020-03-29 01:59:59", "2020-03-29 00:59:59"},
		{"Europe/Paris", "2020-03-29 02:30:00", "2020-03-29 01:30:00"}, // passed over
		{"Europe/Paris", "2020-03-29 03:00:00", "2020-03-29 01:00:00"},
		{"Europe/Paris", "2020-10-25 01:59:59", "2020-10-24 23:59:59"},
		{"Europe/Paris", "2020-10-25 02:30:00", "2020-10-25 01:30:00"}, // shown twice
		{"Australia/Lord_Howe", "2020-07-01 00:00:00", "2020-06-30 13:30:00"},
		{"Europe/Paris", "1800-01-01 00:00:00", "1799-12-31 23:50:39"},
		{"America/New_York", "9999-07-01 00:00:00", "9999-07-01 04:00:00"},
	} {
		loc, ok := FindZone(c.zone)
		if !ok {
			t.Fatal(c.zone)
		}
		local, err := ParseTimestamp(c.local)
		if err != nil {
			t.Fatal(err)
		}
		moment, err := MomentOf(local, loc)
		if got := FormatTimestamp(moment); err != nil || got != c.utc {
			t.Errorf("%s in %s: got %s %v, want %s", c.local, c.zone, got, err, c.utc)
		}
		back, err := ParseTimestampTZ(string(AppendTimestampTZ(nil, moment, loc)), time.UTC)
		if err != nil || back != moment {
			t.Errorf("%s in %s reads back as %d, not %d: %v", c.local, c.zone, back, moment, err)
		}
	}
	if _, err := LocalTime(MaxTimestamp, time.FixedZone("x", 3600)); err == nil {
		t.Error("the last timestamp has a local time behind it")
	}
}
