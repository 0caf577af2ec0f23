package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
)

// bindDictionaries finds the dictionaries of the kernel, evaluates its Maps over
// them, and uploads what the kernel asks of them.
func (r *run) bindDictionaries() error {
	r.dicts = make([]*runtime.Dictionary, r.f.Dicts)
	r.sourceDictionaries()
	for _, in := range r.f.Body {
		if p, ok := in.(*kernel.Probe); ok {
			r.columnDictionaries(p.Input, p.Payload)
		}
	}
	for i, in := range r.module.Maps {
		if err := r.bindMap(i, in); err != nil {
			return err
		}
	}
	if err := r.checkCodes(); err != nil {
		return err
	}
	for _, arg := range r.module.Args {
		if arg.Kind == cudagen.ArgTexts {
			if err := r.bindDictionaryTexts(arg); err != nil {
				return err
			}
			continue
		}
		if arg.Kind != cudagen.ArgRank && arg.Kind != cudagen.ArgUnrank {
			continue
		}
		if err := r.bindOrder(arg); err != nil {
			return err
		}
	}
	return nil
}

// provide says what a dictionary is. Of several snapshots the longest counts.
func (r *run) provide(id kernel.ValueID, dict *runtime.Dictionary) {
	v := &r.f.Values[id]
	if v.Type != kernel.Code || dict == nil {
		return
	}
	if have := r.dicts[v.Dict]; have == nil || len(dict.Texts) > len(have.Texts) {
		r.dicts[v.Dict] = dict
	}
}

// checkCodes fails where a dictionary has codes that the kernel was not made for.
func (r *run) checkCodes() error {
	for i := range r.f.Values {
		v := &r.f.Values[i]
		if v.Type != kernel.Code || !v.Range.Known {
			continue
		}
		if dict := r.dicts[v.Dict]; dict != nil && int64(len(dict.Texts)) > v.Range.Hi+1 {
			return errInternal("kernel %s reads %q of a dictionary with %d entries as codes up to %d", r.f.Name, v.Name, len(dict.Texts), v.Range.Hi)
		}
	}
	return nil
}

// dictionary is that of a value, nil of one that has none.
func (r *run) dictionary(id kernel.ValueID) *runtime.Dictionary {
	if v := &r.f.Values[id]; v.Type == kernel.Code {
		return r.dicts[v.Dict]
	}
	return nil
}

func (r *run) sourceDictionaries() {
	switch s := r.f.Source.(type) {
	case *kernel.Scan:
		r.columnDictionaries(s.Input, s.Cols)
	case *kernel.Unmatched:
		r.columnDictionaries(s.Input, s.Cols)
	}
}

// columnDictionaries provides the dictionaries of columns of a relation or a table.
func (r *run) columnDictionaries(input int, read []kernel.SourceCol) {
	in := &r.inputs[input]
	for _, c := range read {
		switch {
		case in.table != nil:
			r.provide(c.Dst, in.table.cols[c.Ordinal].dict)
		case in.groups != nil:
			r.provide(c.Dst, in.groups.dicts[c.Ordinal])
		default:
			r.provide(c.Dst, in.bound.cols[c.Ordinal].dict)
		}
	}
}

// bindMap evaluates Map number i, whose dictionary is known, and uploads what it
// gives.
func (r *run) bindMap(i int, in *kernel.Map) error {
	dict := r.dicts[r.f.Values[in.Src].Dict]
	params := r.mapParams(in)
	key := cudagen.AppendMapKey(make([]byte, 1, usualMapKey), r.f, in, params) // no name begins with a zero
	e, err := r.backend.entries.get(r, dict, string(key), func(e *cachedEntries) (err error) {
		if e.table, err = r.evaluateMap(in, r.mapKernel(in, params), dict); err != nil {
			return err
		}
		if e.first, err = e.upload(r, e.table.data); err != nil {
			return err
		}
		e.second, err = e.upload(r, e.table.state)
		return err
	})
	if err != nil {
		return err
	}
	r.maps = append(r.maps, e.table)
	r.provide(in.Dst, e.table.dict)
	r.set(cudagen.Arg{Kind: cudagen.ArgMapData, Index: i}, uint64(e.first))
	r.set(cudagen.Arg{Kind: cudagen.ArgMapState, Index: i}, uint64(e.second))
	return nil
}

// usualMapKey is more than most keys of Maps take, in bytes.
const usualMapKey = 512

// bindOrder uploads the ranks of a dictionary's codes, or the codes by rank.
func (r *run) bindOrder(arg cudagen.Arg) error {
	dict := r.dicts[arg.Index]
	e, err := r.backend.entries.get(r, dict, "order", func(e *cachedEntries) (err error) {
		if dict == nil || len(dict.Texts) == 0 { // groups have a cell for a text that is none
			dict = &runtime.Dictionary{Texts: []string{""}}
		}
		rank, first := dict.Order()
		if e.first, err = e.upload(r, asBytes(rank)); err != nil {
			return err
		}
		e.second, err = e.upload(r, asBytes(first))
		return err
	})
	if err != nil {
		return err
	}
	if arg.Kind == cudagen.ArgUnrank {
		r.set(arg, uint64(e.second))
	} else {
		r.set(arg, uint64(e.first))
	}
	return nil
}

// bindDictionaryTexts uploads the texts of a dictionary and the words that refer to
// them.
func (r *run) bindDictionaryTexts(arg cudagen.Arg) error {
	dict := r.dicts[arg.Index]
	e, err := r.backend.entries.get(r, dict, "texts", func(e *cachedEntries) (err error) {
		var c constants
		var words []uint64
		if dict != nil {
			words = make([]uint64, len(dict.Texts))
			for i, text := range dict.Texts {
				if err := c.text(cudagen.Arg{Index: i}, text); err != nil {
					return err
				}
			}
		}
		if err := c.upload(r.queue, e.held, func(arg cudagen.Arg, word uint64) { words[arg.Index] = word }); err != nil {
			return err
		}
		e.first, err = e.upload(r, asBytes(words))
		return err
	})
	if err != nil {
		return err
	}
	r.refersTo(e.held)
	r.set(arg, uint64(e.first))
	return nil
}
