package operators

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/lower"
	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/planner/strategy"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// Weave is a kernel being woven. The stages of the operators of one group add
// to it in turn; its variable table (in the Builder) connects them.
type Weave struct {
	*lower.Builder
	// In are the results that the operator at hand reads from other groups or
	// from tables, by its input; those that pass inside the kernel are nil.
	In []*Result
	// Out are the columns that the group's result must have, in order, in Form.
	Out  []algebra.Column
	Form Form
	// Ordered says that the order of the source's rows means something.
	Ordered bool
	// Rows is the estimated number of rows that reach the operator at hand, and
	// Groups the number that it is estimated to give.
	Rows, Groups float64
	// InCells says that groups are to stay in their cells for what reads them.
	InCells bool
	// Lookups is the estimated number of rows that are looked up in the group's
	// result, where that is a hash table.
	Lookups float64
	// SourceRows is the estimated number of rows of the kernel's source.
	SourceRows float64
	// MaxRows is a proven bound of the rows that reach it; infinite for unknown.
	MaxRows float64
	// Unique are columns of which no two rows at hand have the same value.
	Unique algebra.ColSet
	// Machine is what operations cost.
	Machine *machine.Machine
	Preferences
	// Decisions are those that the kernel's operators have made.
	Decisions []strategy.Decision
	// Fields describe the result's columns; gather sets them. Ordinals are where
	// they stand in it, nil for in order.
	Fields   []lower.Field
	Ordinals []int
	// UniqueKeys says of a hash table that no two rows have equal keys.
	UniqueKeys bool
	// Device says that the program is likely to run on a device.
	Device bool

	order order
}

// Preferences are what is wanted of the strategies of aggregations by keys, of
// aggregates with DISTINCT, of sorts, and of several grouping sets.
type Preferences struct{ Aggregates, Distinct, Sorts, Cubes strategy.Preference }

// Decide takes the cheapest of some offers or the one that is wanted, and notes the decision.
func (w *Weave) Decide(want strategy.Preference, of string, offers []strategy.Offer) *strategy.Decision {
	d, err := want.Choose(of, offers...)
	if err != nil {
		panic(err)
	}
	w.Decisions = append(w.Decisions, d)
	return &d
}

// Result is what a group reads: input Input of its kernel.
type Result struct {
	Input    int
	MaxRows  float64 // proven, infinite for unknown
	Unique   bool    // of a hash table: no two rows have equal keys
	Fields   []lower.Field
	Ordinals []int // where each field stands in the input; nil: in order
}

func (r *Result) ordinal(i int) int {
	if r.Ordinals == nil {
		return i
	}
	return r.Ordinals[i]
}

// Ordinal is where a column stands in the input, which has it.
func (r *Result) Ordinal(c algebra.Column) int {
	return r.ordinal(slices.IndexFunc(r.Fields, func(f lower.Field) bool { return f.Column.ID == c.ID }))
}

// Form is how the columns of a result must be held.
type Form uint8

// The forms. Natural is whatever is best. Final is for the rows of the query:
// unconstrained numeric as Num. Plain is the form that follows from the SQL
// type alone, so that the results of several groups can come together.
const (
	Natural Form = iota
	Final
	Plain
)

// Read defines values for the columns of input i and binds them. With
// nullable every one of them can be NULL, whatever it was in the input.
func (w *Weave) Read(i int, nullable bool) []kernel.SourceCol {
	in := w.In[i]
	var cols []kernel.SourceCol
	for k, f := range in.Fields {
		at := in.ordinal(k)
		if same := slices.IndexFunc(cols, func(c kernel.SourceCol) bool { return c.Ordinal == at }); same >= 0 {
			w.Bind(f.Column, cols[same].Dst)
			continue
		}
		f.Nullable = f.Nullable || nullable
		v := w.Load(f)
		w.Bind(f.Column, v)
		cols = append(cols, kernel.SourceCol{Ordinal: at, Dst: v})
	}
	return cols
}

// EmitProbe emits a probe of input 1, of which a row has one match at most where unique
// is set, with its payload and residual conditions.
func (w *Weave) EmitProbe(in *kernel.Probe, unique bool, residual []algebra.Expr) {
	switch {
	case unique:
		w.order.single = append(w.order.single, in)
	case in.Kind == kernel.ProbeInner || in.Kind == kernel.ProbeLeft:
		if w.MaxRows > 0 { // zero times an unknown number is not a number
			w.MaxRows *= max(w.In[1].MaxRows, 1)
		}
		w.Unique = algebra.ColSet{}
		if in.Kind == kernel.ProbeLeft { // rows without a match come behind others
			w.order.ascending = nil
		}
	}
	in.Payload, in.Cond = w.Read(1, in.Kind == kernel.ProbeLeft), kernel.NoValue
	if len(residual) > 0 {
		in.Residual = w.Nested(func() { in.Cond = w.All(residual) })
	}
	w.Emit(in)
}

// Even is the partition stage of operators that read rows one by one: the
// input is divided evenly.
func Even(w *Weave) {
	w.Func.Source = &kernel.Scan{Input: w.In[0].Input, Cols: w.Read(0, false)}
	for i := range w.In[0].Fields {
		f := &w.In[0].Fields[i]
		if f.Unique {
			w.Unique.Add(f.Column.ID)
		}
		w.order.read(f, w.Column(f.Column))
	}
}

// Outputs are the values of the result's columns, in the form asked for; it
// sets Fields.
func (w *Weave) Outputs() []kernel.ValueID {
	var vals []kernel.ValueID
	for _, c := range w.Out {
		v := w.Column(c)
		switch w.Form {
		case Final:
			v = w.Final(v, c.Type)
		case Plain:
			v = w.Plain(v, c.Type)
		}
		vals = append(vals, v)
	}
	w.Describe(w.Out, vals)
	return vals
}

// Describe sets Fields: the result's columns cols are the values vals.
func (w *Weave) Describe(cols []algebra.Column, vals []kernel.ValueID) {
	w.Fields = make([]lower.Field, len(cols))
	for i, c := range cols {
		w.Fields[i] = w.Field(c, vals[i])
		w.Fields[i].Unique = w.Unique.Has(c.ID)
	}
}
