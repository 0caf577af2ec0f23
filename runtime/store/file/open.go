package file

import (
	"context"
	goruntime "runtime"

	"github.com/cubeloom/cubeloom/planner/algebra"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/store"
	"github.com/cubeloom/cubeloom/runtime/store/arrowfile"
	"github.com/cubeloom/cubeloom/runtime/store/csvfile"
	"github.com/cubeloom/cubeloom/runtime/store/fileaccess"
	"github.com/cubeloom/cubeloom/runtime/store/ordered"
	"github.com/cubeloom/cubeloom/runtime/store/parquetfile"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
	"github.com/cubeloom/cubeloom/sql/value/lists"
)

// Open opens the file that FROM 'pattern' names, or all files that it matches,
// in the order of their names, as one relation. Files of one pattern have the
// same columns; types that were guessed are widened to what holds all of them.
// Folders key=value of all of them are columns, too, as Hive lays them out.
// Files whose names have no ending are CSV.
func Open(ctx context.Context, files fileaccess.Access, pattern string, options []csvfile.Option) (_ store.Source, err error) {
	defer sqlstate.Catch(&err)
	format, rest, err := TakeFormat(pattern, CSV, options)
	sqlstate.Check(err)
	sqlstate.Check(checkUnformatted(format, rest))
	if format == Binary {
		return nil, value.Errorf(value.CodeFeatureNotSupported, "files of format binary, which do not say their types, are for COPY only")
	}
	paths := sqlstate.Must(files.Glob(pattern))
	if len(paths) == 0 {
		paths = []string{pattern} // a name with brackets in it, or an error that says so
	}
	sources := sqlstate.Must(openAll(ctx, files, paths, format, rest))
	unify(paths, sources)
	withPartitions(paths, sources)
	if len(sources) == 1 {
		return sources[0], nil
	}
	return newUnion(sources), nil
}

// openAll opens files at the same time: what they say of themselves takes long to read where they have many
// parts.
func openAll(ctx context.Context, files fileaccess.Access, paths []string, format Format, options []csvfile.Option) (sources []store.Source, err error) {
	next := func() (func() (store.Source, error), error) {
		if len(paths) == 0 {
			return nil, nil
		}
		path := paths[0]
		paths = paths[1:]
		return func() (store.Source, error) { return openOne(ctx, files, path, format, options) }, nil
	}
	err = ordered.Run(goruntime.GOMAXPROCS(0), next, func(s store.Source) error {
		sources = append(sources, s)
		return nil
	})
	return sources, err
}

// openOne opens a file, which its source then owns.
func openOne(ctx context.Context, files fileaccess.Access, path string, format Format, options []csvfile.Option) (_ store.Source, err error) {
	defer sqlstate.Catch(&err)
	f := sqlstate.Must(files.Open(path))
	switch format {
	case Parquet:
		return parquetfile.Open(f, path)
	case Arrow:
		return arrowfile.Open(ctx, f, path)
	}
	if isCompressed(path) {
		f = sqlstate.Must(decompressed(ctx, f, path))
	}
	return csvfile.Open(ctx, f, path, options)
}

// sameType reports whether columns of two types have the same values, but for the modifiers
// of texts and times, and the same chunks.
func sameType(x, y algebra.Type) bool {
	x.Length, y.Length = 0, 0
	x.Padded, y.Padded = false, false
	return x.Plain() == y.Plain()
}

// isWithin reports whether a column takes all values of a field, and chunks of them as
// they are.
func isWithin(field, column algebra.Type) bool {
	switch {
	case field.IsInteger() && column.IsInteger():
		return field.Alias == column.Alias && field.Kind <= column.Kind
	case field.IsFloat() && column.IsFloat():
		return field.Kind == column.Kind || column.Kind == algebra.Float64
	case field.Kind == algebra.Decimal && column.Kind == algebra.Decimal:
		return field.Scale == column.Scale && field.Precision <= column.Precision
	}
	return sameType(field, column)
}

// unify checks that all files have the first one's columns.
func unify(paths []string, sources []store.Source) {
	first := sources[0].Columns()
	types := make([]algebra.Type, len(first))
	for n, s := range sources {
		columns := s.Columns()
		if len(columns) != len(first) {
			panic(value.Errorf(value.CodeDatatypeMismatch, "file %q has %d columns, file %q has %d",
				paths[0], len(first), paths[n], len(columns)))
		}
		_, guessed := s.(*csvfile.File)
		for i, c := range columns {
			if c.Name != first[i].Name {
				panic(value.Errorf(value.CodeDatatypeMismatch, "column %d is %q in file %q and %q in file %q",
					i+1, first[i].Name, paths[0], c.Name, paths[n]))
			}
			switch {
			case n == 0:
				types[i] = c.Type
			case guessed:
				types[i] = wider(types[i], c.Type)
			case !sameType(c.Type, types[i]):
				panic(value.Errorf(value.CodeDatatypeMismatch, "column %q is of type %v in file %q and of type %v in file %q",
					c.Name, types[i], paths[0], c.Type, paths[n]))
			}
		}
	}
	for _, s := range sources {
		if f, ok := s.(*csvfile.File); ok {
			f.SetTypes(types)
		}
	}
}

// wider is the type that holds the values of two guessed types.
func wider(x, y algebra.Type) algebra.Type {
	switch {
	case x == y:
		return x
	case x.IsNumber() && y.IsNumber():
		return algebra.TFloat64
	}
	return algebra.TText
}

// union is several sources one after the other.
type union struct {
	runtime.Relation
	sources []store.Source
}

func newUnion(sources []store.Source) *union {
	parts := lists.Map(sources, func(s store.Source) runtime.ViewPart { return runtime.ViewPart{Rel: s} })
	return &union{runtime.NewView(parts), sources}
}

// Columns implements store.Source.
func (u *union) Columns() []store.Column { return u.sources[0].Columns() }

// Exact implements store.Source.
func (u *union) Exact() bool { return false }

// Stats implements store.Source.
func (u *union) Stats(i int) algebra.Stats {
	var sum algebra.Stats
	for n, s := range u.sources {
		one := s.Stats(i)
		sum.Nulls += one.Nulls
		sum.Dict, sum.Codes = one.Dict, one.Codes // of one dictionary, if any
		switch {
		case n == 0:
			sum.HasBounds, sum.Min, sum.Max = one.HasBounds, one.Min, one.Max
		case !one.HasBounds:
			sum.HasBounds = false
		default:
			sum.Min, sum.Max = min(sum.Min, one.Min), max(sum.Max, one.Max)
		}
	}
	return sum
}

// LoadBytes implements runtime.Decoded.
func (u *union) LoadBytes(i int, ordinals []int) int64 {
	return runtime.LoadBytes(u.Relation, i, ordinals)
}
