package several

// How devices join with a table, and group.
const (
	exchangeCopy = "copy" // each has the table of all rows, and one merges the groups
	exchangeHash = "hash" // each has that of a part, and rows are sent to where their matches or groups are
)

// Exchanges are the ways in which devices join with a table, and group.
func Exchanges() []string { return []string{exchangeCopy, exchangeHash} }
