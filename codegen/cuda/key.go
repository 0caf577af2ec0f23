package cuda

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// AppendKey appends to a buffer what is equal for kernels and shapes that Render
// renders alike but for the comments of the source. It is the whole structure of f without names, the
// values of constants, positions in the statement's text, and estimates: a
// statement with other constants has the same keys as long as what is known of
// its values is the same.
func AppendKey(to []byte, f *kernel.Func, shapes []InputShape) []byte {
	k := keyWriter(to)
	k.write(reflect.ValueOf(f))
	k.write(reflect.ValueOf(shapes))
	return k
}

// AppendMapKey appends to a buffer what the results of a Map of f for a dictionary
// depend on: its body with the places of errors, the values there, and the constants
// among params.
func AppendMapKey(to []byte, f *kernel.Func, in *kernel.Map, params []kernel.Param) []byte {
	k := keyWriter(to)
	k.block(in.Body)
	k.number(uint64(in.Result))
	k.value(&f.Values[in.Arg])
	for _, i := range kernel.Instructions(in.Body) {
		if c, ok := i.(*kernel.Compute); ok {
			k.number(uint64(c.Pos))
		}
	}
	kernel.VisitBlock(in.Body, func(id *kernel.ValueID) {
		if *id != kernel.NoValue {
			k.value(&f.Values[*id])
		}
	})
	return AppendConstants(k, params)
}

// AppendConstants appends to a buffer the constants of parameters.
func AppendConstants(to []byte, params []kernel.Param) []byte {
	k := keyWriter(to)
	for i := range params {
		k.number(uint64(params[i].Dst))
		k.constant(params[i].Val)
	}
	return k
}

// unkeyed are the fields that make no difference to the code, by the type that
// has them.
var unkeyed = map[reflect.Type][]string{
	reflect.TypeFor[kernel.Func]():      {"Name"},
	reflect.TypeFor[kernel.Input]():     {"Name"},
	reflect.TypeFor[kernel.Build]():     {"Rows"},
	reflect.TypeFor[kernel.Probe]():     {"Matches", "Open", "Rows"},
	reflect.TypeFor[kernel.Aggregate](): {"Rows", "Groups"},
	reflect.TypeFor[kernel.Cubing]():    {"Rows"},
	reflect.TypeFor[term]():             {"plane", "second", "ones", "max", "note"},
}

// keyed are the numbers of a struct's other fields, by its type.
var keyed sync.Map

// keyedFields returns them.
func keyedFields(t reflect.Type) []int {
	if known, ok := keyed.Load(t); ok {
		return known.([]int)
	}
	var fields []int
	for i := range t.NumField() {
		if !slices.Contains(unkeyed[t], t.Field(i).Name) {
			fields = append(fields, i)
		}
	}
	keyed.Store(t, fields)
	return fields
}

// keyWriter writes values one after the other, different ones differently.
type keyWriter []byte

// write writes a value and all that it holds.
func (k *keyWriter) write(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		k.indirect(v)
	case reflect.Struct:
		for _, i := range keyedFields(v.Type()) {
			k.write(v.Field(i))
		}
	case reflect.Slice:
		k.slice(v)
	case reflect.String:
		k.text(v.String())
	case reflect.Bool:
		k.bool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		k.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		k.number(v.Uint())
	case reflect.Float64:
		k.number(math.Float64bits(v.Float()))
	default:
		panic("a kernel holds a " + v.Type().String()) // of our own making, and tests have all kernels
	}
}

// slice writes the elements of a slice; those that are most of a kernel without
// reflection.
func (k *keyWriter) slice(v reflect.Value) {
	switch v.Type() {
	case valuesType:
		values, _ := reflect.TypeAssert[[]kernel.Value](v)
		k.values(values)
		return
	case blockType:
		block, _ := reflect.TypeAssert[kernel.Block](v)
		k.block(block)
		return
	case columnsType:
		columns, _ := reflect.TypeAssert[[]kernel.SourceCol](v)
		k.columns(columns)
		return
	case paramsType:
		params, _ := reflect.TypeAssert[[]kernel.Param](v)
		k.params(params)
		return
	case shapesType:
		shapes, _ := reflect.TypeAssert[[]ColumnShape](v)
		k.shapes(shapes)
		return
	}
	k.number(uint64(v.Len()))
	for i := range v.Len() {
		k.write(v.Index(i))
	}
}

var (
	valuesType  = reflect.TypeFor[[]kernel.Value]()
	blockType   = reflect.TypeFor[kernel.Block]()
	columnsType = reflect.TypeFor[[]kernel.SourceCol]()
	paramsType  = reflect.TypeFor[[]kernel.Param]()
	shapesType  = reflect.TypeFor[[]ColumnShape]()
)

// indirect writes what a pointer or an interface holds, the latter with its type.
func (k *keyWriter) indirect(v reflect.Value) {
	if v.IsNil() {
		k.number(0)
		return
	}
	k.number(1)
	if v.Kind() == reflect.Interface {
		k.text(v.Elem().Type().String())
	}
	k.write(v.Elem())
}

// values writes the values of a kernel, which are most of it, without reflection.
func (k *keyWriter) values(values []kernel.Value) {
	k.number(uint64(len(values)))
	for i := range values {
		k.value(&values[i])
	}
}

func (k *keyWriter) value(of *kernel.Value) {
	v := allOfValue(*of)
	k.number(uint64(v.Type))
	k.bool(v.Nullable)
	r := allOfRange(v.Range)
	k.bool(r.Known)
	k.number(uint64(r.Lo))
	k.number(uint64(r.Hi))
	k.number(uint64(v.Dict))
}

// constant writes a constant.
func (k *keyWriter) constant(of value.Value) {
	v := allOfConstant(of)
	k.number(uint64(v.Kind))
	k.bool(v.B)
	k.number(uint64(v.I))
	k.number(math.Float64bits(v.F))
	k.number(v.Num.Coef.Lo)
	k.number(uint64(v.Num.Coef.Hi))
	k.number(uint64(v.Num.Scale))
	k.text(v.S)
	k.number(uint64(v.Interval.Months))
	k.number(uint64(v.Interval.Days))
	k.number(uint64(v.Interval.Micros))
}

// columns writes columns of a source.
func (k *keyWriter) columns(cols []kernel.SourceCol) {
	k.number(uint64(len(cols)))
	for _, c := range cols {
		c := allOfSourceCol(c)
		k.number(uint64(c.Ordinal))
		k.number(uint64(c.Dst))
	}
}

// params writes the values that are constants, but not which ones.
func (k *keyWriter) params(params []kernel.Param) {
	k.number(uint64(len(params)))
	for _, p := range params {
		k.number(uint64(allOfParam(p).Dst))
	}
}

// shapes writes the shapes of columns.
func (k *keyWriter) shapes(shapes []ColumnShape) {
	k.number(uint64(len(shapes)))
	for _, s := range shapes {
		s := allOfColumnShape(s)
		k.number(uint64(s.Type))
		k.number(uint64(s.Encoding))
		k.bool(s.Nullable)
	}
}

// block writes instructions; those that only compute without reflection.
func (k *keyWriter) block(b kernel.Block) {
	k.number(uint64(len(b)))
	for i, in := range b {
		if c, ok := in.(*kernel.Compute); ok {
			k.number(2) // indirect begins with 0 or 1
			k.compute(allOfCompute(*c))
			continue
		}
		k.write(reflect.ValueOf(&b[i]).Elem())
	}
}

func (k *keyWriter) compute(c allOfCompute) {
	k.text(string(c.Op))
	k.number(uint64(c.Dst))
	k.number(uint64(len(c.Args)))
	for _, arg := range c.Args {
		k.number(uint64(arg))
	}
	aux := allOfAux(c.Aux)
	k.number(uint64(aux.Scale))
	k.number(uint64(aux.Bits))
	k.number(uint64(aux.Digits))
	k.text(aux.Field)
	k.number(uint64(aux.Length))
	k.bool(c.Checked)
}

// These are types of the kernel field by field, so that one more there does not
// compile here before it is written.
type (
	allOfValue struct {
		Type     kernel.Type
		Nullable bool
		Range    kernel.Range
		Dict     kernel.DictID
		Name     string
	}
	allOfRange struct {
		Known  bool
		Lo, Hi int64
	}
	allOfCompute struct {
		Op      kernel.Op
		Dst     kernel.ValueID
		Args    []kernel.ValueID
		Aux     kernel.Aux
		Checked bool
		Pos     int
	}
	allOfSourceCol struct {
		Ordinal int
		Dst     kernel.ValueID
	}
	allOfParam struct {
		Dst kernel.ValueID
		Val value.Value
	}
	allOfColumnShape struct {
		Type     kernel.Type
		Encoding Encoding
		Nullable bool
	}
	allOfConstant struct {
		Kind     value.Kind
		B        bool
		I        int64
		F        float64
		Num      value.Num
		S        string
		Interval value.Interval
	}
	allOfAux struct {
		Scale  int
		Bits   uint8
		Digits uint8
		Field  string
		Length int32
	}
)

func (k *keyWriter) bool(b bool) {
	n := uint64(0)
	if b {
		n = 1
	}
	k.number(n)
}

func (k *keyWriter) number(n uint64) { *k = binary.AppendUvarint(*k, n) }

func (k *keyWriter) text(s string) {
	k.number(uint64(len(s)))
	*k = append(*k, s...)
}

// For returns the module, which was rendered of from, for a kernel that has the
// same Key: the Maps and the places of errors are those of to.
func (m *Module) For(from, to *kernel.Func) *Module {
	if from == to || len(m.Sites)+len(m.Likes)+len(m.Maps) == 0 {
		return m
	}
	had, has := from.Instructions(), to.Instructions()
	place := make(map[kernel.Instr]kernel.Instr, len(had))
	for i := range had {
		place[had[i]] = has[i]
	}
	out := *m
	out.Sites, out.Maps = slices.Clone(m.Sites), slices.Clone(m.Maps)
	for i, s := range m.Sites {
		if in, ok := place[s.Instr]; ok {
			out.Sites[i].Instr = in
		}
	}
	out.Likes = slices.Clone(m.Likes)
	for i, in := range m.Likes {
		out.Likes[i] = place[in].(*kernel.Compute)
	}
	for i, in := range m.Maps {
		out.Maps[i] = place[in].(*kernel.Map)
	}
	return &out
}
