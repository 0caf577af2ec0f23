package function

import "github.com/cubeloom/cubeloom/planner/algebra"

var windows = []Function{
	numbering(algebra.RowNumber, 'l', "The number of the row in its partition.", "1, 2, 3, 4"),
	numbering(algebra.Rank, 'l', "The number of the first row that ties with the row.", "1, 2, 2, 4"),
	numbering(algebra.DenseRank, 'l', "The number of the row's group of rows that tie.", "1, 2, 2, 3"),
	numbering(algebra.PercentRank, 'f', "The rank, from 0 to 1.", "0, 0.3333333333333333, 0.3333333333333333, 1"),
	numbering(algebra.CumeDist, 'f', "The part of the rows up to the row and those that tie with it.", "0.25, 0.75, 0.75, 1"),
	{Name: "ntile", Kind: Window, Window: algebra.Ntile, Form: "ntile", Text: "The number of the row's part, of so many equal ones.", Example: window("ntile(2)"), Answer: "1, 1, 2, 2", Usage: []string{"ntile(integer) → integer"}},
	{Name: "lag", Kind: Window, Window: algebra.Lag, Form: "neighbor", Text: "The value in the row so many before, 1 if not said; a default where there is none.", Example: window("lag(x, 1, 0)"), Answer: "0, 10, 20, 20",
		Usage: []string{"lag(any[, integer[, any]]) → any"}},
	{Name: "lead", Kind: Window, Window: algebra.Lead, Form: "neighbor", Text: "The value in the row so many behind, 1 if not said; a default where there is none.", Example: window("lead(x, 1, 0)"), Answer: "20, 20, 30, 0",
		Usage: []string{"lead(any[, integer[, any]]) → any"}},
	{Name: "first_value", Kind: Window, Window: algebra.FirstValue, Form: "frame", Nulls: NullCounts, Text: "The value in the first row of the frame.", Example: window("first_value(x)"), Answer: "10, 10, 10, 10", Signatures: []Signature{{Params: "?", Result: '?'}}},
	{Name: "last_value", Kind: Window, Window: algebra.LastValue, Form: "frame", Nulls: NullCounts, Text: "The value in the last row of the frame.", Example: window("last_value(x)"), Answer: "10, 20, 20, 30", Signatures: []Signature{{Params: "?", Result: '?'}}},
	{Name: "nth_value", Kind: Window, Window: algebra.NthValue, Form: "frame", Nulls: NullCounts, Text: "The value in the row of the frame with a number, counted from 1.", Example: window("nth_value(x, 2)"), Answer: "NULL, 20, 20, 20", Signatures: []Signature{{Params: "?w", Result: '?'}}},
}

// numbering is a window function without arguments.
func numbering(f algebra.WindowFunc, result byte, text, answer string) Function {
	return Function{Name: string(f), Kind: Window, Window: f, Form: "number", Text: text, Example: window(string(f) + "()"), Answer: answer, Signatures: []Signature{{Result: result}}}
}

// window is an example of a call over a window.
func window(call string) string {
	return call + " OVER (ORDER BY x) FROM (VALUES (10), (20), (20), (30)) AS t(x) ORDER BY x, 1"
}
