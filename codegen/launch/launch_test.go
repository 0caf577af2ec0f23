package launch_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cubeloom/cubeloom/codegen/launch"
	"github.com/cubeloom/cubeloom/tests/launchtext"
)

// texts are the plans of the tests by their names.
func texts(t testing.TB) map[string]string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.plan")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no plans", err)
	}
	out := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out[strings.TrimSuffix(filepath.Base(file), ".plan")] = string(text)
	}
	return out
}

func TestPlansAreReadAndPrinted(t *testing.T) {
	for name, text := range texts(t) {
		p, err := launchtext.Parse(text)
		if err != nil {
			t.Fatal(name, err)
		}
		if got := launch.Print(p); got != text {
			t.Errorf("plan %s is printed as\n%s", name, got)
		}
		if err := launch.Verify(p); err != nil {
			t.Error(name, err)
		}
	}
}

// broken are plans with one thing wrong: what stands in a plan, what stands there
// instead, and what Verify says of it.
var broken = []struct{ plan, from, to, want string }{
	{"filter", "skip_4 = 0\n", "", "launch materialize: nothing fills skip_4"},
	{"filter", "skip_4 = 0\n", "skip_4 = 0\nskip_4 = 1\n", "launch materialize: skip_4 is filled twice"},
	{"filter", "skip_4 = 0\n", "skip_4 = 0\nrows_1 = 1\n", "launch materialize: rows_1 is filled, and is bound"},
	{"filter", "skip_4 = 0\n", "skip_4 in status.0\n", "skip_4 is a pointer that a number fills, or the reverse"},
	{"filter", "skip_4 capacity_5 out", "capacity_5 out", "the entry does not take word 4"},
	{"filter", "error_0 rows_1 data_2", "rows_1 error_0 data_2", "takes word 0, out of range or order"},
	{"filter", "alloc status 88 zeros", "alloc status 88", "part 0 of buffer status is read before it is written"},
	{"filter", "alloc status 88 zeros", "", "buffer status is not allocated"},
	{"filter", "alloc status 88 zeros", "alloc status 88, 8 zeros", "alloc status: 2 sizes are given for 1 parts"},
	{"filter", "alloc status 88 zeros", "alloc status 88 - rows zeros", "alloc status: the size may be -9223372036854775719"},
	{"filter", "release out\n", "", "buffer out is allocated on one way only through an iteration of a loop"},
	{"filter", "release out\n", "release out\nrelease out\n", "release out: buffer out is not allocated"},
	{"filter", "let room = select", "let taken = select", "columns out: variable room is read before it is set"},
	{"filter", "until taken <= room\n", "", "a loop has no until"},
	{"filter", "chunks\n", "until 0\nlet room = chunk\nchunks\n", "chunk is known in chunks only"},
	{"filter", "chunks\n      launch", "if 1\nlaunch", "it goes over the source outside of chunks"},
	{"filter", "chunks\n", "chunks\nchunks end\n", "chunks stand within chunks"},
	{"filter", "result rows out count taken\n", "", "it ends without a result"},
	{"filter", "result rows out count taken\n", "result rows out count taken\nresult rows out count taken\n", "statements follow the end"},
	{"filter", "result rows out count taken\n", "result rows status count taken\n", "buffer status has no columns"},
	{"filter", "result rows out count taken\n", "until 1\n", "an until stands outside of a loop"},
	{"filter", "words 4 raise 0 into taken 3", "words 3 raise 0 into taken 3", "word 3 is not among those that are read"},
	{"filter", "out_data_6 out out.data.0", "out_data_6 out out.data.1", "buffer out has 2 parts and no part 2"},
	{"filter", "columns 8?", "columns 8", "column 0 of out has no validity"},
	{"filter", "out_data_6 out out", "out_data_6 in out", "part 0 of buffer out is read before it is written"},
	{"filter", "threads 256", "threads 250", "entry materialize has blocks of 250 threads"},
	{"filter", "threads 256 tile 1024", "threads 256", "entry materialize goes over the source without tiles"},
	{"filter", "var room natural", "var room natural\nvar room natural", "there are two of variable room"},
	{"filter", "var room natural", "var room natural\nvar free natural", "variable free has the name of a symbol"},
	{"filter", "let room = taken", "let room = taken - 1", "let room: variable room may become -1"},
	{"filter", "status.0[24]", "status.0[taken - 24]", "variable taken is read before it is set"},
	{"filter", "free / 8 / 9", "free / rows", "a divisor may be 0"},
	{"filter", "min(rows, max(free / 8 / 9, 1024))", "min(rows)", "min takes 2 numbers, not 1"},
	{"groups", "alloc keys 8 * slots ones", "if rows\nalloc keys 8 * slots ones\nend", "keys is allocated on one way only through a branch"},
	{"groups", "let room = groups\n", "let first = 1\n", "columns out: variable room is read before it is set"},
	{"groups", "columns out room\n  launch", "columns out room\ncolumns out room\nlaunch", "buffer out is allocated already"},
	{"groups", "shared 4 * (slots + 1)", "shared 4 * (first - 1)", "the shared memory may be -4"},
	{"groups", "over slots\n", "over 0 - slots\n", "the number of rows may be -"},
	{"groups", "blocks(aggregate) !", "blocks(finish) !", "entry finish does not go over the source"},
	{"order", "swap a b", "swap a out", "buffer out is not allocated"},
	{"order", "swap a b", "swap a spread\nrelease b", "buffer b is allocated on one way only"},
	{"sets", "keep out count rows + sets[step] number step", "", "buffer out is allocated on one way only through a branch"},
	{"sets", "keep out count rows + sets[step] number step", "keep out count rows number step\nkeep out count rows number step", "keep out: buffer out is not allocated"},
	{"sets", "keep out count rows + sets[step] number step", "keep out count rows number 0 - sets[step]", "keep out: the number of the relation may be -3"},
	{"sets", "list sets = 3, 1, 0", "list sets = 3, 1, -7", "columns out: the number of rows may be -7"},
	{"sets", "list sets = 3, 1, 0", "list step = 3", "variable step is natural"},
	{"sets", "list sets = 3, 1, 0\n", "", "variable sets is read before it is set"},
	{"sets", "result relations 3", "result relations 0", "there are 0 relations"},
	{"order", "words 3 array words", "words 3 array w", "variable w is natural"},
	{"order", "let mask = words[w]", "let mask = words[w - 1]", "the index of a word may be -1"},
	{"order", "var mask bits", "var mask natural", "variable mask may become"},
	{"filter", "out_data_6 pointer 8", "out_data_6 pointer 3", "word out_data_6 points to elements of 3 bytes"},
	{"filter", "columns 8?", "columns 4?", "out_data_6 points to elements of 8 bytes, and part 0 of buffer out has 4"},
	{"filter", "out_valid_7 pointer 4", "out_valid_7 pointer 8", "out_valid_7 points to elements of 8 bytes, and part 1 of buffer out has 4"},
	{"filter", "count_3 pointer 8", "count_3 pointer 4", "count_3 points to elements of 4 bytes, and other words to part 0 of buffer status as elements of 8"},
	{"filter", "alloc status 88 zeros", "alloc status 16 zeros", "part 0 of buffer status has 16 bytes, of which byte 32 is used"},
	{"filter", "clear status.0 bytes 88", "clear status.0 bytes 96", "part 0 of buffer status has 88 bytes, of which byte 96 is used"},
	{"filter", "status.0[24]", "status.0[88]", "part 0 of buffer status has 88 bytes, of which byte 96 is used"},
	{"filter", "words 4 raise 0", "words 12 raise 0", "part 0 of buffer status has 88 bytes, of which byte 96 is used"},
	{"filter", "over chunk", "over rows", "it goes over the source, and not over the rows of the chunk"},
	{"filter", "over chunk", "over min(chunk, 0)", "it goes over the source, and not over the rows of the chunk"},
	{"filter", "until taken <= room", "until 0", "a loop waits for what no iteration of it changes"},
	{"filter", "until taken <= room", "until rows <= free", "a loop waits for what no iteration of it changes"},
	{"filter", "var room natural", "var room natural\nvar other natural", "variable other is never read"},
	{"filter", "buffer status 1", "buffer status 1\nbuffer other 1", "buffer other is never allocated"},
	{"filter", "  buffer status 1", "  entry again of kernel threads 256 tile 1024 takes error_0\n  buffer status 1", "entry again is never launched"},
	{"groups", "max(512 / sms, 1)", "512 / sms", "a loop waits for variable first, which may change by 0 in an iteration"},
	{"groups", "let first = first + max(512 / sms, 1)", "let groups = first + 1", "a loop waits for what no iteration of it changes"},
	{"order", "max(w - 1, 0)", "max(w - 0, 0)", "a loop waits for variable w, which may change by 0 in an iteration"},
}

func TestVerifyNamesWhatIsBroken(t *testing.T) {
	plans := texts(t)
	for _, b := range broken {
		text := strings.Replace(plans[b.plan], b.from, b.to, 1)
		if text == plans[b.plan] {
			t.Fatalf("plan %s has no %q", b.plan, b.from)
		}
		p, err := launchtext.Parse(text)
		if err != nil {
			t.Errorf("%q instead of %q: %v", b.to, b.from, err)
			continue
		}
		if err := launch.Verify(p); err == nil || !strings.Contains(err.Error(), b.want) {
			t.Errorf("%q instead of %q: Verify says %v, not %q", b.to, b.from, err, b.want)
		}
	}
}

func TestParseNamesWhatItCannotRead(t *testing.T) {
	plans := texts(t)
	for _, b := range []struct{ from, to, want string }{
		{"launch materialize", "launch nothing", `line 22: there is no entry "nothing"`},
		{"skip_4 = 0", "skip_9 = 0", `there is no word of kernel "skip_9"`},
		{"88 zeros", "88 zeroes", `there is no statement "zeroes"`},
		{"88 zeros", "99999999999999999999 zeros", `bad number "99999999999999999999"`},
		{"taken <= room", "taken <= (room", `want ")", have "release"`},
		{"taken <= room", "taken <= ", `there is no variable "release"`},
		{"let room = taken\n  end", "let room = taken", `want a name, have ""`},
		{`plan "filter"`, `plan filter`, `want a quoted text, have "filter"`},
		{"error_0 inout", "error_0 both", `want a kind of access, have "both"`},
		{"count taken\nend", "count taken\nend end", `unexpected "end"`},
	} {
		text := strings.Replace(plans["filter"], b.from, b.to, 1)
		if text == plans["filter"] {
			t.Fatalf("the plan has no %q", b.from)
		}
		if _, err := launchtext.Parse(text); err == nil || !strings.Contains(err.Error(), b.want) {
			t.Errorf("%q instead of %q: Parse says %v, not %q", b.to, b.from, err, b.want)
		}
	}
}

// FuzzParse reads damaged plans: what can be read can be verified and printed, and
// reads the same again.
func FuzzParse(f *testing.F) {
	for _, text := range texts(f) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := launchtext.Parse(text)
		if err != nil {
			return
		}
		_ = launch.Verify(p)
		printed := launch.Print(p)
		second, err := launchtext.Parse(printed)
		if err != nil {
			t.Fatalf("%v of\n%s", err, printed)
		}
		if got := launch.Print(second); got != printed {
			t.Errorf("printed as\n%s\nand then as\n%s", printed, got)
		}
	})
}
