package hash

import (
	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime/cpu/exec"
	"github.com/cubeloom/cubeloom/runtime/cpu/vector"
)

// codeKeys find keys that are texts of a dictionary by their codes: each text is looked
// up once.
type codeKeys struct {
	codes *vector.Operand
	known []uint32 // by code: what search gives for it plus one; 0: it has not been looked up
	seen  int      // rows
	rows  []int32  // that are looked up
	texts []string
	found []uint32
}

const (
	// fewCodes is up to how many codes what is known of them is kept from the first row
	// on.
	fewCodes = 1 << 14
	// codesPerRow is how many codes more there may be for each row that has come.
	codesPerRow = 8
)

// newCodeKeys reads the codes that are value id.
func newCodeKeys(f *kernel.Func, id kernel.ValueID) *codeKeys {
	return &codeKeys{codes: vector.NewOperand(f, id)}
}

// search sets found, for each active row of b, to what lookUp gives for its text, or to 0
// where that is NULL.
func (c *codeKeys) search(b *vector.Batch, mem *exec.Memory, found []uint32, lookUp textFinder) {
	v := c.codes.Read(b)
	c.reserve(mem, &v)
	c.rows = c.rows[:0]
	c.recall(found, &v)
	for i, n := range found {
		if v.Null != nil && v.Null[i] != 0 {
			found[i] = 0
		} else if n == 0 {
			c.rows = append(c.rows, int32(i))
		} else {
			found[i] = n - 1
		}
	}
	if len(c.rows) == 0 {
		return
	}
	c.learn(&v, found, lookUp)
}

// A textFinder gives for each text the number of its key plus one, or 0.
type textFinder func(texts *vector.View, found []uint32)

// reserve makes room for what is known of all codes, once as many rows have come as make
// that pay.
func (c *codeKeys) reserve(mem *exec.Memory, v *vector.View) {
	c.seen += v.N
	if v.Dict == nil {
		return
	}
	if n := len(v.Dict.Texts); n > len(c.known) && n <= fewCodes+codesPerRow*c.seen {
		c.known = exec.Grown(mem, c.known, n)
	}
}

// recall sets found to what is known of the codes of a view.
func (c *codeKeys) recall(found []uint32, v *vector.View) {
	switch v.Form {
	case vector.FormU8:
		recallCodes(found, c.known, v.U8, v.Base)
	case vector.FormU16:
		recallCodes(found, c.known, v.U16, v.Base)
	case vector.FormU32:
		recallCodes(found, c.known, v.U32, v.Base)
	default:
		n := uint32(0)
		if v.Base < int64(len(c.known)) {
			n = c.known[v.Base]
		}
		vector.Fill(found, n)
	}
}

func recallCodes[S vector.GroupInt](found, known []uint32, codes []S, base int64) {
	codes = codes[:len(found)]
	for i, x := range codes {
		n := uint32(0)
		if code := uint64(int64(x) + base); code < uint64(len(known)) {
			n = known[code]
		}
		found[i] = n
	}
}

// learn looks up the texts of c's rows.
func (c *codeKeys) learn(v *vector.View, found []uint32, lookUp textFinder) {
	c.texts = c.texts[:0]
	for _, i := range c.rows {
		c.texts = append(c.texts, v.Dict.Texts[v.IntAt(int(i))])
	}
	texts, numbers := vector.TextsView(c.texts), vector.Room(&c.found, len(c.rows))
	lookUp(&texts, numbers)
	for k, i := range c.rows {
		found[i] = numbers[k]
		if code := v.IntAt(int(i)); code < int64(len(c.known)) {
			c.known[code] = numbers[k] + 1
		}
	}
}
