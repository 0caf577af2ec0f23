package value

import (
	"fmt"
	"slices"
	"strings"
)

// jsonbKey is a text whose order by bytes is the order of jsonb, and which equal values
// have in common.
func jsonbKey(m *Meter, a []Value) (Value, error) {
	root, err := parseJSON(m, a[0].S)
	if err != nil {
		return Value{}, err
	}
	key := maker{m: m}
	mark := "1"
	if !isContainer(root) {
		key.write(fmt.Sprintf("5%08x0", 1)) // an array of one, before all such arrays
		mark = ""
	}
	writeJSONKey(&key, root, mark)
	return textValue(key.String()), nil
}

// jsonOrder is the place of a type among the others.
var jsonOrder = map[byte]string{'n': "1", '"': "2", '0': "3", 'f': "40", 't': "41", '[': "5", '{': "6"}

// writeJSONKey appends the key of a value; an array's has a mark behind its length.
func writeJSONKey(key *maker, n *jsonNode, mark string) {
	key.write(jsonOrder[byte(n.kind)])
	switch n.kind {
	case '"':
		writeTextKey(key, n.text)
		return
	case '0':
		digits := strings.TrimPrefix(n.text, "-")
		whole, fraction, _ := strings.Cut(digits, ".")
		whole = strings.TrimLeft(whole, "0")
		key.write(orderedDigits(whole+fraction, len(whole), digits != n.text))
		key.writeByte(1)
		return
	case '[':
		key.write(fmt.Sprintf("%08x%s", len(n.members), mark))
	case '{':
		key.write(fmt.Sprintf("%08x", len(n.members)))
	}
	for i, member := range n.members {
		if n.kind == '{' {
			writeTextKey(key, n.keys[i])
		}
		writeJSONKey(key, member, "")
	}
}

// writeTextKey appends a text and what ends it.
func writeTextKey(key *maker, text string) {
	key.write(textKey.Replace(text))
	key.writeByte(1)
}

// jsonbContains reports whether a has all that b has: of objects the keys with such
// values, of arrays the elements. An array has a scalar where one of its elements is it,
// but only as a whole.
func jsonbContains(m *Meter, a, b *jsonNode, whole bool) bool {
	m.Must(16)
	scalar := !isContainer(b)
	switch {
	case whole && a.kind == '[' && scalar:
		return anyContains(m, a.members, b)
	case a.kind != b.kind:
		return false
	case scalar:
		return sameScalar(a, b)
	case a.kind == '[':
		return !slices.ContainsFunc(b.members, func(wanted *jsonNode) bool { return !anyContains(m, a.members, wanted) })
	}
	for i, key := range b.keys {
		if member, found := a.find(key); !found || !jsonbContains(m, member, b.members[i], false) {
			return false
		}
	}
	return true
}

func anyContains(m *Meter, members []*jsonNode, wanted *jsonNode) bool {
	return slices.ContainsFunc(members, func(member *jsonNode) bool { return jsonbContains(m, member, wanted, false) })
}

func sameScalar(a, b *jsonNode) bool {
	if a.kind == '0' && strings.Contains(a.text+b.text, ".") {
		trimmed := func(s string) string {
			if strings.Contains(s, ".") {
				s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
			}
			return s
		}
		return trimmed(a.text) == trimmed(b.text)
	}
	return a.text == b.text
}
