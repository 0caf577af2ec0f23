package arrowfile

import (
	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/arrow/array"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/sql/value"
)

// nestedWriter writes values of an array, and those within them.
type nestedWriter struct {
	of       arrow.Array
	parts    []*nestedWriter // elements of a list, keys and values of a map, fields of a structure
	names    []string        // of the fields
	elem     value.Element   // Letter is 0 where the array has parts
	leaf     *runtime.Chunk
	leafType algebra.Type
}

// item is value i of an array without parts.
func (w *nestedWriter) item(i int) value.Item {
	v := w.leaf.Value(i, w.leafType)
	if v.Kind == value.Null {
		return value.Item{Null: true}
	}
	return value.Item{Text: string(runtime.AppendText(nil, v, w.leafType, value.Style{}, nil))}
}

// array is list i as an array.
func (w *nestedWriter) array(i int) string {
	from, to := w.of.(array.ListLike).ValueOffsets(i)
	items := make([]value.Item, 0, to-from)
	for k := from; k < to; k++ {
		items = append(items, w.parts[0].item(int(k)))
	}
	return value.JoinArray(nil, items)
}

// appendJSON appends value i in JSON.
func (w *nestedWriter) appendJSON(dst []byte, i int) []byte {
	switch a := w.of.(type) {
	case *array.Map:
		return w.appendMap(dst, a, i)
	case array.ListLike:
		return w.appendList(dst, a, i)
	case *array.Struct:
		return w.appendStruct(dst, a, i)
	}
	return append(dst, w.elem.JSON(w.item(i))...)
}

func (w *nestedWriter) appendList(dst []byte, a array.ListLike, i int) []byte {
	if a.IsNull(i) {
		return append(dst, "null"...)
	}
	dst = append(dst, '[')
	from, to := a.ValueOffsets(i)
	for k := from; k < to; k++ {
		if k > from {
			dst = append(dst, ',')
		}
		dst = w.parts[0].appendJSON(dst, int(k))
	}
	return append(dst, ']')
}

func (w *nestedWriter) appendMap(dst []byte, a *array.Map, i int) []byte {
	if a.IsNull(i) {
		return append(dst, "null"...)
	}
	keys, values := w.parts[0], w.parts[1]
	dst = append(dst, '{')
	from, to := a.ValueOffsets(i)
	for k := from; k < to; k++ {
		if k > from {
			dst = append(dst, ',')
		}
		dst = appendKey(dst, keys.key(int(k)))
		dst = values.appendJSON(dst, int(k))
	}
	return append(dst, '}')
}

func (w *nestedWriter) appendStruct(dst []byte, a *array.Struct, i int) []byte {
	if a.IsNull(i) {
		return append(dst, "null"...)
	}
	dst = append(dst, '{')
	for k, field := range w.parts {
		if k > 0 {
			dst = append(dst, ',')
		}
		dst = appendKey(dst, w.names[k])
		dst = field.appendJSON(dst, i)
	}
	return append(dst, '}')
}

// key is value i as the key of an object: a text, or the JSON of what has parts.
func (w *nestedWriter) key(i int) string {
	if w.leaf == nil {
		return string(w.appendJSON(nil, i))
	}
	return w.item(i).Text
}

// appendKey appends the key of an object and what stands behind it.
func appendKey(dst []byte, key string) []byte {
	return append(append(dst, value.Element{Letter: 's'}.JSON(value.Item{Text: key})...), ':')
}

// elements are those of all arrays of a chunk, and where each array begins and ends among them.
func elements(c *runtime.Chunk, typ algebra.Type) (elems *runtime.Chunk, offsets []int32, err error) {
	elem := algebra.ElementOf(typ)
	buf, offsets := store.NewBatch([]store.Column{{Type: typ.Element()}}).Col(0), make([]int32, 1, c.Rows+1)
	for i := range c.Rows {
		if c.IsValid(i) {
			for _, item := range value.SplitArray(nil, c.TextAt(i)) {
				var v value.Value
				if !item.Null {
					if v, err = elem.Parse(item.Text, false); err != nil {
						return nil, nil, err
					}
				}
				if err := buf.Append(v); err != nil {
					return nil, nil, err
				}
			}
		}
		if buf.Rows() > maxElements {
			return nil, nil, value.Errorf(value.CodeProgramLimit, "the arrays of one block have more elements than Arrow's lists can")
		}
		offsets = append(offsets, int32(buf.Rows()))
	}
	elems, err = buf.Chunk()
	return elems, offsets, err
}

// maxElements is how many elements the lists of one array of Arrow can have.
const maxElements = 1<<31 - 1
