package value

import "strings"

// jsonbLayout is where the objects and arrays of a value lie in PostgreSQL's binary format, in bytes
// from its beginning: .keyvalue() tells objects apart by that.
type jsonbLayout map[*jsonNode]int64

// layoutOf lays a value out.
func layoutOf(m *Meter, root *jsonNode) jsonbLayout {
	l := jsonbLayout{}
	l.container(m, root, 0)
	return l
}

func aligned(at int64) int64 { return (at + 3) &^ 3 }

// container lays a container out at a place, and returns where it ends.
func (l jsonbLayout) container(m *Meter, n *jsonNode, at int64) int64 {
	m.MustGrow(64)
	l[n] = at
	at += 4 + 4*int64(len(n.members)+len(n.keys))
	for _, key := range n.keys {
		at += int64(len(key))
	}
	for _, member := range n.members {
		switch member.kind {
		case '{', '[':
			at = l.container(m, member, aligned(at))
		case '"':
			at += int64(len(member.text))
		case '0':
			at = aligned(at) + numericSize(member.text)
		}
	}
	return at
}

// numericSize is what a number takes: a length, a header that is short where it can be, and two bytes for
// each four digits, without zeros before and behind.
func numericSize(text string) int64 {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	scale := len(fraction)
	whole = strings.TrimLeft(whole, "0")
	groups := (len(whole) + 3) / 4
	digits := strings.Repeat("0", 4*groups-len(whole)) + whole + fraction + strings.Repeat("0", (4-scale%4)%4)
	weight := groups - 1
	for strings.HasPrefix(digits, "0000") {
		digits, weight = digits[4:], weight-1
	}
	for strings.HasSuffix(digits, "0000") {
		digits = digits[:len(digits)-4]
	}
	header := int64(6)
	if scale > 63 || weight > 63 || weight < -64 {
		header = 8
	}
	return header + 2*int64(len(digits)/4)
}
