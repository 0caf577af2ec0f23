package csvfile

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/sql/sqlstate"
	"github.com/cubeloom/cubeloom/sql/value"
)

// Use is what a file is opened for, which decides what options it takes.
type Use uint8

// The uses of a file.
const (
	Query    Use = iota // a query reads it
	CopyFrom            // COPY reads it
	CopyTo              // COPY writes it
)

// Option is one option of a COPY statement, or of a function that reads files, its name
// in lower case.
type Option struct {
	Name  string
	Value string
	List  []string // of columns; nil: none was written
	Bare  bool     // no value was written
	Pos   int      // byte offset in the SQL text
}

// given are the options as they were written, nil where they were not.
type given struct {
	use                            Use
	seen                           []string
	delimiter, null, quote, escape *string
	options                        Options
}

// ParseOptions reads options but FORMAT, and fails as PostgreSQL does: with 42601 for one
// that is unknown or comes twice, with 22023 or 0A000 for a value that does not suit it.
func ParseOptions(text bool, list []Option, use Use) (Options, error) {
	g := given{use: use, options: NewOptions(text)}
	for _, opt := range list {
		opt.Name = g.canonical(opt.Name)
		if slices.Contains(g.seen, opt.Name) {
			return g.options, value.ErrorAt(opt.Pos, value.CodeSyntax, "conflicting or redundant options")
		}
		g.seen = append(g.seen, opt.Name)
		if err := g.set(opt); err != nil {
			return g.options, err
		}
	}
	return g.options, g.check()
}

// canonical is COPY's name of an option that functions which read files know by others.
func (g *given) canonical(name string) string {
	if g.use != Query {
		return name
	}
	switch name {
	case "sep", "delim":
		return "delimiter"
	case "nullstr":
		return "null"
	}
	return name
}

// set notes one option.
func (g *given) set(opt Option) (err error) {
	o := &g.options
	switch opt.Name {
	case "delimiter":
		g.delimiter, err = opt.text()
	case "null":
		g.null, err = opt.text()
	case "quote":
		g.quote, err = opt.text()
	case "escape":
		g.escape, err = opt.text()
	case "header":
		err = g.setHeader(opt)
	case "freeze":
		if _, ok := boolean(opt.Value); !ok {
			err = value.Errorf(value.CodeSyntax, "freeze requires a Boolean value")
		}
	case "force_quote":
		o.ForceQuote, err = g.columns(opt)
	case "force_not_null":
		o.ForceNotNull, err = g.columns(opt)
	case "force_null":
		o.ForceNullable, err = g.columns(opt)
	case "encoding":
		err = checkEncoding(opt)
	default:
		err = value.ErrorAt(opt.Pos, value.CodeSyntax, "option %q not recognized", opt.Name)
	}
	return err
}

// text is an option's value, which has to be written.
func (opt *Option) text() (*string, error) {
	if opt.Bare {
		return nil, value.Errorf(value.CodeSyntax, "%s requires a parameter", opt.Name)
	}
	return &opt.Value, nil
}

// boolean reads an option's value as PostgreSQL does; none is true.
func boolean(text string) (v, ok bool) {
	switch strings.ToLower(text) {
	case "", "true", "on", "1":
		return true, true
	case "false", "off", "0":
		return false, true
	}
	return false, false
}

func (g *given) setHeader(opt Option) error {
	if strings.EqualFold(opt.Value, "match") {
		if g.use == CopyTo {
			return value.Errorf(value.CodeFeatureNotSupported, `cannot use "match" with HEADER in COPY TO`)
		}
		g.options.Header, g.options.Match = true, true
		return nil
	}
	v, ok := boolean(opt.Value)
	if !ok {
		return value.Errorf(value.CodeSyntax, "header requires a Boolean value or \"match\"")
	}
	g.options.Header = v
	return nil
}

// columns reads a list of columns, or *. Functions that read files take it as a text, with
// or without parentheses.
func (g *given) columns(opt Option) (Columns, error) {
	switch {
	case opt.Value == "*":
		return Columns{All: true}, nil
	case opt.List != nil:
		return Columns{Names: opt.List}, nil
	case g.use != Query:
		return Columns{}, value.ErrorAt(opt.Pos, value.CodeInvalidParameter, "argument to option %q must be a list of column names", opt.Name)
	}
	s := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(opt.Value), "("), ")")
	var c Columns
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.Trim(strings.TrimSpace(name), `"`); name != "" {
			c.Names = append(c.Names, name)
		}
	}
	return c, nil
}

// otherEncodings are the encodings that PostgreSQL has beside UTF8, without their
// punctuation.
const otherEncodings = " abc alt big5 euccn eucjis2004 eucjp euckr euctw gb18030 gbk iso88591 iso885910 iso885913 iso885914 " +
	"iso885915 iso885916 iso88592 iso88593 iso88594 iso88595 iso88596 iso88597 iso88598 iso88599 johab koi8 koi8r koi8u " +
	"latin1 latin10 latin2 latin3 latin4 latin5 latin6 latin7 latin8 latin9 mskanji muleinternal shiftjis shiftjis2004 sjis " +
	"tcvn tcvn5712 uhc vscii win win1250 win1251 win1252 win1253 win1254 win1255 win1256 win1257 win1258 win866 win874 " +
	"win932 win936 win949 win950 windows1250 windows1251 windows1252 windows1253 windows1254 windows1255 windows1256 " +
	"windows1257 windows1258 windows866 windows874 windows932 windows936 windows949 windows950 "

// checkEncoding takes UTF8, and SQL_ASCII, which leaves bytes as they are.
func checkEncoding(opt Option) error {
	if _, err := opt.text(); err != nil {
		return err
	}
	name := strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(opt.Value))
	switch {
	case name == "utf8", name == "unicode", name == "sqlascii":
		return nil
	case name != "" && strings.Contains(otherEncodings, " "+name+" "):
		return value.ErrorAt(opt.Pos, value.CodeFeatureNotSupported, "encoding %q is not supported", opt.Value)
	}
	return value.ErrorAt(opt.Pos, value.CodeInvalidParameter, "argument to option \"encoding\" must be a valid encoding name")
}

// check takes the marks over, and refuses options that contradict each other, in
// PostgreSQL's order.
func (g *given) check() (err error) {
	defer sqlstate.Catch(&err)
	o := &g.options
	if g.null != nil {
		o.Null = *g.null
	}
	mark(&o.Delimiter, g.delimiter, "delimiter")
	switch {
	case o.Delimiter == '\n' || o.Delimiter == '\r':
		return value.Errorf(value.CodeInvalidParameter, "COPY delimiter cannot be newline or carriage return")
	case strings.ContainsAny(o.Null, "\r\n"):
		return value.Errorf(value.CodeInvalidParameter, "COPY null representation cannot use newline or carriage return")
	case o.Text && strings.IndexByte(`\.abcdefghijklmnopqrstuvwxyz0123456789`, o.Delimiter) >= 0:
		return value.Errorf(value.CodeInvalidParameter, "COPY delimiter cannot be \"%c\"", o.Delimiter)
	}
	g.checkQuotes()
	g.checkForced()
	switch {
	case strings.IndexByte(o.Null, o.Delimiter) >= 0:
		return value.Errorf(value.CodeFeatureNotSupported, "COPY delimiter must not appear in the NULL specification")
	case !o.Text && o.Null != "" && strings.IndexByte(o.Null, o.Quote) >= 0:
		return value.Errorf(value.CodeFeatureNotSupported, "CSV quote character must not appear in the NULL specification")
	}
	return nil
}

// mark reads a delimiter, quote or escape, where one was given.
func mark(to *byte, text *string, what string) {
	switch {
	case text == nil:
		return
	case len(*text) != 1 || (*text)[0] >= utf8.RuneSelf:
		panic(value.Errorf(value.CodeFeatureNotSupported, "COPY %s must be a single one-byte character", what))
	}
	*to = (*text)[0]
	if what != "delimiter" && (*to == '\n' || *to == '\r') {
		panic(value.Errorf(value.CodeInvalidParameter, "COPY %s cannot be newline or carriage return", what))
	}
}

func (g *given) checkQuotes() {
	o := &g.options
	if g.quote != nil && o.Text {
		panic(value.Errorf(value.CodeFeatureNotSupported, "COPY quote available only in CSV mode"))
	}
	mark(&o.Quote, g.quote, "quote")
	if !o.Text && o.Delimiter == o.Quote {
		panic(value.Errorf(value.CodeInvalidParameter, "COPY delimiter and quote must be different"))
	}
	if g.escape != nil && o.Text {
		panic(value.Errorf(value.CodeFeatureNotSupported, "COPY escape available only in CSV mode"))
	}
	o.Escape = o.Quote
	mark(&o.Escape, g.escape, "escape")
}

// checkForced refuses lists of columns where they mean nothing.
func (g *given) checkForced() {
	for _, f := range []struct {
		name    string
		columns Columns
		use     Use
		usable  string
	}{
		{"quote", g.options.ForceQuote, CopyTo, "COPY TO"},
		{"not null", g.options.ForceNotNull, CopyFrom, "COPY FROM"},
		{"null", g.options.ForceNullable, CopyFrom, "COPY FROM"},
	} {
		switch {
		case !f.columns.All && len(f.columns.Names) == 0:
		case g.options.Text:
			panic(value.Errorf(value.CodeFeatureNotSupported, "COPY force %s available only in CSV mode", f.name))
		case g.use != Query && g.use != f.use:
			panic(value.Errorf(value.CodeFeatureNotSupported, "COPY force %s only available using %s", f.name, f.usable))
		}
	}
}
