package randquery

// Laws are the laws by name.
var Laws = []Law{
	{"tlp-where", "the rows where a condition is true, false and NULL are all rows", plainSubject, checkWhere},
	{"tlp-having", "the groups where HAVING is true, false and NULL are all groups", groupedSubject, checkHaving},
	{"tlp-aggregate", "aggregates of three parts of the rows combine to those of all, also of grouping sets", aggregateSubject, checkAggregates},
	{"joins", "outer joins are the inner join and the rows without a partner; the thirds of an inner join are all pairs", joinSubject, checkJoin},
	{"norec", "as many rows pass a filter as make the condition true in the select list", plainSubject, checkCount},
	{"pqs", "a query whose conditions hold for a chosen row has that row in its answer", pivotSubject, checkPivot},
	{"eet", "a query answers as one with equivalent expressions, joins, subqueries and set operations", anySubject, checkRewritten},
	{"agree", "a query answers under a configuration as on one thread without weaving and merges", anySubject, checkAgreement},
}

// Case makes the case of a seed for a law, over the generator's tables.
func (from *Generator) Case(law Law, seed uint64, tables []Table) *Case {
	g := from.start(seed)
	c := &Case{Law: law, Seed: seed, Tables: tables, Query: law.subject(g)}
	c.choosePivots()
	return c
}

// With returns the case over tables that hold other rows.
func (c *Case) With(tables []Table) *Case {
	other := *c
	other.Tables = tables
	other.choosePivots()
	return &other
}
