package algebra

import "strings"

// Diff returns the lines of two texts by a longest common subsequence: "- " stands
// before those of the first text alone, "+ " before those of the second alone, two
// blanks before those of both.
func Diff(before, after string) []string {
	return diffLines(textLines(before), textLines(after))
}

func textLines(text string) []string { return strings.Split(strings.TrimSuffix(text, "\n"), "\n") }

func diffLines(before, after []string) []string {
	common := make([][]int, len(before)+1) // length of the subsequence of the texts from a line on
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for k := len(after) - 1; k >= 0; k-- {
			if before[i] == after[k] {
				common[i][k] = common[i+1][k+1] + 1
			} else {
				common[i][k] = max(common[i+1][k], common[i][k+1])
			}
		}
	}
	var out []string
	i, k := 0, 0
	for i < len(before) || k < len(after) {
		switch {
		case i < len(before) && k < len(after) && before[i] == after[k]:
			out = append(out, "  "+after[k])
			i, k = i+1, k+1
		case k == len(after) || i < len(before) && common[i+1][k] >= common[i][k+1]:
			out = append(out, "- "+before[i])
			i++
		default:
			out = append(out, "+ "+after[k])
			k++
		}
	}
	return out
}
