package cubing

import (
	"slices"
	"sync"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu/aggregate/group"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/keytable"
	"github.com/cubeloom/cubeloom/sql/sqlstate"
)

// plan is what is known before the first rows.
type plan struct {
	run   *exec.Run
	in    *kernel.Cubing
	types []kernel.Type // of the results
	// accs accumulates what is not a number of rows, which is known of each partition.
	accs   *group.Grouping
	counts []int            // by accumulator of the kernel: its column among those of accs, or -1 for the number of rows
	ids    []kernel.ValueID // what is kept of each row: the operands of accs, and then the keys
	keys   int              // where the keys begin
	keeps  []keeping        // by operand

	code   sync.Once
	coders []coder // by key
	err    error   // of making them
}

// keeping is what is kept of an operand.
type keeping uint8

const (
	nothing keeping = iota // it is a key alone
	nulls                  // which rows are NULL
	values
)

func newPlan(r *exec.Run, in *kernel.Cubing) *plan {
	p := &plan{run: r, in: in, types: exec.ValueTypes(r.Kernel, in.Keys)}
	kept := &kernel.Aggregate{Keys: in.Keys, Strategy: kernel.Hash}
	cols := 0
	for i := range in.Accs {
		acc := &in.Accs[i]
		p.types = append(p.types, exec.ValueTypes(r.Kernel, acc.Dst)...)
		if acc.CountsRows() {
			p.counts = append(p.counts, -1)
			continue
		}
		p.counts = append(p.counts, cols)
		cols += len(acc.Dst)
		kept.Accs = append(kept.Accs, *acc)
	}
	p.accs = group.Plan(r, kept)
	p.ids = slices.Clone(p.accs.IDs)
	p.keys = len(p.ids)
	p.keeps = make([]keeping, p.keys)
	for _, s := range p.accs.Specs {
		if s.Filter >= 0 {
			p.keeps[s.Filter] = values
		}
		for _, op := range s.Args {
			if s.Op != kernel.AccCount || s.Dist {
				p.keeps[op] = values
			}
			p.keeps[op] = max(p.keeps[op], nulls)
		}
	}
	p.ids = append(p.ids, in.Keys...)
	return p
}

// operand is the operand of a value that an accumulator takes.
func (p *plan) operand(id kernel.ValueID) int { return slices.Index(p.ids[:p.keys], id) }

// coder says how the values of a key become codes: by their place in a range, or by
// numbers that a table gives them.
type coder struct {
	dense  *group.DenseKeys
	layout *keytable.Layout
}

// maxPlaces is how many codes a key has at most where they are places in a range: each
// worker has arrays over them.
const maxPlaces = 1 << 20

// makeCoders finds how keys are coded. It is called when the first rows have come, since
// dictionaries of computed codes are complete only then.
func (p *plan) makeCoders() {
	p.code.Do(func() {
		defer sqlstate.Catch(&p.err)
		p.coders = make([]coder, len(p.in.Keys))
		for i, id := range p.in.Keys {
			c := &p.coders[i]
			c.dense = group.NewDenseKeys(p.run, []kernel.ValueID{id})
			if c.dense == nil || c.dense.Cells > maxPlaces {
				c.dense = nil
				c.layout = keytable.NewLayout([]kernel.Value{p.run.Kernel.Values[id]}, []bool{true})
			}
		}
	})
	sqlstate.Check(p.err)
}

// absent is the column of a key that a set does not have.
func absent(t kernel.Type, rows int) *runtime.Chunk {
	return &runtime.Chunk{Type: t, Enc: runtime.EncConst, Rows: rows, Valid: make([]byte, (rows+7)/8), Nulls: rows}
}
