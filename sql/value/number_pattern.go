package value

import (
	"slices"
	"strings"
)

// numberPattern is a pattern of to_char and to_number for numbers.
type numberPattern struct {
	meter *Meter
	parts []numberPart
	has   map[string]bool // the words that it has; FM stands for fm, too

	pre, post, multi   int  // digits before and behind the point, and behind V
	zero               bool // there is a 0 before the point
	zeroFrom, zeroUpTo int  // places of the first and the last 0, from 0 and from 1
	decimal            bool
	plusMinus          bool // MI, PL or SG
	sign               int  // of S: −1 before the digits, 1 behind them, 0 for none
	signAt             int  // the digits before S
}

// numberPart is a word of a pattern, or a text that stands for itself.
type numberPart struct {
	word string
	text string
}

// numberWords are the words of patterns, longer ones before those that they begin
// with. In lower case they mean the same but for RN and TH.
var numberWords = []string{"EEEE", "FM", "MI", "PL", "PR", "RN", "SG", "SP", "TH", ",", ".", "0", "9", "B", "C", "D", "G", "L", "S", "V"}

// partBytes is what a part of a pattern takes, in a slice that grows.
const partBytes = 64

// parseNumberPattern reads a pattern; it fails with 42601 where its words do not
// go together.
func parseNumberPattern(m *Meter, text string) (*numberPattern, error) {
	p := &numberPattern{has: map[string]bool{}, meter: m}
	for text != "" {
		m.MustGrow(partBytes)
		m.Must(fieldWork)
		if text[0] == '"' {
			text = p.quoted(text[1:])
			continue
		}
		if word := numberWord(text); word != "" {
			text = text[len(word):]
			if word != "rn" && word != "th" {
				word = strings.ToUpper(word)
			}
			p.parts = append(p.parts, numberPart{word: word})
			if err := p.note(word); err != nil {
				return nil, err
			}
			continue
		}
		if strings.HasPrefix(text, `\"`) {
			text = text[1:]
		}
		r := []rune(text[:min(4, len(text))])[0]
		p.literal(string(r))
		text = text[len(string(r)):]
	}
	return p, nil
}

// numberWord is the word that a text begins with; a word is in one case.
func numberWord(text string) string {
	for _, word := range numberWords {
		if strings.HasPrefix(text, word) || strings.HasPrefix(text, strings.ToLower(word)) {
			return text[:len(word)]
		}
	}
	return ""
}

// quoted takes a text up to its closing quote, and returns what follows.
func (p *numberPattern) quoted(text string) string {
	for text != "" && text[0] != '"' {
		if text[0] == '\\' && len(text) > 1 {
			text = text[1:]
		}
		r := []rune(text[:min(4, len(text))])[0]
		p.literal(string(r))
		text = text[len(string(r)):]
	}
	return strings.TrimPrefix(text, `"`)
}

func (p *numberPattern) literal(char string) {
	p.parts = append(p.parts, numberPart{text: char})
}

// note takes account of a word.
func (p *numberPattern) note(word string) error {
	if p.has["EEEE"] && word != "EEEE" {
		return patternError(`"EEEE" must be the last pattern used`)
	}
	if err := p.conflict(word); err != nil {
		return err
	}
	switch word {
	case "9", "0":
		return p.digit(word)
	case "D", ".":
		p.decimal = true
	case "S":
		if !p.decimal {
			p.sign, p.signAt = -1, p.pre
		} else {
			p.sign = 1
		}
	case "MI", "PL", "SG":
		p.plusMinus = true
	}
	p.has[word] = true
	return nil
}

func (p *numberPattern) digit(word string) error {
	if p.has["PR"] {
		return patternError(`"` + word + `" must be ahead of "PR"`)
	}
	if word == "9" && p.has["V"] {
		p.multi++
		return nil
	}
	if word == "0" && !p.zero && !p.decimal {
		p.zero, p.zeroFrom = true, p.pre
	}
	if p.decimal {
		p.post++
	} else {
		p.pre++
	}
	if word == "0" {
		p.zeroUpTo = p.pre + p.post
	}
	return nil
}

// conflict says what a word cannot stand behind.
func (p *numberPattern) conflict(word string) error {
	any := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return p.has[w] })
	}
	switch {
	case (word == "D" || word == ".") && p.decimal:
		return patternError("multiple decimal points")
	case (word == "D" || word == ".") && p.has["V"], word == "V" && p.decimal:
		return patternError(`cannot use "V" and decimal point together`)
	case word == "S" && p.has["S"]:
		return patternError(`cannot use "S" twice`)
	case word == "S" && any("PL", "MI", "SG", "PR"):
		return patternError(`cannot use "S" and "PL"/"MI"/"SG"/"PR" together`)
	case (word == "MI" || word == "PL" || word == "SG") && p.has["S"]:
		return patternError(`cannot use "S" and "` + word + `" together`)
	case word == "PR" && any("S", "PL", "MI", "SG"):
		return patternError(`cannot use "PR" and "S"/"PL"/"MI"/"SG" together`)
	case word == "EEEE" && p.has["EEEE"]:
		return patternError(`cannot use "EEEE" twice`)
	case word == "EEEE" && any("B", "FM", "S", "PR", "MI", "PL", "SG", "RN", "rn", "V"):
		e := patternError(`"EEEE" is incompatible with other formats`)
		e.Detail = `"EEEE" may only be used together with digit and decimal point patterns.`
		return e
	}
	return nil
}

func patternError(message string) *Error { return Errorf(CodeSyntax, "%s", message) }
