package value

import "strings"

// templateKind is what a template of .datetime() describes. Not all texts may separate its fields.
type templateKind struct{ dated, timed, zoned bool }

func kindOfTemplate(m *Meter, template string) (k templateKind, err error) {
	for template != "" {
		m.Must(fieldWork)
		quoted := template[0] == '"'
		var p patternPart
		p, template = nextPart(template)
		switch {
		case p.field == nil && !quoted && strings.Trim(p.text, "-./,':; ") != "":
			return k, Errorf(CodeDatetimeFormat, "invalid datetime format separator: \"%s\"", p.text)
		case p.field == nil:
		default:
			k.add(p.field.pattern)
		}
	}
	return k, nil
}

// add notes a field.
func (k *templateKind) add(field string) {
	switch field {
	case "FX":
	case "TZ", "OF", "TZH", "TZM":
		k.zoned = true
	case "HH24", "HH12", "HH", "MI", "SS", "SSSS", "SSSSS", "MS", "US", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6", "AM", "PM", "A.M.", "P.M.":
		k.timed = true
	default:
		k.dated = true
	}
}

// moment is the kind of what is read.
func (k templateKind) moment() (kind pathMomentKind, err error) {
	switch {
	case k.dated && !k.timed && k.zoned:
		return 0, Errorf(CodeDatetimeFormat, "datetime format is zoned but not timed")
	case !k.dated && !k.timed:
		return 0, Errorf(CodeDatetimeFormat, "datetime format is not dated and not timed")
	case !k.timed:
		return pathDate, nil
	case k.dated:
		kind = pathTimestamp
	default:
		kind = pathTime
	}
	if k.zoned {
		kind++
	}
	return kind, nil
}

// readTemplate reads a date or a time as a template says, exactly.
func readTemplate(m *Meter, text, template string, k templateKind) (*pathMoment, error) {
	r := &dateReader{meter: m, source: text, text: text, fixed: true, strict: true}
	if template != "" {
		if err := r.readPattern(template); err != nil {
			return nil, err
		}
	}
	days, err := r.date()
	if err != nil {
		return nil, err
	}
	p := &pathMoment{days: days, micros: r.clock()}
	if p.kind, err = k.moment(); err != nil {
		return nil, err
	}
	if k.zoned {
		var offset int64
		if offset, err = r.offset(); err != nil {
			return nil, err
		}
		p.offset = int(offset)
	}
	return p, p.round(r.places)
}

// round rounds the time to so many digits of the second, 0 for all, and checks that the type holds it.
func (p *pathMoment) round(places int64) error {
	if p.kind == pathDate && (p.days < MinDate || p.days > MaxDate) {
		return errDateRange()
	}
	if p.kind < pathTimestamp {
		if places > 0 {
			p.micros = RoundToDigits(p.micros, places)
		}
		return nil
	}
	at, ok := joinTimestamp(p.days, p.micros)
	if !ok {
		return Errorf(CodeDatetimeOverflow, "%s out of range", p.castName())
	}
	if places > 0 {
		p.days, p.micros = splitTimestamp(RoundToDigits(at, places))
	}
	return nil
}
