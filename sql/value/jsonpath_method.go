package value

import (
	"math"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// method is what a method makes of a value, all but keyvalue, which makes several.
func (r *pathRun) method(n *pathNode, item pathItem) (pathItem, error) {
	r.m.MustGrow(jsonNodeSize)
	switch n.op {
	case pathType:
		return pathItem{jsonNode: &jsonNode{kind: '"', text: item.typeName()}}, nil
	case pathSize:
		return r.sizeOf(item)
	case pathDouble:
		return doubleOf(item)
	case pathDatetime:
		return r.datetime(n, item)
	}
	if item.kind != '0' {
		return item, Errorf(CodeNonNumericJSON, "jsonpath item method .%s() can only be applied to a numeric value", pathSigns[n.op])
	}
	number, err := numberOf(item), error(nil)
	switch n.op {
	case pathAbs:
		number = number.Abs()
	case pathFloor:
		number, err = number.Floor()
	default:
		number, err = number.Ceil()
	}
	return numberItem(number), err
}

func (r *pathRun) sizeOf(item pathItem) (pathItem, error) {
	switch {
	case item.kind == '[':
		return numberItem(NumOf(int64(len(item.members)))), nil
	case r.strict:
		return item, Errorf(CodeJSONArrayNotFound, "jsonpath item method .size() can only be applied to an array")
	}
	return numberItem(NumOf(1)), nil
}

func doubleOf(item pathItem) (pathItem, error) {
	switch f, err := ParseFloat64(item.text); {
	case item.kind == '0' && (err != nil || math.IsInf(f, 0)):
		return item, Errorf(CodeNonNumericJSON, "numeric argument of jsonpath item method .double() is out of range for type double precision")
	case item.kind == '0':
		return item, nil
	case !item.isText():
		return item, Errorf(CodeNonNumericJSON, "jsonpath item method .double() can only be applied to a string or numeric value")
	case err != nil || math.IsInf(f, 0) || math.IsNaN(f):
		return item, Errorf(CodeNonNumericJSON, "string argument of jsonpath item method .double() is not a valid representation of a double precision number")
	default:
		number, err := NumFromFloat64(f)
		return numberItem(number), err
	}
}

func (r *pathRun) datetime(n *pathNode, item pathItem) (pathItem, error) {
	if !item.isText() {
		return item, Errorf(CodeInvalidJSONDatetime, "jsonpath item method .datetime() can only be applied to a string")
	}
	r.m.Must(fieldWork + len(item.text))
	if n.left != nil {
		kind := sqlstate.Must(kindOfTemplate(r.m, n.left.text))
		moment, err := readTemplate(r.m, item.text, n.left.text, kind)
		if err != nil {
			return item, err
		}
		return momentItem(moment), nil
	}
	moment, ok := readMoment(item.text)
	if !ok {
		e := Errorf(CodeInvalidJSONDatetime, "datetime format is not recognized: \"%s\"", item.text)
		e.Hint = "Use a datetime template argument to specify the input data format."
		return item, e
	}
	return momentItem(moment), nil
}

func momentItem(moment *pathMoment) pathItem {
	return pathItem{&jsonNode{kind: '"', text: moment.text()}, moment}
}

// keyValues are the objects that keyvalue makes, one for each member, with the number of the object that
// it is of.
func (r *pathRun) keyValues(item pathItem) []pathItem {
	id := NumOf(r.base.id*10_000_000_000 + r.offset(item.jsonNode)).String()
	r.m.MustGrow(5 * jsonNodeSize * len(item.keys))
	objects := make([]pathItem, len(item.keys))
	for i, key := range item.keys {
		objects[i].jsonNode = &jsonNode{kind: '{', keys: []string{"id", "key", "value"}, members: []*jsonNode{
			{kind: '0', text: id}, {kind: '"', text: key}, item.members[i],
		}}
	}
	return objects
}

func numberItem(n Num) pathItem { return pathItem{jsonNode: &jsonNode{kind: '0', text: n.String()}} }
