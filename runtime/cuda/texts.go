package cuda

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	cudagen "github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/sql/value"
)

// textsOf appends what the texts of columns lie in.
func textsOf(texts []*buffers, cols []column) []*buffers {
	for i := range cols {
		switch c := &cols[i]; {
		case c.held == nil || c.shape.Type != kernel.Str:
		case c.shape.Encoding == cudagen.EncStr:
			texts = append(texts, c.held)
		default:
			texts = append(texts, c.held.texts...)
		}
	}
	return texts
}

// refersTo notes that values of the kernel may refer to texts of constants, or of a dictionary.
func (r *run) refersTo(texts *buffers) {
	r.texts, r.fixed = append(r.texts, texts), append(r.fixed, texts)
}

// bindTexts finds out what the values of the kernel may refer to, and copies its
// constants and patterns to the device.
func (r *run) bindTexts() error {
	for i := range r.inputs {
		switch in := &r.inputs[i]; {
		case in.table != nil:
			r.texts = append(textsOf(r.texts, in.table.cols), in.table.held.texts...)
		case in.groups != nil:
			r.texts = append(r.texts, in.groups.held.texts...)
		default:
			r.texts = textsOf(r.texts, in.bound.cols)
		}
	}
	c := constants{}
	for i := range r.f.Params {
		if p := &r.f.Params[i]; r.f.Values[p.Dst].Type == kernel.Str {
			if err := c.text(cudagen.Arg{Kind: cudagen.ArgParam, Index: i}, p.Val.S); err != nil {
				return err
			}
		}
	}
	for i, in := range r.module.Likes {
		if err := c.like(r, i, in); err != nil {
			return err
		}
	}
	if len(c.args) == 0 {
		return nil
	}
	kept, key := r.backend.constants, dictionaryKey{what: fmt.Sprintf("%d %s", c.longest, c.bytes)}
	if len(c.bytes) > maxConstants || !kept.asked(key) {
		held := r.backend.mem.newBuffers()
		r.borrowed = append(r.borrowed, held)
		r.refersTo(held)
		return c.upload(r.queue, held, r.set)
	}
	e, err := kept.get(r, nil, key.what, func(e *cachedEntries) (err error) {
		e.first, err = c.copy(r.queue, e.held)
		return err
	})
	if err == nil {
		r.refersTo(e.held)
		c.set(e.first, r.set)
	}
	return err
}

// maxConstants is up to how many bytes the constants of a kernel that have been asked for before stay on the
// device for the next run.
const maxConstants = 4 << 10

// constants are texts and patterns on their way to the device, at multiples of
// four bytes.
type constants struct {
	bytes   []byte
	args    []constant
	longest int // text
}

// constant is what an argument refers to: bytes of the constants, or for a pattern
// the address of those.
type constant struct {
	arg     cudagen.Arg
	at      int
	size    int
	pattern bool
}

// text adds a text.
func (c *constants) text(arg cudagen.Arg, text string) error {
	if err := checkLength(len(text)); err != nil {
		return err
	}
	c.longest = max(c.longest, len(text))
	c.args = append(c.args, constant{arg: arg, at: len(c.bytes), size: len(text)})
	c.bytes = append(c.bytes, text...)
	c.pad()
	return nil
}

func (c *constants) pad() {
	for len(c.bytes)%4 != 0 {
		c.bytes = append(c.bytes, 0)
	}
}

// like adds the pattern of a LIKE. The error of a pattern that is none is left to
// the CPU, which raises it only where a row is matched.
func (c *constants) like(r *run, number int, in *kernel.Compute) error {
	pattern, err := value.NewLike(nil, r.constantText(in.Args[1]), r.constantText(in.Args[2]), in.Op == kernel.OpILike)
	if err != nil || !pattern.Finished() {
		return &cudagen.Refusal{Reason: "there is no device code for a pattern of LIKE that is not valid"}
	}
	c.args = append(c.args, constant{arg: cudagen.Arg{Kind: cudagen.ArgLike, Index: number}, at: len(c.bytes), pattern: true})
	open, head, tail, middle := pattern.Segments()
	segments := append([][]value.LikePart{head, tail}, middle...)
	isOpen := uint32(0)
	if open {
		isOpen = 1
	}
	c.words(isOpen, uint32(len(segments)))
	if in.Op == kernel.OpILike {
		c.searched(nil)
	} else {
		c.searched(segments)
	}
	for _, parts := range segments {
		c.segment(parts)
	}
	return nil
}

// searched adds the words that texts must have: for each of the two longest parts of at least seven bytes
// the first four, of which one lies at a multiple of four bytes wherever the part lies.
func (c *constants) searched(segments [][]value.LikePart) {
	const least, each = 7, 4
	var parts []string
	for _, p := range slices.Concat(segments...) {
		if len(p.Text) >= least {
			parts = append(parts, p.Text)
		}
	}
	slices.SortStableFunc(parts, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	c.words(uint32(min(len(parts), 2)))
	for i := range 2 {
		for at := range each {
			word := uint32(0)
			if len(parts) > 0 {
				word = binary.LittleEndian.Uint32([]byte(parts[min(i, len(parts)-1)][at:]))
			}
			c.words(word)
		}
	}
}

// segment adds a segment of a pattern in the form of like.cuh.
func (c *constants) segment(parts []value.LikePart) {
	at, chars := len(c.bytes), 0
	c.words(0, 0, uint32(len(parts)))
	for _, p := range parts {
		c.words(uint32(p.Any), uint32(len(p.Text)))
		c.bytes = append(c.bytes, p.Text...)
		c.pad()
		chars += p.Any + utf8.RuneCountInString(p.Text)
	}
	binary.LittleEndian.PutUint32(c.bytes[at:], uint32(len(c.bytes)-at)/4)
	binary.LittleEndian.PutUint32(c.bytes[at+4:], uint32(chars))
}

func (c *constants) words(words ...uint32) {
	for _, w := range words {
		c.bytes = binary.LittleEndian.AppendUint32(c.bytes, w)
	}
}

// upload copies the constants to the device and sets the word of each argument.
func (c *constants) upload(q *queue, held *buffers, set func(arg cudagen.Arg, word uint64)) error {
	p, err := c.copy(q, held)
	if err == nil {
		c.set(p, set)
	}
	return err
}

// copy copies the constants to the device and returns where they lie.
func (c *constants) copy(q *queue, held *buffers) (Ptr, error) {
	if len(c.bytes) == 0 {
		return 0, nil
	}
	p, err := held.alloc(q, int64(len(c.bytes)))
	if err != nil {
		return 0, err
	}
	if err := checkAddress(p, int64(len(c.bytes))); err != nil {
		return 0, err
	}
	held.length = c.longest
	return p, q.upload(p, c.bytes)
}

// set sets the word of each argument, with the constants at p.
func (c *constants) set(p Ptr, set func(arg cudagen.Arg, word uint64)) {
	for _, a := range c.args {
		word := uint64(p) + uint64(a.at)
		switch {
		case len(c.bytes) == 0:
			word = 0
		case !a.pattern:
			word = cudagen.TextWord(word, a.size)
		}
		set(a.arg, word)
	}
}

// constantText is the text of a constant.
func (r *run) constantText(id kernel.ValueID) string {
	for i := range r.f.Params {
		if r.f.Params[i].Dst == id {
			return r.f.Params[i].Val.S
		}
	}
	return ""
}

// composeTexts has a composed column of texts keep what those of its segments lie in,
// and copies the constant ones to the device.
func (r *run) composeTexts(segments []segment, held *buffers) error {
	var c constants
	for i := range segments {
		p := &segments[i]
		switch {
		case p.typ != kernel.Str:
			return nil
		case p.col != nil:
			held.keep(textsOf(nil, []column{*p.col}))
		default:
			if err := c.text(cudagen.Arg{Index: i}, p.val.S); err != nil {
				return err
			}
		}
	}
	if len(c.args) == 0 {
		return nil
	}
	buffers := r.backend.mem.newBuffers()
	held.texts = append(held.texts, buffers)
	return c.upload(r.queue, buffers, func(arg cudagen.Arg, word uint64) { segments[arg.Index].text = word })
}

// endTexts finds where each text is to end, those of rows that are NULL being empty.
func (d *download) endTexts() {
	d.ends = make([]uint64, d.rows)
	end := uint64(0)
	for i, word := range words[uint64](d.raw) {
		if d.valid == nil || d.valid[i>>3]>>(i&7)&1 != 0 {
			end += uint64(cudagen.TextSize(word))
		}
		d.ends[i] = end
	}
}

// copyTexts has the device copy the texts together.
func (d *download) copyTexts(q *queue, held *buffers) (Ptr, error) {
	if len(d.text) == 0 {
		return 0, nil
	}
	ends, err := held.alloc(q, 8*int64(d.rows))
	if err != nil {
		return 0, err
	}
	to, err := held.alloc(q, int64(len(d.text)))
	if err != nil {
		return 0, err
	}
	if err := q.upload(ends, asBytes(d.ends)); err != nil {
		return 0, err
	}
	return to, held.mem.copyTexts(q, cudagen.CopyTextsParams{
		Texts: uint64(d.col.data), Ends: uint64(ends), To: uint64(to), Rows: uint64(d.rows),
	})
}

// askEach adds a copy for each text: what is left where the device has no room to put
// them together.
func (d *download) askEach(copies []Copy) []Copy {
	d.apart = true
	start := uint64(0)
	for i, word := range words[uint64](d.raw) {
		if end := d.ends[i]; end > start {
			copies = append(copies, Copy{Dst: d.text[start:end], Src: Ptr(cudagen.TextAddress(word))})
			start = end
		}
	}
	return copies
}

// readEach makes the texts of the bytes that have come by askEach.
func (d *download) readEach() {
	start := uint64(0)
	for i, word := range words[uint64](d.raw) {
		if end := d.ends[i]; end > start {
			cudagen.ReadText(word, d.text[start:end])
			start = end
		}
	}
}

// texts returns the texts, which are there, block by block.
func (d *download) texts(ctx context.Context) ([]*runtime.Chunk, error) {
	if d.apart {
		d.readEach()
	}
	var chunks []*runtime.Chunk
	start := uint64(0)
	for lo := 0; lo < d.rows; lo += runtime.BlockRows {
		if err := canceled(ctx); err != nil {
			return nil, err
		}
		n := min(runtime.BlockRows, d.rows-lo)
		c := &runtime.Chunk{Type: kernel.Str, Enc: runtime.EncStr, Rows: n, Offsets: make([]uint32, n+1)}
		for i, end := range d.ends[lo : lo+n] {
			c.Offsets[i+1] = uint32(end - start)
		}
		end := d.ends[lo+n-1]
		if end-start > math.MaxUint32 {
			return nil, value.Errorf(value.CodeProgramLimit, "%d texts have %d bytes, more than a block can hold", n, end-start)
		}
		c.Bytes, start = d.text[start:end:end], end
		if d.valid != nil {
			valid := d.valid[lo/8 : (lo+n+7)/8]
			if c.Nulls = runtime.ClearBits(valid, 0, n); c.Nulls > 0 {
				c.Valid = valid
			}
		}
		if c.Nulls == n {
			c.Enc = runtime.EncConst
		}
		chunks = append(chunks, c)
	}
	return chunks, nil
}
