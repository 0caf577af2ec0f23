package kernel_test

import (
	"reflect"
	"testing"

	. "github.com/cubeloom/cubeloom/codegen/kernel"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// FuzzParse holds that no text makes Parse or Verify panic, and that what
// passes both prints as a text that means the same.
func FuzzParse(f *testing.F) {
	text := Print(sample())
	f.Add(text)
	for i := 0; i < len(text); i += 97 {
		f.Add(text[:i])
		f.Add(text[:i] + text[min(i+31, len(text)):])
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := kerneltext.Parse(text)
		if err != nil || Verify(k) != nil {
			return
		}
		back, err := kerneltext.Parse(Print(k))
		if err != nil {
			t.Fatalf("%v in\n%s", err, Print(k))
		}
		if !reflect.DeepEqual(k, back) {
			t.Errorf("became\n%s\nfrom\n%s", Print(back), Print(k))
		}
	})
}
