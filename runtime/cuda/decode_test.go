package cuda

import (
	"context"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/runtime"
	"github.com/cubeloom/cubeloom/runtime/cpu"
)

// filed is a relation of one column that is made when it is loaded, and states bounds.
type filed struct {
	*pile
	lo, hi int64
	rows   int64 // that it states; 0: those that it has
	err    error // of the second block
}

func (f *filed) LoadBytes(int, []int) int64                  { return 1 << 10 }
func (f *filed) Range(int, int) (lo, hi int64, all, ok bool) { return f.lo, f.hi, true, true }

func (f *filed) Rows() int64 {
	if f.rows > 0 {
		return f.rows
	}
	return f.pile.Rows()
}

func (f *filed) Load(i int, cols []int) (runtime.Block, error) {
	if i == 1 && f.err != nil {
		return runtime.Block{}, f.err
	}
	return f.pile.Load(i, cols)
}

// TestSendDecoded sends a column as it is decoded, and holds that stated bounds which are not true
// are found.
func TestSendDecoded(t *testing.T) {
	pile := func() *pile { return pileOf(t, kernel.I64, ints(5, 300, 7), ints(9), ints(260, 5)) }
	failure := errors.New("a page is damaged")
	for _, c := range []struct {
		name string
		rel  *filed
		sent bool
		err  error
	}{
		{"as stated", &filed{pile: pile(), lo: 5, hi: 300}, true, nil},
		{"wider than needed", &filed{pile: pile(), lo: 0, hi: 60000}, true, nil},
		{"above", &filed{pile: pile(), lo: 5, hi: 255}, false, nil},
		{"below", &filed{pile: pile(), lo: 6, hi: 300}, false, nil},
		{"fewer rows", &filed{pile: pile(), lo: 5, hi: 300, rows: 5}, false, nil},
		{"more rows", &filed{pile: pile(), lo: 5, hi: 300, rows: 7}, false, nil},
		{"a NULL", &filed{pile: pileOf(t, kernel.I64, ints(5, 6), append(ints(7), null)), lo: 5, hi: 7}, false, nil},
		{"an error", &filed{pile: pile(), lo: 5, hi: 300, err: failure}, false, failure},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := &fakeDevice{heap: newHeap(0)}
			b := New(h, cpu.New(), Options{})
			defer b.Close()
			account := runtime.NewAccount(0)
			got, err := b.sendDecoded(runtime.WithAccount(context.Background(), account), c.rel, []int{0})
			if !errors.Is(err, c.err) || (got != nil) != c.sent {
				t.Fatalf("%v, error %v", got, err)
			}
			if got != nil {
				data := h.at(got.cols[0].data)
				for i, want := range []int64{5, 300, 7, 9, 260, 5} {
					if v := int64(binary.LittleEndian.Uint16(data[2*i:])) + got.cols[0].base; v != want {
						t.Errorf("row %d is %d, not %d", i, v, want)
					}
				}
				got.release(nil)
			}
			if n := b.mem.used(); n != 0 || account.Used() != 0 {
				t.Errorf("%d bytes of the device and %d of the account stay in use", n, account.Used())
			}
		})
	}
}
