package randquery

import (
	"errors"
	"math/big"
	"regexp"
	"strconv"
	"strings"

	"github.com/cubeloom/cubeloom/tests/reference"
)

// errNoSubject is the error of a check whose law has nothing to say of the subject, as
// it comes of making a subject smaller.
var errNoSubject = errors.New("no subject of the law")

// NoSubject reports whether an error says that the law has nothing to say.
func NoSubject(err error) bool { return errors.Is(err, errNoSubject) }

// canonical is a result whose equal values are equal texts.
func canonical(r *reference.Result) *reference.Result {
	c := &reference.Result{Columns: r.Columns}
	for _, row := range r.Rows {
		cells := make([]reference.Cell, len(row))
		for i, cell := range row {
			if cells[i] = cell; !cell.Null {
				cells[i].Text = canonicalText(cell.Text, r.Columns[i].Type)
			}
		}
		c.Rows = append(c.Rows, cells)
	}
	return c
}

func canonicalText(text, typ string) string {
	switch typ {
	case "numeric":
		if strings.Contains(text, ".") {
			text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
		}
	case "float8", "float4":
		if text == "-0" {
			return "0"
		}
	case "interval":
		return length(text)
	case "_numeric", "_float8", "_interval":
		return text
	}
	return text
}

var (
	intervalUnit  = regexp.MustCompile(`([-+]?\d+) (year|mon|day)`)
	intervalClock = regexp.MustCompile(`([-+]?)(\d+):(\d+):(\d+)(?:\.(\d+))?`)
)

// length is an interval in microseconds, as which intervals are compared: a month has 30
// days.
func length(text string) string {
	const second = 1_000_000
	total := new(big.Int)
	add := func(number string, unit int64) {
		n, _ := strconv.ParseInt(strings.TrimPrefix(number, "+"), 10, 64)
		total.Add(total, new(big.Int).Mul(big.NewInt(n), big.NewInt(unit)))
	}
	for _, m := range intervalUnit.FindAllStringSubmatch(text, -1) {
		add(m[1], map[string]int64{"year": 360, "mon": 30, "day": 1}[m[2]]*86400*second)
	}
	if m := intervalClock.FindStringSubmatch(text); m != nil {
		add(m[1]+m[2], 3600*second)
		add(m[1]+m[3], 60*second)
		add(m[1]+m[4], second)
		add(m[1]+(m[5] + "000000")[:6], 1)
	}
	return total.String()
}
