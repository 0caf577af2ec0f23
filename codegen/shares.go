package codegen

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Shares is how a kernel is done by several devices, each of which has a share of the rows of
// its source.
type Shares struct {
	// Local runs on each share, over the inputs of the kernel but for the other rows.
	Local *kernel.Func
	// Merge makes the kernel's result. Its only input are the relations that Local has made,
	// one after the other in the order of the shares. Nil: they are the result.
	Merge *kernel.Func
	// InOrder says that the shares are consecutive rows of the source, in its order.
	InOrder bool
	// By is the column of what Local makes, an integer, by whose hash devices may exchange it, so that each
	// merges a part. Below 0: there is none.
	By int
	// Parts is how many devices merge a part each: see Parted. 0: Merge runs over all that was made.
	Parts int
	// Divide has a device divide what Local has made there: its results are the rows for each. Nil: those of
	// Local are, or Parts is 0.
	Divide *kernel.Func
	// Exchange says how the rows that Merge reads come together.
	Exchange string
}

// How the rows of shares come together.
const (
	ExchangeNone   = "rows stay where they are"
	ExchangeApart  = "groups stay where they are: no two devices have rows of one"
	ExchangeGroups = "groups are merged by their accumulators on one device"
	ExchangeParts  = "groups are exchanged by the hash of a key, and every device merges a part of them"
	ExchangeHost   = "few rows are merged on the host"
	ExchangeOnHost = "its few rows are on the host, which runs it"
	ExchangeTop    = "the first rows of each share are ordered again on one device"
	ExchangeCells  = "groups are written as columns"
	ExchangeRows   = "rows are gathered on one device"
	ExchangeByKey  = "rows are exchanged by the hash of a key, and every device groups those of a part of the keys"
	ExchangeBuild  = "rows are gathered on every device, which makes the table of all of them"
	ExchangeLater  = "rows stay where they are until others are looked up in their table"
	ExchangeHash   = "rows and those of the table are exchanged by the hash of a key"
)

// ShareOut finds how a kernel is done by several devices. Apart are columns of its source of which no two devices
// have the same value. The reason says why it is not, where shares is nil.
func ShareOut(f *kernel.Func, apart []int) (shares *Shares, reason string) {
	if _, ok := f.Source.(*kernel.Scan); !ok {
		return nil, "its source is what probes have marked"
	}
	if marks(f.Body) {
		return nil, "its probes mark rows of a table"
	}
	if isApart(f, apart) {
		return &Shares{Local: f, InOrder: keepsOrder(f.Sink), By: -1, Exchange: ExchangeApart}, ""
	}
	switch s := f.Sink.(type) {
	case *kernel.Materialize:
		return shareMaterialize(f, s), ""
	case *kernel.Aggregate:
		return shareAggregate(f, s), ""
	case *kernel.Sort:
		return shareSort(f, s), ""
	case *kernel.Build:
		return ShareBuild(f, s), ""
	case *kernel.Window:
		cols := s.Operands()
		for _, k := range append(slices.Clone(s.Partition), s.Order...) {
			cols = append(cols, k.Val)
		}
		return gathered(f, cols, ExchangeRows), ""
	}
	return nil, "its sink has several results"
}

// ShareBuild has the rows of a build written where they are, and every device make the table of them.
func ShareBuild(f *kernel.Func, s *kernel.Build) *Shares {
	return gathered(f, append(keyValues(s.Keys), s.Payload...), ExchangeBuild)
}

// marks reports whether a probe marks rows of its table.
func marks(body kernel.Block) bool {
	return slices.ContainsFunc(body, func(in kernel.Instr) bool {
		p, ok := in.(*kernel.Probe)
		return ok && p.Mark
	})
}

// shareMaterialize has each share write its rows, and those that a limit lets through again.
func shareMaterialize(f *kernel.Func, s *kernel.Materialize) *Shares {
	shares := &Shares{Local: f, InOrder: s.Ordered, By: -1, Exchange: ExchangeNone}
	if s.Limit < 0 && s.Offset == 0 {
		return shares
	}
	shares.Exchange = ExchangeRows
	return limited(f, shares, s.Cols, s.Limit, s.Offset, func(limit int64) kernel.Sink {
		return &kernel.Materialize{Cols: stored(f, s.Cols), Limit: limit, Ordered: s.Ordered}
	})
}

// shareSort has each share order its rows where a limit lets few of them through.
func shareSort(f *kernel.Func, s *kernel.Sort) *Shares {
	cols := slices.Clone(s.Cols)
	for _, k := range s.Keys {
		cols = append(cols, k.Val)
	}
	if s.Limit < 0 {
		return gathered(f, cols, ExchangeRows)
	}
	return limited(f, &Shares{By: -1, Exchange: ExchangeTop}, cols, s.Limit, s.Offset, func(limit int64) kernel.Sink {
		return &kernel.Sort{Keys: s.Keys, Cols: stored(f, cols), Limit: limit, Top: s.Top}
	})
}

// limited has each share keep the rows that the limit and the offset may let through of it.
func limited(f *kernel.Func, shares *Shares, cols []kernel.ValueID, limit, offset int64, sink func(limit int64) kernel.Sink) *Shares {
	if limit >= 0 {
		limit += offset
	}
	shares.Local, shares.Merge = withSink(f, sink(limit)), gathering(f, cols)
	return shares
}

// shareAggregate has each share make its groups, unless accumulators need all rows of a group.
func shareAggregate(f *kernel.Func, s *kernel.Aggregate) *Shares {
	if slices.ContainsFunc(s.Accs, needsAllRows) {
		return ShareRows(f, s)
	}
	by := slices.Index(s.Keys, partedBy(f))
	return &Shares{Local: writesColumns(f), Merge: mergedGroups(f, s), InOrder: keepsOrder(s), By: by, Exchange: ExchangeGroups}
}

// ShareRows has each share write the rows that an aggregation reads.
func ShareRows(f *kernel.Func, s *kernel.Aggregate) *Shares {
	rows := slices.Clone(s.Keys)
	for i := range s.Accs {
		if rows = append(rows, s.Accs[i].Args...); s.Accs[i].Filter != kernel.NoValue {
			rows = append(rows, s.Accs[i].Filter)
		}
	}
	shares := gathered(f, rows, ExchangeRows)
	shares.InOrder = keepsOrder(s)
	shares.Local.Sink.(*kernel.Materialize).Ordered = shares.InOrder
	return shares
}

// mergedGroups is the kernel that merges the groups of shares. Those of runs of rows are in
// the order of the runs; the last of one share may be the first of the next.
func mergedGroups(f *kernel.Func, s *kernel.Aggregate) *kernel.Func {
	split := splitter{f: f, agg: s, accs: s.Accs}
	merge := split.coarser()
	merge.Inputs[0].Name, merge.Name = f.Name+"_shares", f.Name+"_merge"
	merge.Sink.(*kernel.Aggregate).By = s.By
	return merge
}

// gathered has each share write columns, and the kernel's sink read them.
func gathered(f *kernel.Func, cols []kernel.ValueID, exchange string) *Shares {
	columns := stored(f, cols)
	local := cloned(withSink(f, &kernel.Materialize{Cols: columns, Limit: -1}))
	local.Name = f.Name + "_share"
	clean(local) // the values that the sink makes are left out
	return &Shares{Local: local, Merge: gathering(f, cols), By: slices.Index(columns, partedBy(f)), Exchange: exchange}
}

// gathering is a kernel with the sink of f over what shares have written: columns of values.
func gathering(f *kernel.Func, cols []kernel.ValueID) *kernel.Func {
	merge := withSink(f, ownSink(f.Sink))
	merge.Name = f.Name + "_merge"
	merge.Inputs = []kernel.Input{{Kind: kernel.RelationInput, Name: f.Name + "_shares"}}
	scan := &kernel.Scan{}
	for _, id := range stored(f, cols) {
		scan.Cols = append(scan.Cols, kernel.SourceCol{Ordinal: len(scan.Cols), Dst: id})
	}
	merge.Source, merge.Body, merge.Params = scan, nil, nil
	for _, p := range f.Params {
		if slices.Contains(cols, p.Dst) {
			merge.Params = append(merge.Params, p)
		}
	}
	renumber(merge)
	return merge
}

// stored are the columns that shares write of values: each once, and none of constants, which
// every kernel has.
func stored(f *kernel.Func, values []kernel.ValueID) []kernel.ValueID {
	var ids []kernel.ValueID
	for _, id := range values {
		constant := slices.ContainsFunc(f.Params, func(p kernel.Param) bool { return p.Dst == id })
		if id != kernel.NoValue && !constant && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// keyValues are the values of keys.
func keyValues(keys []kernel.Key) []kernel.ValueID {
	return lists.Map(keys, func(k kernel.Key) kernel.ValueID { return k.Val })
}
