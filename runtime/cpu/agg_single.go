package cpu

import "github.com/cubeloom/cubeloom/runtime"

// singleStrategy aggregates all rows into one group: there are no keys.
type singleStrategy struct{}

// Name implements aggStrategy.
func (singleStrategy) Name() string { return "single" }

func (singleStrategy) refuses(a *grouping) string {
	if len(a.keys) > 0 {
		return "there are keys"
	}
	return ""
}

func (singleStrategy) part(a *grouping) (aggPart, error) { return a.newGroups(1) }

func (singleStrategy) finish(a *grouping, list []aggPart) ([]runtime.Block, string, error) {
	parts, err := finalized(list)
	if err != nil {
		return nil, "", err
	}
	all, one := parts[0], []uint32{0}
	for _, part := range parts[1:] {
		if err := all.combine(part); err != nil {
			return nil, "", err
		}
		if err := all.merge(part, one, one); err != nil {
			return nil, "", err
		}
	}
	block, err := a.block(all, one, nil)
	return []runtime.Block{block}, "", err
}
