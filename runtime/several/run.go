package several

import (
	"time"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// execute has the kernel done by the devices that have rows of its source.
func (r *run) execute() (_ runtime.Output, err error) {
	defer sqlstate.Catch(&err)
	started := time.Now()
	defer func() {
		r.metrics.Time = time.Since(started)
		r.metrics.Sharing = &r.sharing
	}()
	defer func() { releaseAll(r.sent) }()
	if dealt := r.backend.deals(r.f); dealt != nil {
		r.complete()
		return r.deal(dealt), nil
	}
	shares := r.shares()
	how, at, reason := r.choose(shares)
	if how != nil && !how.InOrder {
		shares = r.exchange(shares)
		if r.sent != nil {
			how, _ = codegen.ShareOut(r.f)
		}
	}
	r.complete()
	build, builds := r.f.Sink.(*kernel.Build)
	switch {
	case how == nil && builds && r.f.GroupsSource() >= 0:
		return r.buildOfGroups(at, codegen.ShareBuild(r.f, build)), nil
	case how == nil && builds:
		r.say("every device makes the table of all rows: " + reason)
		return tableOf(r.everywhere(r.f, r.inputs, r.opts)), nil
	case how == nil:
		r.say(reason)
		return r.alone(at, r.f, r.inputs, r.opts), nil
	}
	made := r.local(how.Local, shares)
	r.derived = true
	switch {
	case how.Merge == nil:
		r.say(reason)
		return together(made), nil
	case builds:
		return r.build(how.Merge, made), nil
	}
	r.say(reason)
	defer releaseAll(made)
	return r.alone(0, how.Merge, []any{together(made)}, r.opts), nil
}

// buildOfGroups has the device that has groups write what a table needs of them, which the others cannot read.
func (r *run) buildOfGroups(at int, how *codegen.Shares) runtime.Output {
	made := r.alone(at, how.Local, r.inputs, r.parts)
	r.derived = true
	return r.build(how.Merge, []runtime.Output{made})
}

// shares cuts the source, where it is a relation.
func (r *run) shares() []runtime.Relation {
	scan, ok := r.f.Source.(*kernel.Scan)
	if !ok {
		return nil
	}
	rel, ok := r.inputs[scan.Input].(runtime.Relation)
	if !ok {
		return nil
	}
	return sqlstate.Must(r.backend.cut(rel, scanned(r.f)))
}

// choose decides how the kernel is shared; nil for not at all, and then which device does it
// and why.
func (r *run) choose(shares []runtime.Relation) (how *codegen.Shares, at int, reason string) {
	if input := r.f.GroupsSource(); input >= 0 {
		return nil, r.backend.holder(r.inputs[input]), "the groups that it reads lie there"
	}
	n := 0
	for i, share := range shares {
		if share != nil {
			n, at = n+1, i
		}
	}
	switch {
	case n == 0:
		return nil, 0, "its source has few rows"
	case n == 1:
		return nil, at, "its source lies there"
	}
	source := r.inputs[r.f.Source.(*kernel.Scan).Input].(runtime.Relation)
	how, reason = codegen.ShareOut(r.f)
	switch {
	case how == nil:
		return nil, 0, reason
	case !r.backend.mergePays(r.f, how, source):
		return nil, 0, manyGroups
	case how.InOrder && !inOrder(source):
		return nil, 0, "its rows are to stay in the order of several relations"
	}
	return how, 0, how.Exchange
}

// inOrder reports whether the shares of a relation are consecutive rows of it.
func inOrder(rel any) bool {
	if _, ok := rel.(*relation); ok {
		return true
	}
	composed, ok := rel.(runtime.Composed)
	return !ok || len(composed.Parts()) == 1 && inOrder(composed.Parts()[0].Rel)
}
