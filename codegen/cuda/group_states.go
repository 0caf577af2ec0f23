package cuda

import (
	"regexp"
	"strings"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// States are parts of double precision: see kernel.Part. Parts that are of a group as a
// whole are added up when the rows are gone over a second time, by when what they depend
// on is known.

// isState reports whether an accumulator has a State.
func isState(op kernel.AccOp) bool {
	row, _ := op.Row()
	return row.State != nil
}

// parts are what a row gives to the parts that are sums.
func (a *GroupedAcc) parts(e *Entry) []string {
	var values []string
	row := a.names(e)
	for _, p := range a.row.Parts {
		if p.Whole == "" {
			values = append(values, row[p.Name])
		}
	}
	return values
}

// names are expressions of the parts of a row, or of a finer group, by their names.
func (a *GroupedAcc) names(e *Entry) map[string]string {
	names := make(map[string]string)
	if a.row.Merges {
		for i, p := range a.row.Parts {
			names[p.Name] = e.At(a.acc.Args[i])
		}
		return names
	}
	args := map[string]string{"x": e.At(a.acc.Args[len(a.acc.Args)-1]), "y": e.At(a.acc.Args[0])}
	for _, p := range a.row.Parts {
		names[p.Name] = "(" + expand(p.Row, args) + ")"
		if p.Whole != "" {
			names[p.Name] = "(0.0)" // what is not finite shows in the sums
		}
	}
	return names
}

// wholes are what a row gives to the parts that are of the group as a whole.
func (a *GroupedAcc) wholes(e *Entry) []string {
	names := a.names(e)
	for _, d := range a.row.Differences {
		mean := names[d.Sum]
		if a.row.Merges {
			mean += " / " + names[d.Count]
		}
		name := e.Temp(d.Name)
		e.Line("const f64 %s = %s - %s[cell[r]] / %s[cell[r]];", name, mean, a.part(e, d.Sum), a.part(e, d.Count))
		names[d.Name] = name
	}
	var values []string
	for _, p := range a.row.Parts {
		if p.Whole != "" {
			values = append(values, expand(p.Whole, names))
		}
	}
	return values
}

// counted is the condition that a row, a finer group, has had rows.
func (a *GroupedAcc) counted(e *Entry) string {
	names := a.names(e)
	var conditions []string
	for _, d := range a.row.Differences {
		conditions = append(conditions, names[d.Count]+" != 0")
	}
	return strings.Join(conditions, " && ")
}

// part is the array of a part.
func (a *GroupedAcc) part(e *Entry, name string) string {
	i := 0
	for a.row.Parts[i].Name != name {
		i++
	}
	return a.Array(e, i)
}

// terms are the names and whole numbers of an expression.
var terms = regexp.MustCompile(`[A-Za-z_]\w*|\b\d+(\.\d+)?\b`)

// expand puts expressions in the place of names, and makes whole numbers of double
// precision.
func expand(text string, names map[string]string) string {
	return terms.ReplaceAllStringFunc(text, func(term string) string {
		value, ok := names[term]
		switch {
		case ok:
			return value
		case term[0] <= '9' && !strings.Contains(term, "."):
			return term + ".0"
		}
		return term
	})
}

// statistic writes OpStatistic.
func (e *computing) statistic(in *kernel.Compute) {
	statistic, op, _ := kernel.FindStatistic(in.Aux.Field)
	row, _ := op.Row()
	names := make(map[string]string)
	for i, p := range row.Parts {
		names[p.Name] = e.At(in.Args[i])
	}
	defined := expand(statistic.Defined, names)
	e.each(in, "%s ? %s : 0.0", defined, expand(statistic.Value, names))
	e.nullWhere(in.Dst, "!("+defined+")")
}
