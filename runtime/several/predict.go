package several

import (
	"cmp"
	"context"

	"github.com/cubeloom/cubeloom/codegen"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cuda"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// prediction is how devices are likely to share a step.
type prediction struct {
	how    *codegen.Shares // nil: they do not
	reason string
	deals  bool               // they deal out its sets
	rows   []runtime.Relation // by device, where the source is a table
	stays  bool               // what the step makes lies on several devices
	apart  []int              // columns of that of which no two devices have the same value
	sent   float64            // bytes of the rows that devices exchange by a key of groups
	table  float64            // bytes of the rows of which it makes a table, where these may be exchanged; else 0
	key    int                // of the table, by which they are
}

// predict predicts the steps for which here is true; rows is how many a step is estimated to give, nil where
// that is not asked.
func (b *Backend) predict(prog *codegen.Program, here []bool, rows func(step int) float64, exchange string) []prediction {
	all := make([]prediction, len(prog.Steps))
	for i := range prog.Steps {
		if here[i] {
			all[i] = b.predictStep(&prog.Steps[i], all, exchange)
			if rows != nil {
				all[i].tableOf(rows(i))
			}
		}
	}
	return all
}

// predictStep predicts one of them, of which those before it are.
func (b *Backend) predictStep(step *codegen.Step, before []prediction, exchange string) (p prediction) {
	scan, ok := step.Func.Source.(*kernel.Scan)
	if !ok {
		_, p.reason = codegen.ShareOut(step.Func, nil)
		return p
	}
	in, on := &step.Inputs[scan.Input], 0
	if build, builds := step.Func.Sink.(*kernel.Build); step.Func.GroupsSource() >= 0 && !before[in.Parts[0].Step].stays {
		if p.reason = "the groups that it reads lie on one device"; builds {
			p.how, p.reason = codegen.ShareBuild(step.Func, build), codegen.ExchangeBuild
		}
		return p
	}
	if b.deals(step.Func) != nil {
		p.deals, p.reason = true, codegen.ExchangeSets
		return p
	}
	var rel runtime.Relation
	if in.Table != nil {
		if rel, ok = in.Table.Handle.(runtime.Relation); ok {
			p.rows, _ = b.cutFor(step.Func, rel, exchange) // an error is left for the run to find
		}
	}
	for _, share := range p.rows {
		if share != nil {
			on++
		}
	}
	for _, part := range in.Parts {
		if before[part.Step].stays {
			on = len(b.members)
		}
	}
	if on < 2 {
		p.reason = "its source has few rows, or lies on one device"
		return p
	}
	apart := b.apart(rel)
	if len(in.Parts) == 1 && in.Parts[0].Cols == nil {
		apart = before[in.Parts[0].Step].apart
	}
	if p.how, p.reason = codegen.ShareOut(step.Func, apart); p.how == nil {
		return p
	}
	if p.reason = p.how.Exchange; !b.mergePays(step.Func, p.how, rel) {
		p.how, p.reason = nil, manyGroups
		return p
	}
	p.together(b, step.Func, rel, apart, exchange)
	return p
}

// together predicts how what shares of a step make is put together.
func (p *prediction) together(b *Backend, f *kernel.Func, rel runtime.Relation, apart []int, exchange string) {
	if _, builds := f.Sink.(*kernel.Build); builds {
		return
	}
	rows, n := 0.0, float64(len(b.members))
	if rel != nil {
		rows = float64(rel.Rows())
	}
	rows = grouped(f, rows)
	if p.how.Merge != nil {
		p.how = b.parts(f, p.how, rows/n, exchange)
	}
	switch p.reason = p.how.Exchange; {
	case p.how.Merge == nil:
		p.stays, p.apart = true, codegen.Kept(p.how.Local, apart)
	case p.how.Parts > 0:
		p.stays, p.apart = true, codegen.Kept(p.how.Merge, []int{p.how.By})
		p.sent = rows * bytesOf(p.how.Row()) * (1 - 1/n)
	}
}

// tableOf notes of a step that makes a table how many bytes its rows have.
func (p *prediction) tableOf(rows float64) {
	if p.how == nil || p.how.Merge == nil {
		return
	}
	if s, ok := p.how.Merge.Sink.(*kernel.Build); ok {
		p.key = codegen.ExchangeKey(p.how.Merge, s.Keys)
		p.table = rows * bytesOf(p.how.Row())
	}
}

// Predict says of the steps for which here is true how devices are likely to share them, before they run: which
// rows of a table are whose, and how many bytes they copy from each other, by estimates of the rows that steps
// give. Nil: there is one device, or the step is not on it.
func (b *Backend) Predict(prog *codegen.Program, here []bool, rows func(step int) float64, exchange string) []*runtime.Sharing {
	out := make([]*runtime.Sharing, len(prog.Steps))
	if len(b.members) == 1 {
		return out
	}
	all := b.predict(prog, here, rows, exchange)
	for i := range all {
		if here[i] {
			out[i] = b.sharing(&prog.Steps[i], &all[i], all, rows(i), exchange)
		}
	}
	return out
}

// sharing puts the prediction of a step into words and numbers.
func (b *Backend) sharing(step *codegen.Step, p *prediction, all []prediction, rows float64, exchange string) *runtime.Sharing {
	s := &runtime.Sharing{Exchange: p.reason}
	for i, share := range p.rows {
		if share != nil {
			s.Shares = append(s.Shares, runtime.Share{Device: b.members[i].ordinal, Rows: share.Rows()})
		}
	}
	if p.how == nil {
		return s
	}
	n := float64(len(b.members))
	bytes, few := 0.0, b.mergesFew(p, n*rows, exchange)
	if few {
		s.Exchange = codegen.ExchangeHost
	}
	for at, in := range step.Func.Body {
		if probe, ok := in.(*kernel.Probe); ok && probe.Sorted == nil && len(step.Inputs[probe.Input].Parts) == 1 {
			t := &all[step.Inputs[probe.Input].Parts[0].Step]
			if t.table == 0 {
				continue
			}
			if sent, yes := b.sends(step, p, t, at, exchange); yes {
				s.Exchange = codegen.ExchangeHash + "; " + s.Exchange
				bytes += sent * (n - 1) / n
			} else {
				s.Exchange = codegen.ExchangeBuild + "; " + s.Exchange
				bytes += (n - 1) * t.table
			}
		}
	}
	switch {
	case p.how.Exchange == codegen.ExchangeByKey:
		bytes += p.sent
	case p.how.Merge != nil && p.table == 0 && !few:
		bytes += rows * bytesOf(p.how.Row()) * b.crossing(p.how)
	}
	if s.Bytes = int64(bytes); p.table > 0 {
		s.Exchange = "its rows are copied or exchanged where they are looked up"
	}
	return s
}

// mergesFew reports whether the host is likely to merge what shares of a step make, so many rows.
func (b *Backend) mergesFew(p *prediction, rows float64, exchange string) bool {
	known := p.how.Exchange == codegen.ExchangeGroups || p.how.Exchange == codegen.ExchangeTop // else that is not how many it gives
	return known && b.hostMerges(p.how.Merge, rows, exchange)
}

// crossing is how often what shares make of each row is copied to another device.
func (b *Backend) crossing(how *codegen.Shares) float64 {
	n := float64(len(b.members))
	switch how.Exchange {
	case codegen.ExchangeGroups, codegen.ExchangeParts, codegen.ExchangeTop, codegen.ExchangeBuild:
		return n - 1 // all shares may have each, or all devices get each
	}
	return (n - 1) / n
}

// sends reports whether rows are exchanged for a probe of a step, and how many bytes these are with those of
// the table.
func (b *Backend) sends(step *codegen.Step, p *prediction, t *prediction, at int, exchange string) (bytes float64, yes bool) {
	probe := step.Func.Body[at].(*kernel.Probe)
	if p.how.InOrder || t.key < 0 || exchange == exchangeCopy || probe.Rows.In == 0 {
		return 0, false
	}
	x := codegen.ExchangeAt(step.Func, at, t.key, len(b.members))
	if x == nil {
		return 0, false
	}
	bytes = t.table + probe.Rows.In*bytesOf(x.Types())
	return bytes, exchange == exchangeHash || b.worth(saved(t.table, bytes, len(b.members)))
}

// shared is the program with what devices are likely to run of the steps for which here is true, where the
// new steps are to run likewise, and from which each came.
func (b *Backend) shared(prog *codegen.Program, here []bool) (*codegen.Program, []bool, []int) {
	if len(b.members) == 1 {
		return prog, here, nil
	}
	shares := make([]*codegen.Shares, len(prog.Steps))
	for i, p := range b.predict(prog, here, nil, "") {
		shares[i] = p.how
	}
	out, from := prog.WithShares(shares)
	return out, lists.Map(from, func(was int) bool { return here[was] }), from
}

// Uncompiled is that of cuda.Backend, on each device.
func (b *Backend) Uncompiled(ctx context.Context, prog *codegen.Program, here []bool) []*cuda.NotCompiled {
	if len(b.members) == 1 {
		return b.members[0].cuda.Uncompiled(ctx, prog, here)
	}
	why := make([]*cuda.NotCompiled, len(prog.Steps))
	shared, there, from := b.shared(prog, here)
	for _, m := range b.members {
		for i, of := range m.cuda.Uncompiled(ctx, shared, there) {
			why[from[i]] = cmp.Or(why[from[i]], of)
		}
	}
	return why
}
