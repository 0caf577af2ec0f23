package runtime

import (
	"errors"
	goruntime "runtime"
	"testing"
	"time"

	"github.com/cubeloom/cubeloom/sql/value"
)

// isFull reports whether err says that there is no room.
func isFull(err error) bool {
	var e *value.Error
	return errors.As(err, &e) && e.Code == value.CodeOutOfMemory
}

func TestAccountsBelowShareALimitAndSmallOnesItsReserve(t *testing.T) {
	all := NewSharedAccount(64 << 20)
	large, small := all.Below(0), all.Below(0)
	if err := large.Grow(60 << 20); err != nil {
		t.Fatal(err)
	}
	if err := large.Grow(1 << 20); !isFull(err) {
		t.Errorf("a large account takes of the reserve: %v", err)
	}
	if err := small.Grow(512 << 10); err != nil {
		t.Errorf("a small account has no room beside a large one: %v", err)
	}
	if err := small.Grow(2 << 20); !isFull(err) {
		t.Errorf("an account that is small no more takes of the reserve: %v", err)
	}
	large.Close()
	if err := small.Grow(32 << 20); err != nil || all.Used() != 32<<20+512<<10 {
		t.Errorf("what is given back cannot be taken: %v, %d bytes in use", err, all.Used())
	}
	large.Shrink(60 << 20) // whoever comes late changes nothing
	small.Close()
	if all.Used() != 0 {
		t.Errorf("%d bytes stay charged", all.Used())
	}
}

func TestAccountHasALimitOfItsOwn(t *testing.T) {
	all := NewSharedAccount(0)
	a := all.Below(1 << 20)
	if err := errors.Join(a.Grow(1<<20), a.Grow(1)); !isFull(err) || a.Used() != 1<<20 || all.Used() != 1<<20 {
		t.Errorf("error %v, %d and %d bytes in use", err, a.Used(), all.Used())
	}
}

func TestHoldsOfOneMemoryEndTogether(t *testing.T) {
	all := NewSharedAccount(0)
	a := all.Below(0)
	if err := a.Grow(1000); err != nil {
		t.Fatal(err)
	}
	first := a.Keep()
	second := first.Share()
	first.Release()
	first.Release()
	if all.Used() != 1000 {
		t.Errorf("%d bytes are charged while one Hold lasts", all.Used())
	}
	second.Release()
	if all.Used() != 0 {
		t.Errorf("%d bytes are charged when both have ended", all.Used())
	}
	var none *Hold
	none.Share().Release()
}

func TestHoldEndsAsGarbageWhenThereIsNoRoom(t *testing.T) {
	all := NewSharedAccount(16 << 20)
	keep := func() *Hold {
		h, err := all.Hold(12 << 20)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	h := keep()
	if _, err := all.Hold(12 << 20); !isFull(err) {
		t.Errorf("room is given twice: %v", err)
	}
	goruntime.KeepAlive(h)
	h = nil
	time.Sleep(collectEvery)
	if err := all.Below(0).Grow(12 << 20); err != nil {
		t.Errorf("garbage keeps its room: %v", err)
	}
}

// Who waits until garbage is collected for want of room steps aside meanwhile.
func TestStepAsideForCollection(t *testing.T) {
	all := NewSharedAccount(16 << 20)
	steps, backs := 0, 0
	all.StepAside(func() func() {
		steps++
		return func() { backs++ }
	})
	hold, err := all.Hold(12 << 20)
	if err != nil {
		t.Fatal(err)
	}
	one := all.Below(0)
	if err := one.Grow(2 << 20); err != nil || steps != 0 {
		t.Fatalf("with room: %v, and %d steps aside", err, steps)
	}
	if err := one.Grow(8 << 20); err == nil || steps != 1 || backs != 1 {
		t.Errorf("without: %v, and %d steps aside of which %d came back", err, steps, backs)
	}
	hold.Release()
	if err := one.Grow(8 << 20); err != nil || steps != 1 {
		t.Errorf("with room again: %v, and %d steps aside", err, steps)
	}
}
