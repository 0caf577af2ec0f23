package value

import "slices"

// onTree is a routine that changes a value of jsonb.
func onTree(m *Meter, text string, change func(root *jsonNode) (*jsonNode, error)) (Value, error) {
	root, err := parseJSON(m, text)
	if err == nil {
		root, err = change(root)
	}
	if err != nil {
		return Value{}, err
	}
	return textValue(jsonbText(m, root)), nil
}

// twoTrees reads two values.
func twoTrees(m *Meter, a, b string) (x, y *jsonNode, err error) {
	if x, err = parseJSON(m, a); err != nil {
		return nil, nil, err
	}
	y, err = parseJSON(m, b)
	return x, y, err
}

func contains(m *Meter, a []Value) (Value, error) {
	x, y, err := twoTrees(m, a[0].S, a[1].S)
	if err != nil {
		return Value{}, err
	}
	return boolValue(jsonbContains(m, x, y, true)), nil
}

func prettyJSON(m *Meter, a []Value) (Value, error) {
	root, err := parseJSON(m, a[0].S)
	if err != nil {
		return Value{}, err
	}
	w := jsonWriter{maker: maker{m: m}, pretty: true}
	w.value(root, 0)
	return textValue(w.String()), nil
}

// hasString reports whether a value has a key, or is or has as an element a string.
func (n *jsonNode) hasString(s string) bool {
	switch n.kind {
	case '{':
		_, found := n.find(s)
		return found
	case '[':
		return slices.ContainsFunc(n.members, func(e *jsonNode) bool { return e.kind == '"' && e.text == s })
	}
	return n.kind == '"' && n.text == s
}

func hasKey(m *Meter, a []Value) (Value, error) {
	root, err := parseJSON(m, a[0].S)
	if err != nil {
		return Value{}, err
	}
	return boolValue(root.hasString(a[1].S)), nil
}

func hasKeys(all bool) func(m *Meter, a []Value) (Value, error) {
	return func(m *Meter, a []Value) (Value, error) {
		root, err := parseJSON(m, a[0].S)
		if err != nil {
			return Value{}, err
		}
		for item := range items(m, a[1].S) {
			if !item.Null && root.hasString(item.Text) != all {
				return boolValue(!all), nil
			}
		}
		return boolValue(all), err
	}
}

// elements are the members of an array, or a value that is none by itself.
func (n *jsonNode) elements() []*jsonNode {
	if n.kind == '[' {
		return n.members
	}
	return []*jsonNode{n}
}

func concatJSON(m *Meter, a []Value) (Value, error) {
	x, y, err := twoTrees(m, a[0].S, a[1].S)
	if err != nil {
		return Value{}, err
	}
	both := &jsonNode{kind: '[', members: slices.Concat(x.elements(), y.elements())}
	if x.kind == '{' && y.kind == '{' {
		both = &jsonNode{kind: '{', keys: slices.Concat(x.keys, y.keys), members: slices.Concat(x.members, y.members)}
		both.sortKeys(m)
	}
	return textValue(jsonbText(m, both)), nil
}

// remove leaves out the members i for which drop reports true.
func (n *jsonNode) remove(drop func(i int) bool) {
	keys, members := n.keys[:0:0], n.members[:0:0]
	for i, member := range n.members {
		if drop(i) {
			continue
		}
		members = append(members, member)
		if n.kind == '{' {
			keys = append(keys, n.keys[i])
		}
	}
	n.keys, n.members = keys, members
}

// names reports whether member i is the one with a key, or an element that is a string.
func (n *jsonNode) names(i int, s string) bool {
	if n.kind == '{' {
		return n.keys[i] == s
	}
	return n.members[i].kind == '"' && n.members[i].text == s
}

func errOfScalar(verb string) error {
	return Errorf(CodeInvalidParameter, "cannot %s scalar", verb)
}

func deleteKey(m *Meter, a []Value) (Value, error) {
	return onTree(m, a[0].S, func(root *jsonNode) (*jsonNode, error) {
		if !isContainer(root) {
			return nil, errOfScalar("delete from")
		}
		root.remove(func(i int) bool { return root.names(i, a[1].S) })
		return root, nil
	})
}

func deleteKeys(m *Meter, a []Value) (Value, error) {
	return onTree(m, a[0].S, func(root *jsonNode) (*jsonNode, error) {
		if !isContainer(root) {
			return nil, errOfScalar("delete from")
		}
		gone := map[string]bool{}
		var err error
		for item := range items(m, a[1].S) {
			gone[item.Text] = !item.Null || gone[item.Text]
		}
		root.remove(func(i int) bool {
			return root.kind == '{' && gone[root.keys[i]] || root.kind == '[' && root.members[i].kind == '"' && gone[root.members[i].text]
		})
		return root, err
	})
}

func deleteElement(m *Meter, a []Value) (Value, error) {
	return onTree(m, a[0].S, func(root *jsonNode) (*jsonNode, error) {
		switch root.kind {
		case '{':
			return nil, Errorf(CodeInvalidParameter, "cannot delete from object using integer index")
		case '[':
		default:
			return nil, errOfScalar("delete from")
		}
		at := int(a[1].I)
		if at < 0 {
			at += len(root.members)
		}
		root.remove(func(i int) bool { return i == at })
		return root, nil
	})
}

// stripNulls leaves the members out of objects that are null.
func stripNulls(m *Meter, a []Value) (Value, error) {
	return onTree(m, a[0].S, func(root *jsonNode) (*jsonNode, error) {
		var strip func(n *jsonNode)
		strip = func(n *jsonNode) {
			if n.kind == '{' {
				n.remove(func(i int) bool { return n.members[i].kind == 'n' })
			}
			for _, member := range n.members {
				strip(member)
			}
		}
		strip(root)
		return root, nil
	})
}
