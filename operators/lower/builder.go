// Package lower turns scalar expressions of the algebra into kernel
// instructions. It keeps the variable table of section 4.3 of Kernel Weaver:
// which kernel value holds which column at the point that the weaving has
// reached.
//
// Exact numbers are held as I64 where their bounds prove that they fit and as
// I128 otherwise, with every change of scale an instruction; an operation is
// Checked unless the bounds prove that it cannot overflow. Text of a
// dictionary stays in codes: what depends on one such column alone is computed
// once for each entry. Literals are parameters, and a computation that was
// made before is not made again.
package lower

import (
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Builder makes one kernel: it lowers expressions of the algebra.
type Builder struct{ operations }

// operations computes with values of the kernel: numbers, texts and times.
type operations struct{ emitter }

// emitter holds the kernel with what is known of its values. Instructions are appended where
// the weaving stands: to the kernel's body, or to the arm or residual at hand.
type emitter struct {
	meter  *value.Meter // of building; nil bounds nothing
	Func   *kernel.Func
	block  *kernel.Block
	scope  *scope
	facts  []fact                      // by ValueID
	params map[paramKey]kernel.ValueID // nil while there are few
}

// fact is what is known of a value beyond what the kernel says.
type fact struct {
	scale   int            // of an exact number held as an integer
	bounds  bounds         // of an integer
	entries float64        // of a code: the number of entries of its dictionary, 0 for unknown
	origin  string         // of a code: identifies the dictionary across kernels
	param   *value.Value   // the constant, for a parameter
	finite  bool           // of a date or timestamp: it is not infinite, whatever the bounds say
	widened bool           // narrow is set
	narrow  kernel.ValueID // the integer of which this is a wider form
}

type paramKey struct {
	typ   kernel.Type
	scale int
	val   value.Value
}

// scope is what is visible in a block: the variable table, and the results of
// computations for reuse. A sealed scope does not see the one around it.
type scope struct {
	outer    *scope
	sealed   bool
	vars     map[algebra.ColumnID]kernel.ValueID
	computes map[computeKey]kernel.ValueID
	exprs    map[uint64][]exprValue
}

type exprValue struct {
	expr algebra.Expr
	val  kernel.ValueID
}

func newScope(outer *scope, sealed bool) *scope {
	return &scope{
		outer: outer, sealed: sealed,
		vars:     map[algebra.ColumnID]kernel.ValueID{},
		computes: map[computeKey]kernel.ValueID{},
		exprs:    map[uint64][]exprValue{},
	}
}

// usualValues is for how many values there is room at first.
const usualValues = 16

// NewBuilder starts a kernel.
func NewBuilder(name string, m *value.Meter) *Builder {
	f := &kernel.Func{Name: name, Values: make([]kernel.Value, 0, usualValues)}
	return &Builder{operations{emitter{
		meter: m, Func: f, block: &f.Body, scope: newScope(nil, false), facts: make([]fact, 0, usualValues),
	}}}
}

// Bind makes v the variable that holds a column from here on.
func (b *emitter) Bind(c algebra.Column, v kernel.ValueID) {
	b.scope.vars[c.ID] = v
	if b.Func.Values[v].Name == "" {
		b.Func.Values[v].Name = c.Name
	}
}

// scopeWork is what looking into a scope costs, in bytes looked at.
const scopeWork = 32

// Var is the value that holds a column.
func (b *emitter) Var(id algebra.ColumnID) (kernel.ValueID, bool) {
	for s := b.scope; s != nil; s = s.outer {
		b.meter.Must(scopeWork)
		if v, ok := s.vars[id]; ok {
			return v, true
		}
		if s.sealed {
			break
		}
	}
	return kernel.NoValue, false
}

// Column is the value that holds a column that must be bound; that it is not
// is a defect of what made the plan.
func (b *emitter) Column(c algebra.Column) kernel.ValueID {
	v, ok := b.Var(c.ID)
	if !ok {
		panic(fmt.Errorf("column %s#%d is not bound in kernel %s", c.Name, c.ID, b.Func.Name))
	}
	return v
}

// Emit appends an instruction.
func (b *emitter) Emit(in kernel.Instr) { *b.block = append(*b.block, in) }

// Value describes a value of the kernel.
func (b *emitter) Value(v kernel.ValueID) kernel.Value { return b.Func.Values[v] }

func (b *emitter) typ(v kernel.ValueID) kernel.Type { return b.Func.Values[v].Type }

// Input adds an input to the kernel.
func (b *emitter) Input(kind kernel.InputKind, name string) int {
	b.Func.Inputs = append(b.Func.Inputs, kernel.Input{Kind: kind, Name: name})
	return len(b.Func.Inputs) - 1
}

// define makes a new value.
func (b *emitter) define(v kernel.Value, f fact) kernel.ValueID {
	if v.Type.IsInteger() && !v.Range.Known {
		v.Range = f.bounds.within(v.Type)
	}
	b.Func.Values = append(b.Func.Values, v)
	b.facts = append(b.facts, f)
	return kernel.ValueID(len(b.Func.Values) - 1)
}

// newDict makes a new dictionary of the kernel.
func (b *emitter) newDict() kernel.DictID {
	b.Func.Dicts++
	return kernel.DictID(b.Func.Dicts - 1)
}

// compute emits an operation, or returns its result where it was computed
// before. The result's nullability follows from the arguments.
func (b *emitter) compute(c kernel.Compute, result kernel.Value, f fact) kernel.ValueID {
	result.Nullable = result.Nullable || b.nullable(c.Op, c.Args)
	key := keyOf(&c, result.Type)
	for s := b.scope; s != nil; s = s.outer {
		if v, ok := s.computes[key]; ok {
			return v
		}
		if s.sealed {
			break
		}
	}
	c.Dst = b.define(result, f)
	b.Emit(&c)
	b.scope.computes[key] = c.Dst
	return c.Dst
}

// computeKey is equal for operations that give the same.
type computeKey struct {
	op    kernel.Op
	typ   kernel.Type
	aux   kernel.Aux
	count int
	args  [3]kernel.ValueID
	more  string // the arguments behind those
}

func keyOf(c *kernel.Compute, t kernel.Type) computeKey {
	k := computeKey{op: c.Op, typ: t, aux: c.Aux, count: len(c.Args)}
	if n := copy(k.args[:], c.Args); n < len(c.Args) {
		k.more = fmt.Sprint(c.Args[n:])
	}
	return k
}

// nullable reports whether the result of an operation can be NULL.
func (b *emitter) nullable(op kernel.Op, args []kernel.ValueID) bool {
	switch op.Operation().Nulls {
	case kernel.NotNull:
		return false
	case kernel.Partial:
		return true
	}
	return slices.ContainsFunc(args, func(a kernel.ValueID) bool { return b.Func.Values[a].Nullable })
}

// op emits an operation that gives a plain value of type t.
func (b *emitter) op(op kernel.Op, t kernel.Type, pos int, args ...kernel.ValueID) kernel.ValueID {
	return b.compute(kernel.Compute{Op: op, Args: args, Pos: pos}, kernel.Value{Type: t}, fact{})
}

// Param returns the parameter for a constant in the form of kernel.Param.Val.
// Scale is that of an exact number held as an integer.
func (b *emitter) Param(t kernel.Type, scale int, val value.Value) kernel.ValueID {
	if v, ok := b.haveParam(t, scale, &val); ok {
		return v
	}
	b.meter.Must(scopeWork)
	v := kernel.Value{Type: t, Nullable: val.Kind == value.Null}
	f := fact{scale: scale, param: &val}
	if t.IsInteger() && val.Kind != value.Null {
		f.bounds = paramBounds(t, val)
	}
	id := b.define(v, f)
	b.Func.Params = append(b.Func.Params, kernel.Param{Dst: id, Val: val})
	if b.params != nil {
		b.params[paramKey{t, scale, val}] = id
	}
	return id
}

// fewParams is how many parameters are looked through; of more there is a map.
const fewParams = 8

// haveParam finds the parameter for a constant, if there is one.
func (b *emitter) haveParam(t kernel.Type, scale int, val *value.Value) (kernel.ValueID, bool) {
	if len(b.Func.Params) > fewParams {
		if b.params == nil {
			b.params = make(map[paramKey]kernel.ValueID)
			for i := range b.Func.Params {
				if p := &b.Func.Params[i]; b.typ(p.Dst) != kernel.Code { // which has a dictionary besides
					b.params[paramKey{b.typ(p.Dst), b.facts[p.Dst].scale, p.Val}] = p.Dst
				}
			}
		}
		v, ok := b.params[paramKey{t, scale, *val}]
		return v, ok
	}
	for i := range b.Func.Params {
		p := &b.Func.Params[i]
		if b.typ(p.Dst) == t && b.facts[p.Dst].scale == scale && p.Val == *val && t != kernel.Code {
			return p.Dst, true
		}
	}
	return kernel.NoValue, false
}

// null is the parameter for a NULL of a type.
func (b *emitter) null(t kernel.Type, scale int) kernel.ValueID {
	return b.Param(t, scale, value.Value{})
}

// Constant is the value of a parameter, in the form of kernel.Param.Val, or nil
// for other values.
func (b *emitter) Constant(v kernel.ValueID) *value.Value { return b.facts[v].param }

// nullCode is the parameter for a NULL among codes of one dictionary.
func (b *emitter) nullCode(d kernel.DictID) kernel.ValueID {
	for _, p := range b.Func.Params {
		if v := b.Func.Values[p.Dst]; v.Type == kernel.Code && v.Dict == d {
			return p.Dst
		}
	}
	id := b.define(kernel.Value{Type: kernel.Code, Nullable: true, Dict: d}, fact{param: &value.Value{}})
	b.Func.Params = append(b.Func.Params, kernel.Param{Dst: id})
	return id
}

func (b *emitter) boolean(x bool) kernel.ValueID {
	return b.Param(kernel.Bool, 0, value.Value{Kind: value.Bool, B: x})
}

func (b *emitter) isNull(v kernel.ValueID) bool {
	p := b.facts[v].param
	return p != nil && p.Kind == value.Null
}

// arm is a block under construction with its scope.
type arm struct {
	block kernel.Block
	scope *scope
}

// in runs body with instructions going to the arm; it may be called again for
// the same arm.
func (b *emitter) in(a *arm, body func()) {
	block, scope := b.block, b.scope
	b.block, b.scope = &a.block, a.scope
	body()
	b.block, b.scope = block, scope
}

// newArm is an arm that sees what is visible here.
func (b *emitter) newArm() *arm { return &arm{scope: newScope(b.scope, false)} }

// Nested builds a block that sees what is visible here, such as a residual.
func (b *emitter) Nested(body func()) kernel.Block {
	a := b.newArm()
	b.in(a, body)
	return a.block
}

// boundsOf are the bounds of an integer value; where nothing is known they are
// those of its type.
func (b *emitter) boundsOf(v kernel.ValueID) bounds {
	if r := b.facts[v].bounds; r.known() {
		return r
	}
	if r := b.Func.Values[v].Range; r.Known {
		return int64Bounds(r.Lo, r.Hi)
	}
	return typeBounds(b.typ(v))
}

func unsupported(pos int, format string, args ...any) error {
	return value.ErrorAt(pos, value.CodeFeatureNotSupported, format+" is not supported", args...)
}
