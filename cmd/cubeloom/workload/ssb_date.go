package workload

import (
	"time"

	"github.com/apache/arrow/go/v15/arrow"
)

const ssbDateColumns = "d_datekey integer, d_date varchar(18), d_dayofweek varchar(9), d_month varchar(9), d_year integer, " +
	"d_yearmonthnum integer, d_yearmonth varchar(7), d_daynuminweek integer, d_daynuminmonth integer, " +
	"d_daynuminyear integer, d_monthnuminyear integer, d_weeknuminyear integer, " +
	"d_sellingseason varchar(12), d_lastdayinweekfl integer, d_lastdayinmonthfl integer, " +
	"d_holidayfl integer, d_weekdayfl integer"

// calendarDays is the number of days from 1992-01-01 to 1998-12-31. (The
// specification says 2556, one too few for seven years with two leap days.)
const calendarDays = 2557

// calendarDay returns the day number i of the calendar, counted from 0.
func calendarDay(i int64) time.Time {
	return time.Date(1992, 1, 1+int(i), 0, 0, 0, 0, time.UTC)
}

// dateKey writes a day as the integer yyyymmdd.
func dateKey(t time.Time) int32 {
	return int32(t.Year()*10000 + int(t.Month())*100 + t.Day())
}

// calendarKeys lists the keys of all days in order.
func calendarKeys() []int32 {
	keys := make([]int32, calendarDays)
	for i := range keys {
		keys[i] = dateKey(calendarDay(int64(i)))
	}
	return keys
}

// ssbDates is the source of table date.
func ssbDates(first int64, n int) []arrow.Array {
	var ints [11][]int32
	for i := range ints {
		ints[i] = make([]int32, n)
	}
	date, weekday, month := newTexts(n, 18), newTexts(n, 9), newTexts(n, 9)
	yearMonth, season := newTexts(n, 7), newTexts(n, 12)
	for i := range n {
		t := calendarDay(first + int64(i))
		date.add(t.Format("January 2, 2006"))
		weekday.add(t.Weekday().String())
		month.add(t.Month().String())
		yearMonth.add(t.Format("Jan2006"))
		season.add(sellingSeason(t.Month()))
		for c, v := range [...]int{
			int(dateKey(t)), t.Year(), t.Year()*100 + int(t.Month()),
			int(t.Weekday()) + 1, t.Day(), t.YearDay(), int(t.Month()), (t.YearDay()-1)/7 + 1,
			flag(t.Weekday() == time.Saturday), flag(t.AddDate(0, 0, 1).Day() == 1), flag(isHoliday(t)),
		} {
			ints[c][i] = int32(v)
		}
	}
	weekdays := make([]int32, n)
	for i := range n {
		dayInWeek := ints[3][i]
		weekdays[i] = int32(flag(dayInWeek != 1 && dayInWeek != 7))
	}
	return []arrow.Array{
		int32Array(ints[0]), date.array(), weekday.array(), month.array(),
		int32Array(ints[1]), int32Array(ints[2]), yearMonth.array(), int32Array(ints[3]),
		int32Array(ints[4]), int32Array(ints[5]), int32Array(ints[6]), int32Array(ints[7]),
		season.array(), int32Array(ints[8]), int32Array(ints[9]), int32Array(ints[10]), int32Array(weekdays)}
}

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sellingSeason(m time.Month) string {
	switch {
	case m <= time.March:
		return "Winter"
	case m == time.April:
		return "Spring"
	case m <= time.August:
		return "Summer"
	case m <= time.October:
		return "Fall"
	default:
		return "Christmas"
	}
}

// isHoliday knows ten fixed holidays a year; the specification leaves the
// choice open.
func isHoliday(t time.Time) bool {
	switch int(t.Month())*100 + t.Day() {
	case 101, 214, 317, 501, 704, 815, 1031, 1111, 1225, 1231:
		return true
	}
	return false
}
