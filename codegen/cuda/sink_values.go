package cuda

import (
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// sinkValues are the values that a sink reads.
func sinkValues(s kernel.Sink) []kernel.ValueID {
	var ids []kernel.ValueID
	switch s := s.(type) {
	case *kernel.Materialize:
		ids = append(ids, s.Cols...)
	case *kernel.Build:
		for _, k := range s.Keys {
			ids = append(ids, k.Val)
		}
		ids = append(ids, s.Payload...)
	case *kernel.Aggregate:
		ids = append(ids, s.Keys...)
		for _, acc := range s.Accs {
			ids = append(ids, acc.Args...)
			if acc.Filter != kernel.NoValue {
				ids = append(ids, acc.Filter)
			}
		}
	case *kernel.Cubing:
		ids = append(ids, s.Keys...)
		for i := range s.Accs {
			ids = append(ids, s.Accs[i].Args...)
			if s.Accs[i].Filter != kernel.NoValue {
				ids = append(ids, s.Accs[i].Filter)
			}
		}
	case *kernel.Several:
		for i := range s.Branches {
			ids = append(ids, sinkValues(s.Branches[i].Sink)...)
		}
	case *kernel.Sort:
		ids = append(ids, s.Cols...)
		for _, k := range s.Keys {
			ids = append(ids, k.Val)
		}
	case *kernel.Window:
		ids = s.Operands()
		for _, k := range slices.Concat(s.Partition, s.Order) {
			ids = append(ids, k.Val)
		}
	}
	return ids
}
