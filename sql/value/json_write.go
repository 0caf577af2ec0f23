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
func (w *jsonWriter) value(n *jsonNode, depth int) {
	switch n.kind {
	case '"':
		w.quoted(n.text)
		return
	case '0':
		w.write(n.text)
		return
	case '{', '[':
		w.container(n, depth)
		return
	}
	w.write(jsonNames[byte(n.kind)])
}

func (w *jsonWriter) container(n *jsonNode, depth int) {
	closing := byte('}')
	if n.kind == '[' {
		closing = ']'
	}
	w.writeByte(byte(n.kind))
	for i, member := range n.members {
		w.line(i > 0, depth+1)
		if n.kind == '{' {
			w.quoted(n.keys[i])
			w.write(": ")
		}
		w.value(member, depth+1)
	}
	if w.pretty {
		w.line(false, depth)
	}
	w.writeByte(closing)
}

// line writes what stands before a member: a comma behind another one, and a blank or a
// new line.
func (w *jsonWriter) line(behind bool, depth int) {
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
	w.write(separator)
}

// quoted writes a text as a string of JSON.
func (w *jsonWriter) quoted(text string) {
	w.writeByte('"')
	for chunk := range chunks(w.m, text) {
		from := 0
		for i, r := range chunk {
			escape := jsonEscape(r)
			if escape == "" {
				continue
			}
			w.write(chunk[from:i])
			w.write(escape)
			from = i + 1
		}
		w.write(chunk[from:])
	}
	w.writeByte('"')
}

// jsonbText is a value as jsonb is kept.
func jsonbText(m *Meter, n *jsonNode) string {
	w := jsonWriter{maker: maker{m: m}}
	w.value(n, 0)
	return w.String()
}
