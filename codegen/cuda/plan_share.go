package cuda

import (
	"strings"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/codegen/launch/expr"
)

// countMatches has the matches of the tiles counted before each launch of an entry whose
// blocks take shares of them.
func (p *Planner) countMatches() {
	counter := -1
	for i := range p.made.Entries {
		if strings.HasSuffix(p.made.Entries[i].Name, countsMatches) {
			counter = i
		}
	}
	if counter < 0 {
		return
	}
	words := expr.Times(launch.Int(8), expr.Plus(launch.Tiles{Rows: p.made.Entries[counter].TileRows}, launch.Int(2)))
	b := p.buffer("matches", 2)
	p.beforeLaunches(func(l *launch.Launch) []launch.Stmt {
		return p.counted(l, b)
	})
	p.list = append([]launch.Stmt{&launch.Alloc{Buffer: b, Sizes: []launch.Expr{words, words}, Fill: launch.Anything}}, p.list...)
}

// counted has the matches of a launch's rows counted, where its entry needs that. All
// blocks that the device runs at one time take shares, however few tiles there are.
func (p *Planner) counted(l *launch.Launch, buffer int) []launch.Stmt {
	counter := p.entryNumber(p.made.Entries[l.Entry].Name + countsMatches)
	if counter < 0 {
		return nil
	}
	chunks := launch.Ref{Buffer: buffer, Part: 1}
	blocks := p.Variable("shares_counted", launch.Natural)
	count := &launch.Launch{Entry: counter, Over: l.Over, Blocks: blocks}
	for _, word := range p.made.Entries[counter].Takes {
		if fill, ok := p.fills[p.args[word]]; ok {
			fill.Word = word
			count.Args = append(count.Args, fill)
		}
	}
	for at, fills := range map[*launch.Launch]map[ArgKind]launch.Arg{
		count: {ArgMatchStarts: {Ref: launch.Ref{Buffer: buffer}, Access: launch.Out}, ArgMatchChunks: {Ref: chunks, Access: launch.InOut}},
		l:     {ArgMatchStarts: {Ref: launch.Ref{Buffer: buffer}}, ArgMatchChunks: {Ref: chunks}, ArgMatchBlocks: {X: launch.VarRef(blocks)}},
	} {
		p.fill(at, fills)
	}
	l.Full = true
	return []launch.Stmt{&launch.Clear{At: chunks, Bytes: launch.Int(8)}, count}
}

// fill fills arguments of a launch that its entry takes, and reports whether there are any.
func (p *Planner) fill(l *launch.Launch, fills map[ArgKind]launch.Arg) bool {
	takes := false
	for _, word := range p.made.Entries[l.Entry].Takes {
		if fill, ok := fills[p.args[word].Kind]; ok {
			fill.Word = word
			l.Args = append(l.Args, fill)
			takes = true
		}
	}
	return takes
}

// beforeLaunches puts what before returns before each launch of the plan.
func (p *Planner) beforeLaunches(before func(l *launch.Launch) []launch.Stmt) {
	p.list = eachLaunch(p.list, before)
}

func eachLaunch(list []launch.Stmt, before func(l *launch.Launch) []launch.Stmt) []launch.Stmt {
	var out []launch.Stmt
	for _, s := range list {
		switch s := s.(type) {
		case *launch.Loop:
			s.Body = eachLaunch(s.Body, before)
		case *launch.Chunks:
			s.Body = eachLaunch(s.Body, before)
		case *launch.If:
			s.Then, s.Else = eachLaunch(s.Then, before), eachLaunch(s.Else, before)
		case *launch.Launch:
			out = append(out, before(s)...)
		}
		out = append(out, s)
	}
	return out
}
