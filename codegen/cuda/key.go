package cuda

import (
	"encoding/binary"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// Key is equal for kernels and shapes that Render renders alike but for the
// comments of the source. It is the whole structure of f without names, the
// values of constants, positions in the statement's text, and estimates: a
// statement with other constants has the same keys as long as what is known of
// its values is the same.
func Key(f *kernel.Func, shapes []InputShape) string {
	k := keyWriter(make([]byte, 0, 4096))
	k.write(reflect.ValueOf(f))
	k.write(reflect.ValueOf(shapes))
	return string(k)
}

// unkeyed are the fields that make no difference to the code, by the type that
// has them.
var unkeyed = map[reflect.Type][]string{
	reflect.TypeFor[kernel.Func]():      {"Name"},
	reflect.TypeFor[kernel.Input]():     {"Name"},
	reflect.TypeFor[kernel.Value]():     {"Name"},
	reflect.TypeFor[kernel.Param]():     {"Val"},
	reflect.TypeFor[kernel.Compute]():   {"Pos"},
	reflect.TypeFor[kernel.Build]():     {"Rows"},
	reflect.TypeFor[kernel.Aggregate](): {"Groups"},
}

// keyed are the numbers of a struct's other fields, by its type.
var keyed sync.Map

// keyedFields gives them.
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
		if values, ok := reflect.TypeAssert[[]kernel.Value](v); ok {
			k.values(values)
			return
		}
		k.number(uint64(v.Len()))
		for i := range v.Len() {
			k.write(v.Index(i))
		}
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
		v := allOfValue(values[i])
		k.number(uint64(v.Type))
		k.bool(v.Nullable)
		r := allOfRange(v.Range)
		k.bool(r.Known)
		k.number(uint64(r.Lo))
		k.number(uint64(r.Hi))
		k.number(uint64(v.Dict))
	}
}

// allOfValue and allOfRange are kernel.Value and kernel.Range field by field, so
// that one more there does not compile here before values has it.
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

// For gives the module, which was rendered of from, for a kernel that has the
// same Key: the Maps and the places of errors are those of to.
func (m *Module) For(from, to *kernel.Func) *Module {
	if from == to {
		return m
	}
	had, has := instructions(nil, from.Body), instructions(nil, to.Body)
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

// instructions appends those of a block and of the blocks within.
func instructions(list []kernel.Instr, b kernel.Block) []kernel.Instr {
	for _, in := range b {
		list = append(list, in)
		switch in := in.(type) {
		case *kernel.If:
			list = instructions(instructions(list, in.Then), in.Else)
		case *kernel.Map:
			list = instructions(list, in.Body)
		case *kernel.Probe:
			list = instructions(list, in.Residual)
		}
	}
	return list
}
