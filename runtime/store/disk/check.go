package disk

import (
	"context"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/fault"
	"github.com/cubeloom/cubeloom/runtime/store"
)

// Check verifies the data of all tables and calls report with each problem: wrong
// checksums, values that no column can hold, statistics that the values do not keep
// to, and NULLs where there must be none. It fails when ctx ends.
func (s *Snapshot) Check(ctx context.Context, report func(problem error)) error {
	for _, o := range s.State.Objects() {
		t, ok := o.(*store.Table)
		if !ok {
			continue
		}
		for n := range t.Blocks() {
			for c := range t.Columns() {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := checkColumn(t, n, c); err != nil {
					report(fmt.Errorf("table %q: %w", t.Name(), err))
				}
			}
		}
	}
	return nil
}

// checkColumn checks a column of a block.
func checkColumn(t *store.Table, block, column int) (err error) {
	defer fault.Guard()(&err)
	b, err := t.Load(block, []int{column})
	if err != nil {
		return err
	}
	c := b.Cols[column]
	if err := checkChunk(c); err != nil {
		return fmt.Errorf("column %q of block %d: %w", t.Columns()[column].Name, block, err)
	}
	if c.Nulls > 0 && t.Columns()[column].NotNull {
		return fmt.Errorf("column %q of block %d has NULLs, which it must not", t.Columns()[column].Name, block)
	}
	return nil
}

// checkChunk checks what is kept about the values of a chunk against the values.
func checkChunk(c *runtime.Chunk) error {
	nulls := 0
	for i := range c.Rows {
		if !c.IsValid(i) {
			nulls++
		}
	}
	if nulls != c.Nulls {
		return fmt.Errorf("%d NULLs instead of %d", nulls, c.Nulls)
	}
	switch c.Enc {
	case runtime.EncStr:
		return checkTexts(c)
	case runtime.EncI128, runtime.EncF64, runtime.EncBits, runtime.EncNum, runtime.EncIntervals:
		return nil
	}
	return checkIntegers(c)
}

// checkTexts checks that texts lie within their bytes and are UTF-8.
func checkTexts(c *runtime.Chunk) error {
	for i := range c.Rows {
		from, to := c.Offsets[i], c.Offsets[i+1]
		if from > to || int64(to) > int64(len(c.Bytes)) {
			return fmt.Errorf("the text of row %d lies at %d to %d of %d bytes", i, from, to, len(c.Bytes))
		}
		if c.IsValid(i) && !utf8.Valid(c.Bytes[from:to]) {
			return fmt.Errorf("the text of row %d is no UTF-8", i)
		}
	}
	return nil
}

// checkIntegers checks bounds and order, and that codes have texts.
func checkIntegers(c *runtime.Chunk) error {
	var last int64
	first := true
	for i := range c.Rows {
		if !c.IsValid(i) {
			continue
		}
		v := c.Int(i)
		if c.HasRange && (v < c.Min || v > c.Max) {
			return fmt.Errorf("row %d has %d, which is not in %d to %d", i, v, c.Min, c.Max)
		}
		if c.Type == kernel.Code && (c.Dict == nil || v < 0 || v >= int64(len(c.Dict.Texts))) {
			return fmt.Errorf("row %d has code %d, which there is not", i, v)
		}
		if !first && (c.Order == runtime.Strict && v <= last || c.Order == runtime.Ascending && v < last) {
			return fmt.Errorf("row %d has %d after %d, which is not their order", i, v, last)
		}
		last, first = v, false
	}
	if c.Order != runtime.Unordered && c.Nulls > 0 {
		return errors.New("values with NULLs have no order")
	}
	return nil
}
