package value

import (
	"fmt"
	"strings"
)

// jsonWriter writes values of JSON: in the form of jsonb, or with indents.
type jsonWriter struct {
	maker
	pretty bool
}

var jsonNames = map[byte]string{'t': "true", 'f': "false", 'n': "null"}

// jsonEscape is how a character stands in a string of JSON; "" for those that stand as
// they are.
func jsonEscape(r rune) string {
	switch r {
	case '"', '\\':
		return `\` + string(r)
	case '\b':
		return `\b`
	case '\f':
		return `\f`
	case '\n':
		return `\n`
	case '\r':
		return `\r`
	case '\t':
		return `\t`
	}
	if r < ' ' {
		return fmt.Sprintf(`\u%04x`, r)
	}
	return ""
}

// value writes a value that lies within so many others.
func (w *jsonWriter) value(n *jsonNode, depth int) error {
	switch n.kind {
	case '"':
		return w.quoted(n.text)
	case '0':
		return w.write(n.text)
	case '{', '[':
		return w.container(n, depth)
	}
	return w.write(jsonNames[byte(n.kind)])
}

func (w *jsonWriter) container(n *jsonNode, depth int) error {
	closing := byte('}')
	if n.kind == '[' {
		closing = ']'
	}
	if err := w.writeByte(byte(n.kind)); err != nil {
		return err
	}
	for i, member := range n.members {
		err := w.line(i > 0, depth+1)
		if err == nil && n.kind == '{' {
			if err = w.quoted(n.keys[i]); err == nil {
				err = w.write(": ")
			}
		}
		if err == nil {
			err = w.value(member, depth+1)
		}
		if err != nil {
			return err
		}
	}
	if w.pretty {
		if err := w.line(false, depth); err != nil {
			return err
		}
	}
	return w.writeByte(closing)
}

// line writes what stands before a member: a comma behind another one, and a blank or a
// new line.
func (w *jsonWriter) line(behind bool, depth int) error {
	separator := ""
	switch {
	case behind && w.pretty:
		separator = ","
	case behind:
		separator = ", "
	}
	if w.pretty {
		separator += "\n" + strings.Repeat("    ", depth)
	}
	return w.write(separator)
}

// quoted writes a text as a string of JSON.
func (w *jsonWriter) quoted(text string) error {
	err := w.writeByte('"')
	for chunk := range chunks(w.m, text, &err) {
		from := 0
		for i, r := range chunk {
			escape := jsonEscape(r)
			if escape == "" {
				continue
			}
			if err := w.write(chunk[from:i]); err != nil {
				return err
			}
			if err := w.write(escape); err != nil {
				return err
			}
			from = i + 1
		}
		if err := w.write(chunk[from:]); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	return w.writeByte('"')
}

// jsonbText is a value as jsonb is kept.
func jsonbText(m *Meter, n *jsonNode) (string, error) {
	w := jsonWriter{maker: maker{m: m}}
	err := w.value(n, 0)
	return w.String(), err
}
