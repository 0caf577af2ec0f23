package value

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonToken is a token of a JSON text: a bracket, or a scalar or key as it is written.
type jsonToken struct {
	kind       jsontext.Kind
	text       string
	start, end int // its bytes in the text
	depth      int // how many arrays and objects are open around it
	key        bool
}

// jsonDecoder reads a text where it lies.
type jsonDecoder struct {
	jsontext.Decoder
	text bytes.Buffer
}

var jsonDecoders = sync.Pool{New: func() any { return new(jsonDecoder) }}

// jsonTokens are the tokens of a text with one JSON value, up to the error that *err then
// is. With exact, strings must be Unicode, as those of jsonb are.
func jsonTokens(m *Meter, text string, exact bool, err *error) iter.Seq[jsonToken] {
	return func(yield func(jsonToken) bool) {
		d := jsonDecoders.Get().(*jsonDecoder)
		defer func() {
			d.text = bytes.Buffer{}
			d.Reset(&d.text)
			jsonDecoders.Put(d)
		}()
		// The decoder changes nothing of a bytes.Buffer.
		d.text = *bytes.NewBuffer(unsafe.Slice(unsafe.StringData(text), len(text)))
		d.Reset(&d.text, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(!exact))
		read := 0
		for {
			t, failed := nextToken(d, text)
			switch {
			case failed == io.EOF && read > 0:
				return
			case failed == nil && read > 0 && t.depth == 0 && t.kind != '}' && t.kind != ']':
				failed = errors.New("something follows the value")
			}
			if failed == nil {
				failed = m.Check(1 + t.end - read)
			} else {
				failed = jsonError(failed, text, d.InputOffset())
			}
			if failed != nil {
				*err = failed
				return
			}
			if read = t.end; !yield(t) {
				return
			}
		}
	}
}

// nextToken reads a token.
func nextToken(d *jsonDecoder, text string) (t jsonToken, err error) {
	t.kind = d.PeekKind()
	t.depth = d.StackDepth()
	opened, n := d.StackIndex(t.depth)
	t.key = opened == '{' && n%2 == 0 && t.kind == '"'
	switch t.kind {
	case '{', '[', '}', ']', 0:
		_, err = d.ReadToken()
		t.end = int(d.InputOffset())
		t.start = t.end - 1
		if t.kind == '}' || t.kind == ']' {
			t.depth--
		}
	default:
		var v jsontext.Value
		v, err = d.ReadValue()
		t.end = int(d.InputOffset())
		t.start = t.end - len(v)
	}
	if err == nil {
		t.text = text[t.start:t.end]
	}
	return t, err
}

// jsonError is the error for a text that is no JSON from a byte on.
func jsonError(err error, text string, at int64) error {
	e := Errorf(CodeInvalidText, "invalid input syntax for type json")
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		at = syntax.ByteOffset
		err = syntax.Err
		if strings.Contains(err.Error(), "exceeded max depth") {
			return Errorf(CodeTooComplex, "stack depth limit exceeded")
		}
	}
	if err == io.ErrUnexpectedEOF || err == io.EOF {
		e.Detail = "The input string ended unexpectedly."
		return e
	}
	near := text[min(int(at), len(text)):]
	if i := strings.IndexAny(near, " \t\r\n"); i > 0 {
		near = near[:i]
	}
	near = strings.ToValidUTF8(near[:min(len(near), 32)], "")
	e.Detail = fmt.Sprintf("Byte %d, at %q: %s.", at+1, near, err)
	return e
}

// jsonText is the text that a string of JSON stands for.
func jsonText(m *Meter, quoted string) (string, error) {
	if strings.IndexByte(quoted, '\\') < 0 {
		return quoted[1 : len(quoted)-1], nil
	}
	m.MustGrow(len(quoted))
	text, err := jsontext.AppendUnquote(make([]byte, 0, len(quoted)), quoted)
	switch {
	case err != nil:
		e := Errorf(CodeInvalidText, "invalid input syntax for type json")
		e.Detail = "Unicode high and low surrogates must come in pairs."
		return "", e
	case bytes.IndexByte(text, 0) >= 0:
		e := Errorf(CodeUnsupportedEscape, "unsupported Unicode escape sequence")
		e.Detail = "\\u0000 cannot be converted to text."
		return "", e
	}
	return unsafe.String(unsafe.SliceData(text), len(text)), nil
}

// parseJSON reads a JSON text with strings that are Unicode. Of equal keys of an object
// the last counts; the others are in the order of jsonb.
func parseJSON(m *Meter, text string) (root *jsonNode, err error) {
	var open []*jsonNode
	key := ""
	for t := range jsonTokens(m, text, true, &err) {
		if t.kind == '}' || t.kind == ']' {
			done := open[len(open)-1]
			done.sortKeys(m)
			open = open[:len(open)-1]
			continue
		}
		if t.key {
			if key, err = jsonText(m, t.text); err != nil {
				return nil, err
			}
			continue
		}
		m.MustGrow(jsonNodeSize)
		n := &jsonNode{kind: t.kind}
		switch t.kind {
		case '"':
			n.text, err = jsonText(m, t.text)
		case '0':
			n.text, err = jsonDigits(m, t.text)
		}
		if err != nil {
			return nil, err
		}
		if len(open) == 0 {
			root = n
		} else {
			in := open[len(open)-1]
			if in.members = append(in.members, n); in.kind == '{' {
				in.keys = append(in.keys, key)
			}
		}
		if t.kind == '{' || t.kind == '[' {
			open = append(open, n)
		}
	}
	return root, err
}
