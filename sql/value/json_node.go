package value

import (
	"cmp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonNode is a value of a JSON text.
type jsonNode struct {
	kind    jsontext.Kind // {, [, ", 0 for a number, t, f, n
	text    string        // of a string what it stands for, of a number its digits
	keys    []string      // of an object
	members []*jsonNode   // of an object and an array
}

// jsonNodeSize is about what a node and its place among its siblings take.
const jsonNodeSize = 128

// sortKeys brings the keys of an object into the order of jsonb, shorter ones first, and
// keeps the last of equal ones.
func (n *jsonNode) sortKeys(m *Meter) {
	if n.kind != '{' || len(n.keys) < 2 {
		return
	}
	order := make([]int, len(n.keys))
	for i := range order {
		order[i] = i
	}
	m.Must(16 * len(order))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(compareJSONKeys(n.keys[a], n.keys[b]), a-b)
	})
	keys, members := make([]string, 0, len(order)), make([]*jsonNode, 0, len(order))
	for i, k := range order {
		if i+1 == len(order) || n.keys[order[i+1]] != n.keys[k] {
			keys, members = append(keys, n.keys[k]), append(members, n.members[k])
		}
	}
	n.keys, n.members = keys, members
}

func compareJSONKeys(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// find returns the member of an object with a key.
func (n *jsonNode) find(key string) (*jsonNode, bool) {
	i, found := slices.BinarySearchFunc(n.keys, key, compareJSONKeys)
	if !found {
		return nil, false
	}
	return n.members[i], true
}

// jsonDigits is a number of JSON as PostgreSQL writes a numeric: without an exponent, and
// with the digits behind the point that it was written with.
func jsonDigits(m *Meter, number string) (string, error) {
	mantissa, exponent, hasExponent := strings.Cut(strings.ToLower(number), "e")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(mantissa, "-"), ".")
	shift := 0
	if hasExponent {
		wide, err := ParseInt(strings.TrimPrefix(exponent, "+"), 32)
		if err != nil || wide < -maxNumericScale-int64(len(whole)) || wide > maxNumericDigits+int64(len(fraction)) {
			return "", errNumericOverflow()
		}
		shift = int(wide)
	}
	m.MustGrow(len(number) + max(shift, -shift))
	switch {
	case shift > 0:
		moved := min(shift, len(fraction))
		whole += fraction[:moved] + strings.Repeat("0", shift-moved)
		fraction = fraction[moved:]
	case shift < 0:
		whole = strings.Repeat("0", max(0, 1-shift-len(whole))) + whole
		fraction = whole[len(whole)+shift:] + fraction
		whole = whole[:len(whole)+shift]
	}
	whole = strings.TrimLeft(whole, "0")
	if len(whole) > maxNumericDigits || len(fraction) > maxNumericScale {
		return "", errNumericOverflow()
	}
	digits := cmp.Or(whole, "0")
	if fraction != "" {
		digits += "." + fraction
	}
	if number[0] == '-' && strings.Trim(digits, "0.") != "" {
		digits = "-" + digits
	}
	return digits, nil
}

// What PostgreSQL's numeric holds before and behind the point.
const (
	maxNumericDigits = 131072
	maxNumericScale  = 16383
)

func errNumericOverflow() error {
	return Errorf(CodeNumericOutOfRange, "value overflows numeric format")
}

func isContainer(n *jsonNode) bool { return n.kind == '{' || n.kind == '[' }
