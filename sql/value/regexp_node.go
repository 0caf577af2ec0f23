package value

// regexpNode is a part of a regular expression as it is written.
type regexpNode struct {
	op       regexpOp
	source   string        // of characters: what package syntax reads
	kind     byte          // of a place: one of ^ $ A Z < > y Y; of a look: = ahead, or < behind
	negated  bool          // of a look
	parts    []*regexpNode // of a sequence and of alternatives; of what is around one part, that part
	min, max int           // of repetitions; without a bound max is regexpEndless
	prefers  regexpPreference
	number   int // of parentheses, 0 where they do not count; of a back reference
}

const (
	regexpEndless = -1
	maxWidth      = 64 << 10 // of what is looked for behind a place, in characters; more counts as without a bound
)

type regexpOp uint8

const (
	regexpChars        regexpOp = iota // one character
	regexpPlace                        // a place between characters
	regexpLook                         // a place before or behind which something matches, or does not
	regexpSequence                     // parts one behind the other
	regexpAlternatives                 // one of the parts
	regexpRepeat                       // a part again and again
	regexpGroup                        // parentheses
	regexpBack                         // a back reference
)

// regexpPreference is which of the matches that begin at a place a part takes.
type regexpPreference uint8

const (
	regexpLonger  regexpPreference = 1
	regexpShorter regexpPreference = 2
)

// width is how many characters a part matches at most, regexpEndless without a bound.
func (n *regexpNode) width() int {
	width := 0
	for _, part := range n.parts {
		w := part.width()
		switch {
		case n.op == regexpLook:
			w = 0
		case w == regexpEndless || n.op == regexpRepeat && n.max == regexpEndless:
			return regexpEndless
		case n.op == regexpRepeat:
			w *= n.max
		}
		if n.op == regexpAlternatives {
			width = max(width, w)
		} else {
			width += w
		}
		if width > maxWidth {
			return regexpEndless
		}
	}
	if n.op == regexpChars {
		return 1
	}
	return width
}
