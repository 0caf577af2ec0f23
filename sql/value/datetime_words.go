package value

// wordKind is what a word means in date and time text.
type wordKind uint8

const (
	ignoredWord wordKind = iota // "at", "on"
	weekdayWord
	monthWord    // number is the month
	meridiemWord // number is am or pm
	eraWord      // number is 1 for BC
	zoneWord     // midnight in UTC
	julianWord   // the next number is a Julian day
	timeWord     // "t": the next token is a time
	epochWord
	infinityWord // number has its sign
	specialWord  // now, today and the like
)

const (
	am = 1
	pm = 2
)

type dateTimeWord struct {
	kind   wordKind
	number int
}

// dateTimeWords are the words of date and time text.
var dateTimeWords = map[string]dateTimeWord{
	"jan": {monthWord, 1}, "january": {monthWord, 1}, "feb": {monthWord, 2}, "february": {monthWord, 2},
	"mar": {monthWord, 3}, "march": {monthWord, 3}, "apr": {monthWord, 4}, "april": {monthWord, 4},
	"may": {monthWord, 5}, "jun": {monthWord, 6}, "june": {monthWord, 6},
	"jul": {monthWord, 7}, "july": {monthWord, 7}, "aug": {monthWord, 8}, "august": {monthWord, 8},
	"sep": {monthWord, 9}, "sept": {monthWord, 9}, "september": {monthWord, 9},
	"oct": {monthWord, 10}, "october": {monthWord, 10}, "nov": {monthWord, 11}, "november": {monthWord, 11},
	"dec": {monthWord, 12}, "december": {monthWord, 12},

	"sun": {weekdayWord, 0}, "sunday": {weekdayWord, 0}, "mon": {weekdayWord, 0}, "monday": {weekdayWord, 0},
	"tue": {weekdayWord, 0}, "tues": {weekdayWord, 0}, "tuesday": {weekdayWord, 0},
	"wed": {weekdayWord, 0}, "weds": {weekdayWord, 0}, "wednesday": {weekdayWord, 0},
	"thu": {weekdayWord, 0}, "thur": {weekdayWord, 0}, "thurs": {weekdayWord, 0}, "thursday": {weekdayWord, 0},
	"fri": {weekdayWord, 0}, "friday": {weekdayWord, 0}, "sat": {weekdayWord, 0}, "saturday": {weekdayWord, 0},
	"at": {ignoredWord, 0}, "on": {ignoredWord, 0},

	"am": {meridiemWord, am}, "pm": {meridiemWord, pm},
	"ad": {eraWord, 0}, "bc": {eraWord, 1},
	"j": {julianWord, 0}, "jd": {julianWord, 0}, "julian": {julianWord, 0},
	"t": {timeWord, 0}, "epoch": {epochWord, 0},

	"infinity": {infinityWord, 1}, "-infinity": {infinityWord, -1},
	"now": {specialWord, 0}, "today": {specialWord, 0}, "tomorrow": {specialWord, 0},
	"yesterday": {specialWord, 0}, "allballs": {zoneWord, 0},
}
