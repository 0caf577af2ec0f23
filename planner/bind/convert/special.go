package convert

import (
	"slices"
	"strings"
	"time"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/bind/scope"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// daysFromNow are the words of literals that stand for days around today.
var daysFromNow = map[string]int{"yesterday": -1, "today": 0, "tomorrow": 1}

// Now returns the time of now().
func Now(b *scope.Binder) time.Time {
	b.Momentary = true
	if b.Opts.Now.IsZero() {
		return time.Now()
	}
	return b.Opts.Now
}

// specialTime reads a literal that is a word for a time near now: yesterday, today and
// tomorrow, which begin at midnight in the session's zone, and now.
func specialTime(b *scope.Binder, text string, to algebra.Type) (v value.Value, ok bool) {
	switch to.Kind {
	case algebra.Date, algebra.Timestamp, algebra.TimestampTZ:
	default:
		return v, false
	}
	word := strings.ToLower(strings.TrimSpace(text))
	away, isDay := daysFromNow[word]
	if !isDay && word != "now" {
		return v, false
	}
	at := Now(b).In(b.Zone())
	if isDay {
		at = time.Date(at.Year(), at.Month(), at.Day()+away, 0, 0, 0, 0, b.Zone())
	}
	if to.Kind == algebra.TimestampTZ {
		return value.Value{Kind: value.Int, I: at.UnixMicro()}, true
	}
	shown := sqlstate.Must(value.LocalTime(at.UnixMicro(), b.Zone()))
	if to.Kind == algebra.Date {
		shown = int64(value.TimestampToDate(shown))
	}
	return value.Value{Kind: value.Int, I: shown}, true
}

// withDay is the text of a date or timestamp with the date in the place of today, tomorrow or yesterday, where one
// of them stands beside a time of day.
func withDay(b *scope.Binder, text string, to algebra.Type) string {
	if to.Kind != algebra.Date && to.Kind != algebra.Timestamp && to.Kind != algebra.TimestampTZ {
		return text
	}
	words, at := strings.Fields(text), -1
	for i, word := range words {
		if _, isDay := daysFromNow[strings.ToLower(word)]; isDay && at >= 0 {
			return text
		} else if isDay {
			at = i
		}
	}
	if at < 0 || len(words) < 2 {
		return text
	}
	day, _ := specialTime(b, words[at], algebra.TDate)
	return value.FormatDate(int32(day.I)) + " " + strings.Join(slices.Delete(words, at, at+1), " ")
}
