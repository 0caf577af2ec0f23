package dialect

func (l *lexer) next() {
	c := l.text[l.at]
	switch {
	case c == '\'':
		l.quotedString(l.at)
	case c == '"':
		l.quotedIdentifier()
	case c == '$':
		l.dollar()
	case isDigit(c), c == '.' && isDigit(l.peek(1)):
		l.number()
	case isIdentStart(c):
		if !l.prefixedString(c) {
			l.word()
		}
	case isOperatorByte(c):
		l.operator()
	default:
		l.punctuation()
	}
}

// prefixedString reads a literal that begins with a letter: E'…', B'…', X'…',
// N'…', U&'…', U&"…". False when there is none here.
func (l *lexer) prefixedString(c byte) bool {
	start := l.at
	switch c {
	case 'e', 'E':
		if l.peek(1) != '\'' {
			return false
		}
		l.at++
		l.escapeString(start)
	case 'b', 'B', 'x', 'X':
		if l.peek(1) != '\'' {
			return false
		}
		l.at++
		l.bitString(start)
	case 'n', 'N':
		if l.peek(1) != '\'' {
			return false
		}
		l.at++
		l.emit(Word, "nchar", start)
		l.toks[len(l.toks)-1].Class = ColumnName
		l.quotedString(l.at)
	case 'u', 'U':
		if l.peek(1) != '&' || l.peek(2) != '\'' && l.peek(2) != '"' {
			return false
		}
		l.at += 2
		l.unicodeLiteral(start)
	default:
		return false
	}
	return true
}

// lex cuts the whole text. What cannot be read ends the tokens with an Invalid
// one, so that an error of the grammar before it is reported first, as
// PostgreSQL does.
//
// It stops when check, which may be nil and which it calls now and then, fails.
func lex(text string, check func() error) (*lexer, error) {
	l := &lexer{text: text, toks: make([]Token, 0, min(len(text)/4+2, checkTokens))}
	for l.err == nil {
		if check != nil && len(l.toks)%checkTokens == 0 {
			if err := check(); err != nil {
				return nil, err
			}
		}
		l.skipBlank()
		if l.err != nil {
			break
		}
		if l.at == len(text) {
			l.emit(End, "", l.at)
			l.lookAhead()
			return l, nil
		}
		l.next()
	}
	l.at = len(text)
	l.emit(Invalid, "", l.err.Pos)
	l.lookAhead()
	return l, nil
}
