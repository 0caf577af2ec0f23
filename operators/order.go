package operators

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/operators/lower"
)

// order is what is known of the order in which the rows of a kernel come: that of its
// source, which all operators keep but those that give rows to several of its rows later.
type order struct {
	ascending []kernel.ValueID // integers in whose order the rows come; none is NULL
	source    []kernel.ValueID // what the source gives
	unique    []kernel.ValueID // of these, what no two rows of the source have the same of
	single    []*kernel.Probe  // that find one match of a row at most
	equal     [][2]kernel.ValueID
}

// read notes a column that the source gives.
func (o *order) read(f *lower.Field, v kernel.ValueID) {
	o.source = append(o.source, v)
	if f.Ascending {
		o.ascending = append(o.ascending, v)
	}
	if f.Unique && !f.Nullable {
		o.unique = append(o.unique, v)
	}
}

// dependsOn returns what finds out what depends on a value, in a kernel with a body.
func (o *order) dependsOn(on kernel.ValueID, body kernel.Block) *dependence {
	d := &dependence{order: o, on: on, defined: map[kernel.ValueID]kernel.Instr{}, known: map[kernel.ValueID]bool{kernel.NoValue: true, on: true}}
	for range o.equal { // as often as the last may be reached by way of all others
		for _, pair := range o.equal {
			if d.known[pair[0]] || d.known[pair[1]] {
				d.known[pair[0]], d.known[pair[1]] = true, true
			}
		}
	}
	for _, in := range body {
		kernel.Operands(in, nil, func(id kernel.ValueID) { d.defined[id] = in })
	}
	return d
}

// dependence finds out what depends on one value.
type dependence struct {
	*order
	on      kernel.ValueID
	defined map[kernel.ValueID]kernel.Instr
	known   map[kernel.ValueID]bool
}

func (d *dependence) of(v kernel.ValueID) bool {
	depends, ok := d.known[v]
	if !ok {
		depends = d.find(v)
		d.known[v] = depends
	}
	return depends
}

// find looks at what defines v: the source, an instruction, or the constants of the
// statement.
func (d *dependence) find(v kernel.ValueID) bool {
	if slices.Contains(d.source, v) {
		return slices.Contains(d.unique, d.on)
	}
	in, ok := d.defined[v]
	if !ok {
		return true
	}
	switch in := in.(type) {
	case *kernel.Repeat:
		return false
	case *kernel.Probe:
		if !slices.Contains(d.single, in) {
			return false
		}
	}
	depends := true
	kernel.Operands(in, func(id kernel.ValueID) {
		if inner, ok := d.defined[id]; !ok || inner != in {
			depends = depends && d.of(id)
		}
	}, nil)
	return depends
}
