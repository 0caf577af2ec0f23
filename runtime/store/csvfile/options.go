// Package csvfile reads and writes tables as CSV and in PostgreSQL's COPY text
// format, with the options and the error messages of PostgreSQL's COPY.
package csvfile

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/cubeloom/cubeloom/planner/value"
)

// Options say how a file is written. NewOptions gives the defaults of a format.
type Options struct {
	Text      bool   // PostgreSQL's text format instead of CSV
	Delimiter byte   // between fields
	Null      string // what an unquoted NULL looks like
	Header    bool   // the first line holds the column names
	Match     bool   // … which have to be the table's
	Quote     byte   // CSV: around fields
	Escape    byte   // CSV: before a quote within a field

	Zone  *time.Location // of moments; nil is UTC
	Style value.Style    // of dates and intervals

	ForceQuote    Columns // CSV, writing: fields that are always quoted unless NULL
	ForceNotNull  Columns // CSV, reading: fields in which Null is a text
	ForceNullable Columns // CSV, reading: fields in which Null is NULL even when quoted
}

// Columns is a set of column names.
type Columns struct {
	All   bool
	Names []string
}

// has tells whether the set holds a column.
func (c *Columns) has(name string) bool {
	if c.All {
		return true
	}
	for _, n := range c.Names {
		if n == name {
			return true
		}
	}
	return false
}

// NewOptions are the defaults of CSV, or of the text format.
func NewOptions(text bool) Options {
	if text {
		return Options{Text: true, Delimiter: '\t', Null: `\N`}
	}
	return Options{Delimiter: ',', Quote: '"', Escape: '"'}
}

// Option is one option of a COPY statement, its name in lower case.
type Option struct {
	Name  string
	Value string
	Pos   int // byte offset in the SQL text
}

// ParseOptions reads the options of COPY but FORMAT. An option that COPY has
// not fails with 42601, a value that does not suit it with 22023 or 0A000.
func ParseOptions(text bool, list []Option) (Options, error) {
	o := NewOptions(text)
	escape := false
	for _, opt := range list {
		if err := o.set(opt); err != nil {
			return o, err
		}
		escape = escape || opt.Name == "escape"
	}
	if !escape {
		o.Escape = o.Quote
	}
	return o, o.check()
}

// set sets one option.
func (o *Options) set(opt Option) (err error) {
	switch opt.Name {
	case "delimiter", "sep", "delim":
		o.Delimiter, err = singleByte(opt, "delimiter")
	case "null", "nullstr":
		o.Null = opt.Value
	case "header":
		err = o.setHeader(opt)
	case "quote":
		err = o.csvOnly(opt)
		if err == nil {
			o.Quote, err = singleByte(opt, "quote")
		}
	case "escape":
		err = o.csvOnly(opt)
		if err == nil {
			o.Escape, err = singleByte(opt, "escape")
		}
	case "force_quote":
		o.ForceQuote, err = columnList(opt.Value), o.csvOnly(opt)
	case "force_not_null":
		o.ForceNotNull, err = columnList(opt.Value), o.csvOnly(opt)
	case "force_null":
		o.ForceNullable, err = columnList(opt.Value), o.csvOnly(opt)
	case "encoding":
		if e := strings.ToLower(strings.ReplaceAll(opt.Value, "-", "")); e != "utf8" {
			err = value.ErrorAt(opt.Pos, value.CodeFeatureNotSupported, "encoding %q is not supported", opt.Value)
		}
	default:
		err = value.ErrorAt(opt.Pos, value.CodeSyntax, "option %q not recognized", opt.Name)
	}
	return err
}

func (o *Options) setHeader(opt Option) error {
	switch strings.ToLower(opt.Value) {
	case "", "true", "on", "1":
		o.Header = true
	case "false", "off", "0":
		o.Header = false
	case "match":
		o.Header, o.Match = true, true
	default:
		return value.ErrorAt(opt.Pos, value.CodeSyntax, "header requires a Boolean value or \"match\"")
	}
	return nil
}

func (o *Options) csvOnly(opt Option) error {
	if o.Text {
		return value.ErrorAt(opt.Pos, value.CodeFeatureNotSupported, "COPY %s requires CSV mode", strings.ToUpper(opt.Name))
	}
	return nil
}

// singleByte reads a delimiter, quote or escape.
func singleByte(opt Option, what string) (byte, error) {
	if len(opt.Value) != 1 || opt.Value[0] >= utf8.RuneSelf {
		return 0, value.ErrorAt(opt.Pos, value.CodeFeatureNotSupported, "COPY %s must be a single one-byte character", what)
	}
	if c := opt.Value[0]; c == '\n' || c == '\r' {
		return 0, value.ErrorAt(opt.Pos, value.CodeInvalidParameter, "COPY %s cannot be newline or carriage return", what)
	}
	return opt.Value[0], nil
}

// columnList reads "*", or names between commas with or without parentheses.
func columnList(s string) Columns {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "("), ")")
	if strings.TrimSpace(s) == "*" {
		return Columns{All: true}
	}
	var c Columns
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.Trim(strings.TrimSpace(name), `"`); name != "" {
			c.Names = append(c.Names, name)
		}
	}
	return c
}

// check refuses options that contradict each other.
func (o *Options) check() error {
	switch {
	case strings.ContainsAny(o.Null, "\r\n"):
		return value.Errorf(value.CodeInvalidParameter, "COPY null representation cannot use newline or carriage return")
	case strings.IndexByte(o.Null, o.Delimiter) >= 0:
		return value.Errorf(value.CodeInvalidParameter, "COPY delimiter character must not appear in the NULL specification")
	case o.Text && strings.IndexByte(`\.abcdefghijklmnopqrstuvwxyz0123456789`, o.Delimiter) >= 0:
		return value.Errorf(value.CodeInvalidParameter, "COPY delimiter cannot be %q", string(o.Delimiter))
	case !o.Text && o.Delimiter == o.Quote:
		return value.Errorf(value.CodeInvalidParameter, "COPY delimiter and quote must be different")
	case !o.Text && o.Null != "" && strings.IndexByte(o.Null, o.Quote) >= 0:
		return value.Errorf(value.CodeInvalidParameter, "CSV quote character must not appear in the NULL specification")
	}
	return nil
}
