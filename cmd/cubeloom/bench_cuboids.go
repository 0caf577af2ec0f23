package main

import (
	"fmt"
	"slices"
)

// cuboids sets cubes beside their finest cuboids, as far as both were measured.
func (b *benchmark) cuboids() []cuboidTime {
	var out []cuboidTime
	for _, cube := range b.Queries {
		at := slices.IndexFunc(b.Queries, func(q benchQuery) bool { return q.Name == "finest of "+cube.Name })
		if at < 0 {
			continue
		}
		finest := b.Queries[at]
		t := cuboidTime{Cube: cube.Name, Query: cube.Woven, Finest: finest.Woven}
		if cube.Device != nil && finest.Device != nil {
			t.Kernels, t.FinestKernels = cube.Device.Kernels, finest.Device.Kernels
		}
		out = append(out, t)
	}
	return out
}

// text is the line of a cube.
func (t *cuboidTime) text() string {
	s := fmt.Sprintf("%s: query %.2f ms, %.2f times the %.2f ms of its finest cuboid alone", t.Cube, t.Query, t.Query/t.Finest, t.Finest)
	if t.FinestKernels > 0 {
		s += fmt.Sprintf("; kernels %.3f ms, %.2f times its %.3f ms", t.Kernels, t.Kernels/t.FinestKernels, t.FinestKernels)
	}
	return s
}
