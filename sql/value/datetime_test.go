package value

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCalendarAgreesWithTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.Int64Range(MinDate, MaxDate).Draw(t, "days")
		year, month, day := civil(days)
		want := time.Unix(days*secondsPerDay, 0).UTC()
		if int(year) != want.Year() || month != int(want.Month()) || day != want.Day() {
			t.Fatalf("civil(%d) = %d-%d-%d, want %v", days, year, month, day, want)
		}
		if back := daysOf(year, month, day); back != days {
			t.Fatalf("daysOf(%d, %d, %d) = %d, want %d", year, month, day, back, days)
		}
		if got := weekday(days); got != int64(want.Weekday()) {
			t.Fatalf("weekday(%d) = %d, want %v", days, got, want.Weekday())
		}
		wantYear, wantWeek := want.ISOWeek()
		if year, week := isoWeek(days); int(year) != wantYear || int(week) != wantWeek {
			t.Fatalf("isoWeek(%d) = %d, %d, want %d, %d", days, year, week, wantYear, wantWeek)
		}
	})
}

func TestDateTimeTextReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := int32(rapid.Int64Range(MinDate, MaxDate).Draw(t, "days"))
		if back, err := ParseDate(FormatDate(days)); err != nil || back != days {
			t.Fatalf("%s is read as %d, %v", FormatDate(days), back, err)
		}
		micros := rapid.Int64Range(MinTimestamp, MaxTimestamp).Draw(t, "micros")
		if back, err := ParseTimestamp(FormatTimestamp(micros)); err != nil || back != micros {
			t.Fatalf("%s is read as %d, %v", FormatTimestamp(micros), back, err)
		}
		iv := Interval{
			Months: rapid.Int32().Draw(t, "months"), Days: rapid.Int32().Draw(t, "days of interval"),
			Micros: rapid.Int64Range(-1<<62, 1<<62).Draw(t, "time"),
		}
		if back, err := ParseInterval(iv.String(), ""); err != nil || back != iv {
			t.Fatalf("%v is read as %v, %v", iv, back, err)
		}
	})
}

// The shortcut for ISO text must agree with the way through tokens.
func TestISOShortcut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[0-2][0-9]{3}-[01][0-9]-[0-3][0-9]([ T][0-2][0-9]:[0-6][0-9]:[0-6][0-9](\.[0-9]{0,8})?)?`).Draw(t, "text")
		slow, err := parseDateTime(text, "timestamp", MDY)
		if days, ok := isoDate(text); ok && (err != nil || days != slow.day) {
			t.Fatalf("isoDate(%q) = %d, want %d, %v", text, days, slow.day, err)
		}
		if micros, ok := isoTimestamp(text); ok && (err != nil || micros != slow.day*microsPerDay+slow.ofDay) {
			t.Fatalf("isoTimestamp(%q) = %d, want %v, %v", text, micros, slow, err)
		}
	})
}

// Whatever the text, the readers answer with a value or a user error.
func TestReadersRefuseGarbage(t *testing.T) {
	word := rapid.SampledFrom([]string{"1", "99", "2001", "20010203", "-", "+", ":", ".", "/", " ", "T", "j", "pm", "bc", "mon",
		"jan", "P", "Y", "M", "D", "H", "S", "e", "E", "day", "ago", "epoch", "t", "z", "é", "\x00", "0x", "_", "99999999999999999999"})
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.Rune(), 0, 5, -1).Draw(t, "head")
		for _, w := range rapid.SliceOfN(word, 0, 12).Draw(t, "words") {
			text += w
		}
		check := func(err error) {
			t.Helper()
			if e := (*Error)(nil); err != nil && !errors.As(err, &e) {
				t.Fatalf("%q: %v is no user error", text, err)
			}
		}
		_, err := ParseDate(text)
		check(err)
		_, err = ParseTimestamp(text)
		check(err)
		_, err = ParseInterval(text, rapid.SampledFrom([]string{"", "year", "day to second", "minute to second", "nonsense"}).Draw(t, "field"))
		check(err)
		_, err = ParseNum(text)
		check(err)
		_, err = ParseFloat64(text)
		check(err)
		_, err = ParseInt(text, 32)
		check(err)
		_, err = ParseBool(text)
		check(err)
	})
}
