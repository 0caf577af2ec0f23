package cuda

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/cubeloom/cubeloom/codegen/kernel"
)

// The limits of what a value of text can refer to.
const (
	// MaxText is how many bytes a text has at most on a device.
	MaxText = 1<<15 - 1
	// MaxTextAddress is below which address a device's texts end.
	MaxTextAddress = 1 << 47
)

// TextWord is the word that refers to size bytes of a device's memory.
func TextWord(at uint64, size int) uint64 {
	if size == 0 {
		return 0
	}
	return at | uint64(size)<<47
}

// TextSize is the number of bytes that a word refers to.
func TextSize(word uint64) int { return int(word >> 47 & MaxText) }

// ReadText has bytes that a word refers to, which are as they lie in the device's
// memory, be those of the text: letters may be read in another case.
func ReadText(word uint64, text []byte) {
	switch word >> 62 {
	case lowerCase:
		copy(text, bytes.ToLower(text))
	case upperCase:
		copy(text, bytes.ToUpper(text))
	}
}

// The cases in which letters are read, as in text.cuh.
const (
	lowerCase = 1
	upperCase = 2
)

// TextAddress is where they lie.
func TextAddress(word uint64) uint64 { return word & (1<<47 - 1) }

// TextColumn says in place of the width of a column that is appended that it has
// offsets and bytes, the latter in place of its base.
const TextColumn = 5

// CopyTextsParams is the parameter of the entry copy_texts, a 64-bit word each.
type CopyTextsParams struct {
	Texts uint64 // a word a row
	Ends  uint64 // a word a row: where its text ends in To
	To    uint64
	Rows  uint64
}

// like writes a LIKE, whose pattern the host compiles.
func (e *computing) like(in *kernel.Compute) {
	if !e.isConstant(in.Args[1]) || !e.isConstant(in.Args[2]) {
		e.refuse("there is no device code for LIKE with a pattern that is not constant")
		return
	}
	e.include("like.cuh")
	number := slices.Index(e.likes, in)
	if number < 0 {
		number = len(e.likes)
		e.likes = append(e.likes, in)
	}
	pattern := e.Arg(Arg{Kind: ArgLike, Index: number}, "const u32* __restrict__", "pattern of LIKE")
	e.declare(in.Dst, e.anyNull(in.Args[:1]))
	live := e.without("active", in.Args[:1])
	text := e.At(in.Args[0])
	if in.Op == kernel.OpILike {
		e.raiseOther(in)
		text = fmt.Sprintf("in_case(%s, LOWER)", text)
	}
	if !e.meetsWarp(in) {
		e.Line("ROWS if (bit(%s, r)) set(%s, r, like_text(%s, %s));", live, e.name(in.Dst), text, pattern)
		return
	}
	texts := e.Temp("texts")
	e.Line("Text %s[R];", texts)
	e.Line("ROWS %s[r] = bit(%s, r) ? %s : Text{0};", texts, live, text)
	e.Line("%s = like_texts(%s, %s, %s);", e.name(in.Dst), texts, live, pattern)
}

// meetsWarp reports whether all lanes of a warp come to an instruction: no rows have been looked up before.
func (e *computing) meetsWarp(in *kernel.Compute) bool {
	for _, before := range e.f.Body {
		switch before {
		case kernel.Instr(in):
			return true
		}
		if isProbe(before) {
			return false
		}
	}
	return false
}

// raiseOther raises an error where a text has other characters than ASCII's: what
// their case is only the host knows.
func (e *computing) raiseOther(in *kernel.Compute) {
	bad := e.Temp("bad")
	e.Line("u32 %s = 0;", bad)
	e.Line("ROWS if (bit(%s, r)) set(%s, r, !is_ascii(%s));", e.without("active", in.Args[:1]), bad, e.At(in.Args[0]))
	e.raise(bad, ErrNotASCII, in)
}

// inCase writes a text in which all letters are of one case: the same bytes, read so.
func (e *computing) inCase(in *kernel.Compute) {
	letters := "LOWER"
	if in.Op == kernel.OpUpper {
		letters = "UPPER"
	}
	e.raiseOther(in)
	e.each(in, "in_case(%s, %s)", e.At(in.Args[0]), letters)
}

// isConstant reports whether a value is a constant that is not NULL.
func (r *renderer) isConstant(id kernel.ValueID) bool {
	return r.isParam(id) && !r.f.Values[id].Nullable
}

// substring writes a substring: a part of the text that lies where it is.
func (e *computing) substring(in *kernel.Compute) {
	if len(in.Args) == 3 {
		e.raiseWhere(in, ErrSubstring, e.At(in.Args[2])+" < 0")
	}
	e.each(in, "substring(%s)", e.argsAt(in))
}

// decode writes the look-up of the texts of codes.
func (e *computing) decode(in *kernel.Compute) {
	code := &e.f.Values[in.Args[0]]
	texts := e.Arg(Arg{Kind: ArgTexts, Index: int(code.Dict)}, "const Text* __restrict__", "texts of the codes of "+code.Name)
	live := e.Temp("live")
	e.Line("const u32 %s = %s;", live, e.without("active", in.Args))
	e.each(in, "bit(%s, r) ? %s[%s] : Text{0}", live, texts, e.At(in.Args[0]))
}

// textKey is the template argument, after others, for keys whose named words are
// texts: "" where none is.
func (r *renderer) textKey(words []int) string {
	if len(words) == 0 {
		return ""
	}
	r.include("hash.cuh")
	r.include("text.cuh")
	r.include("textkey.cuh")
	mask := uint64(0)
	for _, w := range words {
		if w >= 64 {
			r.refuse("there is no device code for keys of more than 64 words with texts")
		}
		mask |= 1 << w
	}
	return fmt.Sprintf(", TextKey<%dull>", mask)
}

// KeepsTexts reports whether what f's sink makes may refer to texts of columns that
// its source has.
func KeepsTexts(f *kernel.Func) bool {
	isText := func(id kernel.ValueID) bool { return f.Values[id].Type == kernel.Str }
	s, ok := f.Source.(*kernel.Scan)
	return ok && slices.ContainsFunc(s.Cols, func(c kernel.SourceCol) bool { return isText(c.Dst) }) &&
		slices.ContainsFunc(sinkValues(f.Sink), isText)
}
