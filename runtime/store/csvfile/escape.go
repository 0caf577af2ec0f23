package csvfile

import "unicode/utf8"

// escaped reads a field of the text format with backslashes in it, which starts
// at i, into scratch. Whether it is NULL is seen before escapes are resolved.
func (p *parser) escaped(data []byte, i int) (raw []byte, isNull bool, end int) {
	p.scratch = p.scratch[:0]
	start := i
	for i < len(data) {
		c := data[i]
		if c != '\\' {
			if p.class[c] != plainByte {
				break
			}
			p.scratch = append(p.scratch, c)
			i++
			continue
		}
		i++
		if i == len(data) {
			p.scratch = append(p.scratch, '\\')
			break
		}
		c, i = escapeOf(data, i)
		if c == '\n' && data[i-1] == '\n' {
			p.lines++
		}
		if c == 0 || c >= utf8.RuneSelf {
			p.unclean = true // an escape can make what the chunk does not have
		}
		p.scratch = append(p.scratch, c)
	}
	return p.scratch, string(data[start:i]) == p.opt.Null, i
}

// escapeOf returns the byte that stands after a backslash at i, and where it ends.
func escapeOf(data []byte, i int) (c byte, end int) {
	switch c := data[i]; c {
	case 'b':
		return '\b', i + 1
	case 'f':
		return '\f', i + 1
	case 'n':
		return '\n', i + 1
	case 'r':
		return '\r', i + 1
	case 't':
		return '\t', i + 1
	case 'v':
		return '\v', i + 1
	case 'x':
		if v, end := number(data, i+1, 16, 2); end > i+1 {
			return v, end
		}
		return c, i + 1
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return number(data, i, 8, 3)
	default:
		return c, i + 1
	}
}

// number reads up to most digits of a base.
func number(data []byte, i int, base byte, most int) (v byte, end int) {
	for end = i; end < len(data) && end < i+most; end++ {
		d := digitOf(data[end])
		if d >= base {
			break
		}
		v = v*base + d
	}
	return v, end
}

// digitOf is the value of a hexadecimal digit, or 255.
func digitOf(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10
	}
	return 255
}
