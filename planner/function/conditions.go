package function

var conditions = []Function{
	{Name: "coalesce", Nulls: NullCounts, Text: "The first argument that is not NULL; those behind it are not computed.", Example: "coalesce(NULL, 2, 3)", Answer: "2", Form: "coalesce", Usage: []string{"coalesce(any, …) → any"}},
	{Name: "nullif", Nulls: NullCounts, Text: "The first argument, or NULL where it equals the second.", Example: "nullif(1, 2)", Answer: "1", Form: "nullif", Usage: []string{"nullif(any, any) → any"}},
	{Name: "greatest", Nulls: NullCounts, Text: "The greatest argument that is not NULL.", Example: "greatest(3, NULL, 7)", Answer: "7", Form: "greatest", Usage: []string{"greatest(any, …) → any"}},
	{Name: "least", Nulls: NullCounts, Text: "The least argument that is not NULL.", Example: "least(3, NULL, 7)", Answer: "3", Form: "least", Usage: []string{"least(any, …) → any"}},
	{Name: "num_nulls", Nulls: NullCounts, Text: "How many arguments are NULL.", Example: "num_nulls(1, NULL, 2)", Answer: "1", Form: "num_nulls", Usage: []string{"num_nulls(any, …) → integer"}},
	{Name: "num_nonnulls", Nulls: NullCounts, Text: "How many arguments are not NULL.", Example: "num_nonnulls(1, NULL, 2)", Answer: "2", Form: "num_nonnulls", Usage: []string{"num_nonnulls(any, …) → integer"}},
	{Name: "pg_typeof", Volatility: Stable, Nulls: NullCounts, Text: "The name of the argument's type.", Example: "pg_typeof(33)", Answer: "integer", Form: "pg_typeof", Usage: []string{"pg_typeof(any) → text"}},
}
