package sqlstate

import (
	"errors"
	"testing"
)

func TestTry(t *testing.T) {
	if n, err := Try(func() int { return 7 }); n != 7 || err != nil {
		t.Errorf("returned %d, %v", n, err)
	}
	wrong := ErrorAt(3, Syntax, "wrong")
	if _, err := Try(func() int { panic(wrong) }); !errors.Is(err, wrong) {
		t.Errorf("returned %v for an error", err)
	}
}

func TestTryPassesDefectsOn(t *testing.T) {
	for name, defect := range map[string]func() int{
		"of the runtime": func() int { return []int{}[len(t.Name())] },
		"other values":   func() int { panic("defect") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			_, err := Try(defect)
			t.Errorf("%s: returned %v", name, err)
		}()
	}
}
