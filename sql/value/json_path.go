package value

import (
	"slices"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonChange is what happens where a path ends.
type jsonChange struct {
	steps  []jsonStep
	value  *jsonNode // nil deletes
	create bool      // a missing key or element is made
	fill   *Meter    // not nil: so are the objects, arrays and elements before it
	insert bool      // an element is put beside, and no key replaced
	after  bool
}

// pathOf reads the arguments of the routines of paths.
func pathOf(m *Meter, a []Value) (*jsonChange, error) {
	steps := []jsonStep{}
	var err error
	n := 0
	for item := range items(m, a[1].S) {
		n++
		if item.Null {
			return nil, Errorf(CodeNullNotAllowed, "path element at position %d is null", n)
		}
		steps = append(steps, stepOf(item.Text))
	}
	return &jsonChange{steps: steps}, err
}

// changePath carries a change out.
func changePath(m *Meter, a []Value, verb string, prepare func(c *jsonChange) error) (Value, error) {
	return onTree(m, a[0].S, func(root *jsonNode) (*jsonNode, error) {
		c, err := pathOf(m, a)
		switch {
		case err != nil:
			return nil, err
		case !isContainer(root):
			return nil, errOfScalar(verb)
		}
		if err := prepare(c); err != nil || len(c.steps) == 0 || len(root.members) == 0 && !c.create {
			return root, err
		}
		return root, c.apply(root, 0)
	})
}

func deletePath(m *Meter, a []Value) (Value, error) {
	return changePath(m, a, "delete path in", func(*jsonChange) error { return nil })
}

func setPath(m *Meter, a []Value) (Value, error) {
	return changePath(m, a, "set path in", func(c *jsonChange) (err error) {
		c.value, err = parseJSON(m, a[2].S)
		c.create = len(a) < 4 || a[3].B
		return err
	})
}

func insertPath(m *Meter, a []Value) (Value, error) {
	return changePath(m, a, "set path in", func(c *jsonChange) (err error) {
		c.value, err = parseJSON(m, a[2].S)
		c.create, c.insert, c.after = true, true, len(a) > 3 && a[3].B
		return err
	})
}

// assignPath sets what a path leads to. Objects and arrays are made that it passes, and gaps are filled with null.
func assignPath(m *Meter, a []Value) (Value, error) {
	for item := range items(m, a[1].S) {
		if item.Null {
			return Value{}, Errorf(CodeNullNotAllowed, "jsonb subscript in assignment must not be null")
		}
	}
	return onTree(m, a[0].S, func(root *jsonNode) (*jsonNode, error) {
		c, err := pathOf(m, a)
		if err == nil {
			c.value, err = parseJSON(m, a[2].S)
		}
		if err != nil {
			return nil, err
		}
		if c.fill = m; len(c.steps) > maxPathNodes {
			return nil, Errorf(CodeTooComplex, "stack depth limit exceeded")
		}
		return root, c.apply(root, 0)
	})
}

// apply changes what the steps from one on lead to below a container.
func (c *jsonChange) apply(n *jsonNode, at int) error {
	step, last := c.steps[at], at == len(c.steps)-1
	switch n.kind {
	case '{':
		i, found := slices.BinarySearchFunc(n.keys, step.key, compareJSONKeys)
		switch {
		case !last && found:
			return c.apply(n.members[i], at+1)
		case !found && c.fill != nil:
			n.keys, n.members = slices.Insert(n.keys, i, step.key), slices.Insert(n.members, i, c.made(at+1))
		case !last:
			return nil
		case found && c.insert:
			e := Errorf(CodeInvalidParameter, "cannot replace existing key")
			e.Hint = "Try using the function jsonb_set to replace key value."
			return e
		case !found && c.create:
			n.keys, n.members = slices.Insert(n.keys, i, step.key), slices.Insert(n.members, i, c.value)
		case found:
			c.replace(n, i)
		}
	case '[':
		if !step.index {
			return Errorf(CodeInvalidText, "path element at position %d is not an integer: %q", at+1, step.key)
		}
		return c.element(n, step.number, at, last)
	default:
		if c.fill != nil {
			e := Errorf(CodeInvalidParameter, "cannot replace existing key")
			e.Detail = "The path assumes key is a composite object, but it is a scalar value."
			return e
		}
	}
	return nil
}

// element changes what lies at or below an element of an array.
func (c *jsonChange) element(n *jsonNode, i, at int, last bool) error {
	length := len(n.members)
	if i < -length && c.fill != nil {
		return Errorf(CodeInvalidParameter, "path element at position %d is out of range: %d", at+1, i)
	}
	if i < 0 {
		i += length
	}
	switch outside := i < 0 || i >= length; {
	case outside && c.fill != nil:
		n.members = append(c.nulls(n.members, i-length), c.made(at+1))
	case !last && outside:
	case !last:
		return c.apply(n.members[i], at+1)
	case outside && c.create:
		n.members = slices.Insert(n.members, min(max(i, 0), length), c.value)
	case outside:
	case c.insert && c.after:
		n.members = slices.Insert(n.members, i+1, c.value)
	case c.insert:
		n.members = slices.Insert(n.members, i, c.value)
	default:
		c.replace(n, i)
	}
	return nil
}

// replace puts the value in the place of a member, or deletes that.
func (c *jsonChange) replace(n *jsonNode, i int) {
	if c.value == nil {
		n.remove(func(k int) bool { return k == i })
		return
	}
	n.members[i] = c.value
}

// made is the value within the objects and arrays that the steps from one on pass.
func (c *jsonChange) made(from int) *jsonNode {
	n := c.value
	for _, step := range slices.Backward(c.steps[from:]) {
		c.fill.MustGrow(jsonNodeSize)
		if step.index {
			n = &jsonNode{kind: '[', members: append(c.nulls(nil, step.number), n)}
		} else {
			n = &jsonNode{kind: '{', keys: []string{step.key}, members: []*jsonNode{n}}
		}
	}
	return n
}

// maxJSONElements is how many elements an array of PostgreSQL's jsonb has at most.
const maxJSONElements = 1<<25 - 1

// nulls adds so many elements that are null, before one more.
func (c *jsonChange) nulls(members []*jsonNode, n int) []*jsonNode {
	if n >= maxJSONElements-len(members) {
		panic(Errorf(CodeProgramLimit, "number of jsonb array elements exceeds the maximum allowed (%d)", maxJSONElements))
	}
	c.fill.MustGrow(8 * (len(members) + max(n, 0)))
	return append(members, slices.Repeat([]*jsonNode{{kind: jsontext.Kind('n')}}, max(n, 0))...)
}
