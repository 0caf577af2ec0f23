package several

import (
	"slices"
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
	if r.readsHost() {
		return r.byHost(r.f, r.inputs, codegen.ExchangeOnHost), nil
	}
	if input := r.f.GroupsSource(); input >= 0 && isOnHost(r.inputs[input]) {
		r.f = codegen.ReadsColumns(r.f)
	}
	r.gather()
	if dealt := r.backend.deals(r.f); dealt != nil {
		r.complete()
		return r.deal(dealt), nil
	}
	src := r.source()
	how, at, reason := r.choose(src)
	if n, _ := src.on(); how != nil && !how.InOrder && n > 1 {
		if exchanged := r.exchange(src); exchanged {
			how, _ = codegen.ShareOut(r.f, src.apart)
		}
	}
	r.complete()
	_, builds := r.f.Sink.(*kernel.Build)
	switch {
	case how == nil && builds:
		r.say("every device makes the table of all rows: " + reason)
		return tableOf(r.everywhere(r.f, r.inputs, r.opts)), nil
	case how == nil:
		r.say(reason)
		r.on = 1
		return r.alone(at, r.f, r.inputs, r.opts), nil
	}
	return r.shared(how, src, builds), nil
}

// shared has each device do its share of the kernel, and puts together what they make.
func (r *run) shared(how *codegen.Shares, src *source, builds bool) runtime.Output {
	if !builds {
		how = r.ahead(how, src)
	}
	parts := *r.parts
	parts.Fetches = how.Merge != nil && how.Parts == 0 && r.backend.hostMerges(how.Merge, 0, r.opts.Exchange) // few rows at least
	made := r.local(how.Local, src.of, &parts)
	r.derived = true
	if builds {
		return r.build(how.Merge, made)
	}
	if how.Merge == nil {
		r.say(how.Exchange)
		return output(r.f, made, codegen.Kept(how.Local, src.apart))
	}
	if how.Parts == 0 {
		if r.backend.hostMerges(how.Merge, counted(made), r.opts.Exchange) {
			defer releaseAll(made)
			return r.byHost(how.Merge, []any{together(made, nil)}, codegen.ExchangeHost)
		}
		how = r.parted(how, made)
	}
	r.say(how.Exchange)
	if how.Divide != nil {
		made = r.divide(how.Divide, together(made, nil))
	}
	if how.Parts > 0 {
		return output(r.f, r.mergeParts(how.Merge, made), codegen.Kept(how.Merge, []int{how.By}))
	}
	defer releaseAll(made)
	return r.alone(0, how.Merge, []any{together(made, nil)}, r.opts)
}

// gather has the groups of several devices written as columns, where the kernel that reads them is not shared.
func (r *run) gather() {
	input := r.f.GroupsSource()
	if input < 0 {
		return
	}
	of, several := r.inputs[input].(*groups)
	if !several {
		return
	}
	if how, _ := codegen.ShareOut(r.f, of.apart); how != nil {
		return
	}
	write, rest := codegen.WriteGroups(r.f)
	made := r.localOf([]any{of}, write, r.source().of, r.parts)
	r.sent = append(r.sent, made...)
	r.f, r.inputs = rest, slices.Clone(r.inputs)
	r.inputs[input] = together(made, nil)
	r.say(codegen.ExchangeCells)
}

// choose decides how the kernel is shared; nil for not at all, and then which device does it
// and why.
func (r *run) choose(src *source) (how *codegen.Shares, _ int, reason string) {
	n, at := src.on()
	build, builds := r.f.Sink.(*kernel.Build)
	switch ofGroups := r.f.GroupsSource() >= 0; {
	case n == 0:
		return nil, 0, "its source has few rows"
	case n == 1 && ofGroups && builds: // the others cannot read them
		return codegen.ShareBuild(r.f, build), at, ""
	case n == 1 && ofGroups:
		return nil, at, "the groups that it reads lie there"
	case n == 1:
		return nil, at, "its source lies there"
	}
	rel := r.inputs[r.f.Source.(*kernel.Scan).Input]
	how, reason = codegen.ShareOut(r.f, src.apart)
	switch {
	case how == nil:
		return nil, 0, reason
	case !r.backend.mergePays(r.f, how, rel):
		return nil, 0, manyGroups
	case how.InOrder && !inOrder(rel):
		return nil, 0, "its rows are to stay in the order of several relations"
	}
	return how, 0, ""
}

// inOrder reports whether the shares of a relation are consecutive rows of it.
func inOrder(rel any) bool {
	if _, ok := rel.(*relation); ok {
		return true
	}
	composed, ok := rel.(runtime.Composed)
	return !ok || len(composed.Parts()) == 1 && inOrder(composed.Parts()[0].Rel)
}
