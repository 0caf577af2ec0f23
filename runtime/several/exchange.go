package several

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// tableOf is the table of what each device has made.
func tableOf(made []runtime.Output, err error) runtime.Output {
	sqlstate.Check(err)
	return &table{made: made}
}

// build makes the table of rows that shares have written. Where it may be that devices exchange them,
// the kernel that looks rows up decides, which knows how many these are.
func (r *run) build(merge *kernel.Func, made []runtime.Output) runtime.Output {
	t := &table{rows: together(made, nil), merge: merge, key: codegen.ExchangeKey(merge, merge.Sink.(*kernel.Build).Keys)}
	copied := float64(len(r.backend.members)-1) * t.bytes()
	if r.opts.Exchange != exchangeCopy && t.key >= 0 && (r.opts.Exchange == exchangeHash || r.backend.worth(copied)) {
		r.say(codegen.ExchangeLater)
		return t
	}
	r.say(codegen.ExchangeBuild)
	if err := r.makeWhole(t); err != nil {
		t.Release()
		panic(err)
	}
	return t
}

// bytes are those of the rows of which a table is made.
func (t *table) bytes() float64 {
	rel := t.rows.(runtime.Relation)
	return float64(rel.Rows()) * bytesOf(rel.Types())
}

// worth reports whether it is worth a step more that devices copy so many bytes less.
func (b *Backend) worth(bytes float64) bool {
	if b.insists {
		return bytes > 0
	}
	device := &b.members[0].cuda.Target().Device
	return device.Bytes(bytes) > device.Sharing
}

// complete has all devices make the tables that the kernel reads and that are not made.
func (r *run) complete() {
	for _, in := range r.inputs {
		if t, ok := in.(*table); ok && t.made == nil {
			sqlstate.Check(r.makeWhole(t))
			r.say(codegen.ExchangeBuild)
		}
	}
}

// makeWhole has all devices make the table of all rows.
func (r *run) makeWhole(t *table) (err error) {
	defer r.onDerived()()
	if t.made, err = r.everywhere(t.merge, []any{t.rows}, r.parts); err != nil {
		return err
	}
	t.rows.Release()
	t.rows = nil
	return nil
}

// onDerived says that what runs until the function is called reads no rows of the kernel's source.
func (r *run) onDerived() func() {
	before := r.derived
	r.derived = true
	return func() { r.derived = before }
}

// exchange has devices send the kernel's rows to where their matches in tables are, as long as that pays, and
// has the kernel be what is left to do then, and the source what each device has for it.
func (r *run) exchange(src *source) (exchanged bool) {
	for {
		x, t, input := r.exchanged(src)
		if x == nil {
			return exchanged
		}
		r.part(t)
		inputs := slices.Clone(r.inputs)
		inputs[input] = t.parts
		r.f, r.inputs = x.Local, pick(inputs, x.LocalInputs)
		r.complete()
		made := r.local(x.Local, src.of, r.parts)
		r.sent, r.derived, exchanged = append(r.sent, made...), true, true
		src.of, src.apart = devices(received(made, len(r.backend.members))), []int{x.Key}
		r.f, r.inputs = x.Rest, pick(inputs, x.RestInputs)
		r.say(codegen.ExchangeHash)
	}
}

// pick are some of a kernel's inputs.
func pick(inputs []any, which []int) []any {
	return lists.Map(which, func(at int) any { return inputs[at] })
}

// exchanged finds the first probe of the kernel for which rows are exchanged, and the input that is its table.
func (r *run) exchanged(src *source) (x *codegen.Exchange, t *table, input int) {
	for at, in := range r.f.Body {
		p, ok := in.(*kernel.Probe)
		if !ok || p.Sorted != nil {
			continue
		}
		t, ok := r.inputs[p.Input].(*table)
		if !ok || t.rows == nil || t.rows.(runtime.Relation).Rows() == 0 {
			continue
		}
		x := codegen.ExchangeAt(r.f, at, t.key, len(r.backend.members))
		if x != nil && (r.opts.Exchange == exchangeHash || r.copiesLess(x, t, p, src.rows())) && r.runs(x.Local, x.Rest) {
			return x, t, p.Input
		}
	}
	return nil, nil, 0
}

// runs reports whether devices have code for what an exchange asks of them.
func (r *run) runs(kernels ...*kernel.Func) bool {
	first := r.backend.members[0]
	for _, f := range kernels {
		if first.cuda == nil || f == nil {
			continue
		}
		if _, err := first.cuda.Check(f); err != nil {
			r.say("nothing is exchanged: " + err.Error())
			return false
		}
	}
	return true
}

// copiesLess reports whether devices copy less where they exchange rows than where all of them have the
// whole table, and that is worth it.
func (r *run) copiesLess(x *codegen.Exchange, t *table, p *kernel.Probe, rows float64) bool {
	if p.Rows.In > 0 && (rows == 0 || p.Rows.In < rows) {
		rows = p.Rows.In
	}
	sent := rows * bytesOf(x.Types())
	if t.parts == nil {
		sent += t.bytes()
	}
	return r.backend.worth(saved(t.bytes(), sent, len(r.backend.members)))
}

// saved is how many bytes fewer n devices copy where they exchange some than where each gets a whole table.
func saved(table, exchanged float64, n int) float64 {
	return float64(n-1) * (table - exchanged/float64(n))
}

// part has each device make the table of its part of the rows, where that is not done.
func (r *run) part(t *table) {
	if t.parts != nil {
		return
	}
	defer r.onDerived()()
	divide := codegen.DivideRows(t.merge, t.merge.Sink.(*kernel.Build).Keys[t.key].Val, len(r.backend.members))
	t.parts = &table{made: r.mergeParts(t.merge, r.divided(divide, t.rows))}
}

// divide has each device divide the rows that it has of those that were made, and releases these.
func (r *run) divide(f *kernel.Func, rows runtime.Output) []runtime.Output {
	defer rows.Release()
	return r.divided(f, rows)
}

// divided has each device divide the rows that it has of those that were made.
func (r *run) divided(f *kernel.Func, rows runtime.Output) []runtime.Output {
	shares := sqlstate.Must(r.backend.cut(rows.(runtime.Relation), scanned(f), false)) // devices have them
	return r.localOf([]any{rows}, f, devices(shares), r.parts)
}

// mergeParts has each device run a kernel over the rows of its part of those that devices have divided, and releases
// these.
func (r *run) mergeParts(merge *kernel.Func, divided []runtime.Output) []runtime.Output {
	defer releaseAll(divided)
	rows := received(divided, len(r.backend.members))
	return sqlstate.Must(r.parallel(r.all(), func(i int) job { return job{merge, []any{rows[i]}, r.parts} }))
}

// received are the rows that n devices have of those that some of them have divided.
func received(made []runtime.Output, n int) []runtime.Relation {
	rows := make([]runtime.Relation, n)
	for i := range rows {
		var parts []runtime.ViewPart
		for _, out := range made {
			parts = append(parts, runtime.ViewPart{Rel: out.(runtime.Results)[i]})
		}
		rows[i] = runtime.NewView(parts)
	}
	return rows
}
