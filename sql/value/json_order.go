package value

import (
	"fmt"
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
	if isContainer(root) {
		err = writeJSONKey(&key, root, "1")
	} else if err = key.write(fmt.Sprintf("5%08x0", 1)); err == nil { // an array of one, before all such arrays
		err = writeJSONKey(&key, root, "")
	}
	return textValue(key.String()), err
}

// jsonOrder is the place of a type among the others.
var jsonOrder = map[byte]string{'n': "1", '"': "2", '0': "3", 'f': "40", 't': "41", '[': "5", '{': "6"}

// writeJSONKey appends the key of a value; an array's has a mark behind its length.
func writeJSONKey(key *maker, n *jsonNode, mark string) error {
	if err := key.write(jsonOrder[byte(n.kind)]); err != nil {
		return err
	}
	switch n.kind {
	case '"':
		return writeTextKey(key, n.text)
	case '0':
		digits := strings.TrimPrefix(n.text, "-")
		whole, fraction, _ := strings.Cut(digits, ".")
		whole = strings.TrimLeft(whole, "0")
		ordered := orderedDigits(whole+fraction, len(whole), digits != n.text)
		if err := key.write(ordered); err != nil {
			return err
		}
		return key.writeByte(1)
	case '[':
		if err := key.write(fmt.Sprintf("%08x%s", len(n.members), mark)); err != nil {
			return err
		}
	case '{':
		if err := key.write(fmt.Sprintf("%08x", len(n.members))); err != nil {
			return err
		}
	}
	for i, member := range n.members {
		if n.kind == '{' {
			if err := writeTextKey(key, n.keys[i]); err != nil {
				return err
			}
		}
		if err := writeJSONKey(key, member, ""); err != nil {
			return err
		}
	}
	return nil
}

// writeTextKey appends a text and what ends it.
func writeTextKey(key *maker, text string) error {
	if err := key.write(textKey.Replace(text)); err != nil {
		return err
	}
	return key.writeByte(1)
}

// jsonbContains reports whether a has all that b has: of objects the keys with such
// values, of arrays the elements. An array has a scalar where one of its elements is it,
// but only as a whole.
func jsonbContains(m *Meter, a, b *jsonNode, whole bool) (bool, error) {
	if err := m.Check(16); err != nil {
		return false, err
	}
	scalar := !isContainer(b)
	switch {
	case whole && a.kind == '[' && scalar:
		return anyContains(m, a.members, b)
	case a.kind != b.kind:
		return false, nil
	case scalar:
		return sameScalar(a, b), nil
	case a.kind == '[':
		for _, wanted := range b.members {
			if found, err := anyContains(m, a.members, wanted); !found || err != nil {
				return false, err
			}
		}
		return true, nil
	}
	for i, key := range b.keys {
		member, found := a.find(key)
		if !found {
			return false, nil
		}
		if has, err := jsonbContains(m, member, b.members[i], false); !has || err != nil {
			return false, err
		}
	}
	return true, nil
}

func anyContains(m *Meter, members []*jsonNode, wanted *jsonNode) (bool, error) {
	for _, member := range members {
		if found, err := jsonbContains(m, member, wanted, false); found || err != nil {
			return found, err
		}
	}
	return false, nil
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
