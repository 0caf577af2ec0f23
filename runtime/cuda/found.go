package cuda

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/machine"
)

// foundOf is what has been found for a kernel, which is rendered as a module: by its searches, or before
// the last start.
func (b *Backend) foundOf(f *kernel.Func, m *module) []string {
	if agg, ok := f.Sink.(*kernel.Aggregate); !ok || len(agg.Keys) == 0 {
		return nil
	}
	b.modules.tuning.Lock()
	defer b.modules.tuning.Unlock()
	info, key := b.device.Info(), groupBits(f)
	name, way := kernelName(m.rendered.Source, key), m
	found := keptLaunch(&info, name+variantKernel)
	if s := m.variants[key]; s != nil {
		found = s.found()
		best, _ := s.Best()
		way = s.rendered[best].module
		name = kernelName(way.rendered.Source, key)
	}
	parameters := keptLaunch(&info, name)
	if s := way.searches[key]; s != nil {
		parameters = s.found()
	}
	var texts []string
	for _, l := range []*machine.Launch{found, parameters} {
		if l != nil && l.Blocks > 0 {
			texts = append(texts, l.String())
		}
	}
	return texts
}
