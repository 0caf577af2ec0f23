package slow

// Statements are all of the corpus, in a fixed order.
func Statements() []Statement {
	var all []Statement
	all = append(all, values()...)
	all = append(all, plans()...)
	all = append(all, rows()...)
	all = append(all, changes()...)
	return append(all, catalogs()...)
}
