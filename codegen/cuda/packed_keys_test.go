package cuda_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/cuda"
	"github.com/cubeloom/cubeloom/tests/kerneltext"
)

// TestPackedKeys has keys of groups take the bits that their values need, and NULL a value more.
func TestPackedKeys(t *testing.T) {
	const wide = `%0 i64 0..1099511627775` // 40 bits
	for _, c := range []struct {
		keys  []string
		words string
		key   string // of one word; "": any
	}{
		{[]string{"%0 code 0..30", "%1 code 0..254", "%2 i32 1..50", "%3 i64 1..100000"}, "1", "part0 << 0 | part1 << 5 | part2 << 13 | part3 << 19"},
		{[]string{"%0 code", "%1 code", "%2 i32 1..50", "%3 i64 1..100000"}, "2", ""}, // nothing is known of the dictionaries
		{[]string{"%0 code 0..0", "%1 code 0..1"}, "1", "part1 << 0"},
		{[]string{"%0 code 0..0"}, "1", "0"},
		{[]string{"%0 code? 0..0", "%1 code? 0..1"}, "1", "part0 << 0 | part1 << 1"},
		{[]string{"%0 code? 0..30", "%1 bool"}, "1", "part0 << 0 | part1 << 5"},
		{[]string{"%0 code? 0..31", "%1 bool"}, "1", "part0 << 0 | part1 << 6"},
		{[]string{"%0 code 0..31", "%1 bool"}, "1", "part0 << 0 | part1 << 5"},
		{[]string{wide, "%1 code 0..4194303", "%2 bool"}, "1", "part0 << 0 | part1 << 40 | part2 << 62"},
		{[]string{wide, "%1 code 0..8388606", "%2 bool"}, "1", "part0 << 0 | part1 << 40 | part2 << 63"},
		{[]string{wide, "%1 code 0..8388607", "%2 bool"}, "2", ""}, // no word is left for a free slot
		{[]string{wide, "%1 code? 0..8388606", "%2 bool"}, "2", ""},
		{[]string{wide, "%1 code? 0..8388605", "%2 bool"}, "1", "part0 << 0 | part1 << 40 | part2 << 63"},
		{[]string{wide, "%1 code 0..8388608", "%2 bool"}, "2", ""},
	} {
		source := sourceOfGroups(t, c.keys)
		found := regexp.MustCompile(`u64 key\[(?:R\]\[)?(\d)\]`).FindStringSubmatch(source)
		if found == nil || found[1] != c.words {
			t.Errorf("keys %v have words %v, not %s", c.keys, found, c.words)
		}
		if c.key != "" && !strings.Contains(source, "key[r][0] = "+c.key+";") {
			t.Errorf("keys %v are not put together as %s\n%s", c.keys, c.key, source)
		}
	}
}

// sourceOfGroups is the source of a kernel that groups by hashing.
func sourceOfGroups(t *testing.T, keys []string) string {
	t.Helper()
	var columns, names strings.Builder
	dicts := 0
	for i, key := range keys {
		if strings.Contains(key, " code") {
			key += fmt.Sprintf(" dict%d", dicts)
			dicts++
		}
		fmt.Fprintf(&columns, "    %s \"k%d\" = column %d\n", key, i, i)
		fmt.Fprintf(&names, " %%%d", i)
	}
	f, err := kerneltext.Parse(fmt.Sprintf(`kernel "groups" dicts %d
  input 0 relation "rows"
  scan 0
%s  body
  aggregate hash groups 10 keys%s
    count_star filter none
      gives %%%d i64 "n"
  end
end
`, dicts, columns.String(), names.String(), len(keys)))
	if err != nil {
		t.Fatal(err)
	}
	m, err := target.Render(f, cuda.PlainShapes(f))
	if err != nil {
		t.Fatal(err)
	}
	return m.Source
}
