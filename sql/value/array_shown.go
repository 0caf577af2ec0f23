package value

import "time"

// Shown is how a session reads and writes the elements of an array, which is kept as the zero
// Style and UTC write it.
type Shown struct {
	Element
	Style Style
	Zone  *time.Location // of the session; nil: UTC
}

// shownOf reads the arguments of a routine: an element and, where they differ from those in which
// arrays are kept, a style and a zone.
func shownOf(element Value, session []Value) (Shown, error) {
	e := Shown{Element: elementOf(element.S)}
	if len(session) == 0 {
		return e, nil
	}
	zone, ok := FindZone(session[1].S)
	if !ok {
		return e, errZone(session[1].S)
	}
	e.Style, e.Zone = ParseStyle(session[0].S), zone
	return e, nil
}

// Differs reports whether elements are shown in another form than that in which they are kept.
func (e Shown) Differs() bool {
	switch e.Letter {
	case 'd', 't':
		return e.Style.Format != ISODates || e.Style.Order != MDY
	case 'z':
		return e.Style.Format != ISODates || e.Style.Order != MDY || !IsUTC(e.zone())
	case 'i':
		return e.Style.Interval != PostgresIntervals
	}
	return false
}

func (e Shown) zone() *time.Location {
	if e.Zone == nil {
		return time.UTC
	}
	return e.Zone
}

// Parse reads an element as the session writes it; explicit is as for Element.Parse.
func (e Shown) Parse(s string, explicit bool) (Value, error) {
	switch e.Letter {
	case 'd':
		days, err := e.Style.ParseDate(s)
		return intValue(int64(days)), err
	case 't':
		return micros(e.Style.ParseTimestamp(s))
	case 'z':
		return micros(e.Style.ParseTimestampTZ(s, e.zone()))
	case 'i':
		iv, err := e.Style.ParseInterval(s, "")
		return intervalValue(iv), err
	}
	return e.Element.Parse(s, explicit)
}

// Text is an element that is not NULL as the session writes it.
func (e Shown) Text(v Value) string {
	switch e.Letter {
	case 'd':
		return string(e.Style.AppendDate(nil, int32(v.I)))
	case 't':
		return string(e.Style.AppendTimestamp(nil, v.I))
	case 'z':
		return string(e.Style.AppendTimestampTZ(nil, v.I, e.zone()))
	case 'i':
		return string(e.Style.AppendInterval(nil, v.Interval))
	}
	return e.Element.Text(v)
}

// Convert is Element.Convert, with local times in the zone and texts in the style.
func (e Shown) Convert(v Value, from Shown, explicit bool) (Value, error) {
	switch {
	case e.Letter == 's' && v.Kind != Bool && v.Kind != Text:
		return e.clip(from.Text(v), explicit)
	case from.Letter == 's' && e.Letter != 's':
		return e.Parse(v.S, explicit)
	case from.Letter == 'z' && e.Letter != 'z':
		local, err := LocalTime(v.I, from.zone())
		if err != nil {
			return Value{}, err
		}
		return e.Element.Convert(intValue(local), Element{Letter: 't'}, explicit)
	case e.Letter == 'z' && from.Letter != 'z':
		local, err := Element{Letter: 't'}.Convert(v, from.Element, explicit)
		if err != nil {
			return Value{}, err
		}
		return micros(MomentOf(local.I, e.zone()))
	}
	return e.Element.Convert(v, from.Element, explicit)
}

// Show is an array as the session writes it.
func (e Shown) Show(m *Meter, array string) (string, error) {
	shown, err := mapArray(m, array, func(item Item) (Item, error) {
		if item.Null {
			return item, nil
		}
		v, err := e.Element.Parse(item.Text, false)
		if err != nil {
			return item, err
		}
		return Item{Text: e.Text(v)}, nil
	})
	return shown.S, err
}
