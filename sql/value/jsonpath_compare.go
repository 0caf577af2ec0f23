package value

import (
	"cmp"
	"strings"
)

func startsWith(left, right pathItem) pathTruth {
	if !left.isText() || !right.isText() {
		return pathUnknown
	}
	return truthOf(strings.HasPrefix(left.text, right.text))
}

// comparison compares two values; those of different types are neither equal nor in an order.
func (r *pathRun) comparison(op pathOp, left, right pathItem) pathTruth {
	if left.typeName() != right.typeName() && (left.moment == nil || right.moment == nil) {
		if left.kind == 'n' || right.kind == 'n' {
			return truthOf(op == pathNotEqual)
		}
		return pathUnknown
	}
	order := 0
	switch {
	case left.moment != nil:
		var ok bool
		if order, ok = r.momentOrder(left.moment, right.moment); !ok {
			return pathUnknown
		}
	case isContainer(left.jsonNode):
		return pathUnknown
	case left.kind == '"':
		r.m.Must(len(left.text))
		order = strings.Compare(left.text, right.text)
	case left.kind == '0':
		order = numberOf(left).Cmp(numberOf(right))
	default:
		order = cmp.Compare(jsonOrder[byte(left.kind)], jsonOrder[byte(right.kind)])
	}
	return truthOf(op.holds(order))
}

// holds reports whether a comparison is true of two values in an order, as of cmp.Compare.
func (op pathOp) holds(order int) bool {
	switch op {
	case pathEqual:
		return order == 0
	case pathNotEqual:
		return order != 0
	case pathLess:
		return order < 0
	case pathGreater:
		return order > 0
	case pathLessOrEqual:
		return order <= 0
	}
	return order >= 0
}

// momentOrder compares two moments; false where nothing does.
func (r *pathRun) momentOrder(a, b *pathMoment) (int, bool) {
	clocks := func(p *pathMoment) bool { return p.kind == pathTime || p.kind == pathTimeTZ }
	if clocks(a) != clocks(b) {
		return 0, false
	}
	zoned := func(p *pathMoment) bool { return p.kind == pathTimeTZ || p.kind == pathTimestampTZ }
	if zoned(a) == zoned(b) && !zoned(a) {
		return cmp.Or(cmp.Compare(a.days, b.days), cmp.Compare(a.micros, b.micros)), true
	}
	x, y := r.moment(a, b), r.moment(b, a)
	if clocks(a) {
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(r.offsetOf(b), r.offsetOf(a))), true
	}
	return cmp.Compare(x, y), true
}

// moment is a time in microseconds of UTC, to be compared with another that has a time zone.
func (r *pathRun) moment(p, other *pathMoment) int64 {
	local := p.days*microsPerDay + p.micros
	switch {
	case p.kind == pathTimeTZ || p.kind == pathTimestampTZ:
		return local - int64(p.offset)*microsPerSecond
	case r.zone == nil:
		e := Errorf(CodeFeatureNotSupported, "cannot convert value from %s to %s without time zone usage", p.castName(), other.castName())
		e.Hint = "Use *_tz() function for time zone support."
		panic(e)
	case p.kind == pathTime:
		return local - int64(r.offsetOf(p))*microsPerSecond
	}
	utc, err := MomentOf(local, r.zone)
	if err != nil {
		panic(err)
	}
	return utc
}

// offsetOf is the offset of a time of day, today where it has no time zone.
func (r *pathRun) offsetOf(p *pathMoment) int {
	if p.kind == pathTime {
		_, offset := r.now.In(r.zone).Zone()
		return offset
	}
	return p.offset
}
