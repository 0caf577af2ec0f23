package cuda

import (
	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/sql/value"
)

// bindWords makes the parameter of the kernel's entries, as far as it is the same for
// all launches: what the inputs, constants and dictionaries are.
func (r *run) bindWords() error {
	r.words, r.maps, r.texts, r.fixed = make([]uint64, len(r.module.Args)), nil, nil, nil
	for i, arg := range r.module.Args {
		r.words[i] = r.word(arg)
	}
	if len(r.ranges) == 1 {
		r.at(&r.ranges[0])
	}
	if err := r.bindDictionaries(); err != nil {
		return err
	}
	if err := r.bindMarks(); err != nil {
		return err
	}
	return r.bindTexts()
}

// word is an argument that follows from the inputs and constants alone.
func (r *run) word(arg cudagen.Arg) uint64 {
	switch arg.Kind {
	case cudagen.ArgParam, cudagen.ArgParamHigh, cudagen.ArgParamScale, cudagen.ArgParamNull:
		return r.constantWord(arg)
	case cudagen.ArgRows, cudagen.ArgData, cudagen.ArgBytes, cudagen.ArgValid, cudagen.ArgBase:
		if in := &r.inputs[arg.Input]; in.bound != nil {
			return in.bound.word(arg)
		}
	}
	if arg.Input >= 0 && r.inputs[arg.Input].groups != nil {
		return r.inputs[arg.Input].groups.word(arg)
	}
	if arg.Input >= 0 && r.inputs[arg.Input].table != nil {
		return r.inputs[arg.Input].table.word(arg)
	}
	return 0
}

// word is an argument of a kernel that reads the columns.
func (b *bound) word(arg cudagen.Arg) uint64 {
	if arg.Kind == cudagen.ArgRows {
		return uint64(b.rows)
	}
	switch c := &b.cols[arg.Index]; arg.Kind {
	case cudagen.ArgData:
		return uint64(c.data)
	case cudagen.ArgBytes:
		return uint64(c.bytes)
	case cudagen.ArgValid:
		return uint64(c.valid)
	default:
		return uint64(c.base)
	}
}

// constantWord is an argument that stands for a constant of the kernel; texts are
// brought to the device later.
func (r *run) constantWord(arg cudagen.Arg) uint64 {
	p := &r.f.Params[arg.Index]
	lo, hi := paramWords(r.f.Values[p.Dst].Type, p.Val)
	switch arg.Kind {
	case cudagen.ArgParam:
		return lo
	case cudagen.ArgParamHigh:
		return hi
	case cudagen.ArgParamScale:
		return uint64(p.Val.Num.Scale)
	}
	if p.Val.Kind == value.Null {
		return 1
	}
	return 0
}

// at has the kernel read a range of the rows of its source.
func (r *run) at(rows *rowRange) {
	if r.metrics.BlocksSkipped > 0 || len(r.ranges) > 1 {
		r.move(rows)
	}
}

// move has the kernel read some rows of its source, which lies on the device.
func (r *run) move(rows *rowRange) {
	s := r.f.Source.(*kernel.Scan)
	b := r.inputs[s.Input].bound
	for i, arg := range r.module.Args {
		if arg.Input != s.Input {
			continue
		}
		switch arg.Kind {
		case cudagen.ArgRows:
			r.words[i] = uint64(rows.rows)
		case cudagen.ArgData, cudagen.ArgValid:
			r.words[i] = b.word(arg) + uint64(b.cols[arg.Index].offset(arg.Kind, rows.first))
		}
	}
}

// offset is where the data or the validity of a row lies in those of a column; the number
// of the row is a multiple of chunkRows.
func (c *column) offset(kind cudagen.ArgKind, row int64) int64 {
	switch {
	case kind == cudagen.ArgValid || c.shape.Encoding == cudagen.EncBits:
		return row / 8
	case c.shape.Encoding == cudagen.EncStr:
		return 4 * row
	}
	return int64(c.shape.Encoding.Width()) * row
}
