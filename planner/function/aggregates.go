package function

import "github.com/cubeloom/cubeloom/planner/algebra"

var aggregates = []Function{
	{Name: "json_agg", Kind: Aggregate, Volatility: Stable, Nulls: NullCounts, Form: "json_agg", Text: "The array of the values in JSON.", Example: "json_agg(x ORDER BY x) FROM (VALUES (1), (NULL)) AS t(x)", Answer: "[1, null]", Usage: []string{"json_agg(any) → json"}},
	{Name: "jsonb_agg", Kind: Aggregate, Volatility: Stable, Nulls: NullCounts, Form: "json_agg", Text: "The array of the values in JSON.", Example: "jsonb_agg(x ORDER BY x) FROM (VALUES (1), (NULL)) AS t(x)", Answer: "[1, null]", Usage: []string{"jsonb_agg(any) → jsonb"}},
	{Name: "json_object_agg", Kind: Aggregate, Volatility: Stable, Nulls: NullCounts, Form: "json_object_agg", Text: "The object of the keys and values.", Example: "json_object_agg(k, v ORDER BY k) FROM (VALUES ('a', 1), ('b', 2)) AS t(k, v)", Answer: "{ \"a\" : 1, \"b\" : 2 }", Usage: []string{"json_object_agg(any, any) → json"}},
	{Name: "jsonb_object_agg", Kind: Aggregate, Volatility: Stable, Nulls: NullCounts, Form: "json_object_agg", Text: "The object of the keys and values.", Example: "jsonb_object_agg(k, v) FROM (VALUES ('a', 1), ('b', 2)) AS t(k, v)", Answer: "{\"a\": 1, \"b\": 2}", Usage: []string{"jsonb_object_agg(any, any) → jsonb"}},
	{Name: "count", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.Count, Text: "The number of rows, or of those in which the arguments are not NULL.", Example: "count(x) FROM (VALUES (1), (NULL), (3)) AS t(x)", Answer: "2",
		Usage: []string{"count(*) → bigint", "count(any) → bigint", "count(DISTINCT any, …) → bigint"}},
	{Name: "sum", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.Sum, Text: "The sum, which cannot overflow for integers.", Example: "sum(x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "7", Signatures: results("hl wl ln nn ff rr ii")},
	{Name: "avg", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.Avg, Text: "The arithmetic mean.", Example: "avg(x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "2.3333333333333333", Signatures: results("hn wn ln nn ff rf ii")},
	{Name: "min", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.Min, Text: "The least value.", Example: "min(x) FROM (VALUES (3), (1), (2)) AS t(x)", Answer: "1", Usage: []string{"min(any) → any"}},
	{Name: "max", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.Max, Text: "The greatest value.", Example: "max(x) FROM (VALUES (3), (1), (2)) AS t(x)", Answer: "3", Usage: []string{"max(any) → any"}},
	{Name: "any_value", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.AnyValue, Text: "One of the values.", Example: "any_value(x) FROM (VALUES (7), (7)) AS t(x)", Answer: "7", Usage: []string{"any_value(any) → any"}},
	{Name: "bool_and", Aliases: []string{"every"}, Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.BoolAnd, Text: "Whether all values are true.", Example: "bool_and(x) FROM (VALUES (true), (false)) AS t(x)", Answer: "f", Signatures: results("bb")},
	{Name: "bool_or", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.BoolOr, Text: "Whether one value is true.", Example: "bool_or(x) FROM (VALUES (true), (false)) AS t(x)", Answer: "t", Signatures: results("bb")},
	{Name: "bit_and", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.BitAnd, Text: "The bits that all values have.", Example: "bit_and(x) FROM (VALUES (7), (13)) AS t(x)", Answer: "5", Signatures: results("hh ww ll")},
	{Name: "bit_or", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.BitOr, Text: "The bits that one of the values has.", Example: "bit_or(x) FROM (VALUES (5), (8)) AS t(x)", Answer: "13", Signatures: results("hh ww ll")},
	{Name: "bit_xor", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.BitXor, Text: "The bits that an odd number of values has.", Example: "bit_xor(x) FROM (VALUES (5), (3)) AS t(x)", Answer: "6", Signatures: results("hh ww ll")},
	{Name: "approx_count_distinct", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.ApproxCountDistinct, Text: "About how many different values there are, within a few percent.", Example: "approx_count_distinct(x) FROM (VALUES (1), (2), (2)) AS t(x)", Answer: "2",
		Usage: []string{"approx_count_distinct(any) → bigint"}},
	{Name: "stddev_samp", Aliases: []string{"stddev"}, Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.StddevSamp, Text: "The standard deviation of a sample.", Example: "stddev_samp(x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "1.5275252316519467", Signatures: results(statistics)},
	{Name: "stddev_pop", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.StddevPop, Text: "The standard deviation of a population.", Example: "stddev_pop(x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "1.2472191289246471", Signatures: results(statistics)},
	{Name: "var_samp", Aliases: []string{"variance"}, Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.VarSamp, Text: "The variance of a sample.", Example: "var_samp(x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "2.3333333333333333", Signatures: results(statistics)},
	{Name: "var_pop", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.VarPop, Text: "The variance of a population.", Example: "var_pop(x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "1.5555555555555556", Signatures: results(statistics)},
	{Name: "skewness", Kind: Aggregate, Nulls: NullSkipped, Accumulator: "skewness", Text: "The skewness of a sample; NULL for fewer than three numbers, NaN where all are equal.",
		Example: "skewness(x) FROM (VALUES (0), (0), (0), (4)) AS t(x)", Answer: "2", Signatures: results("ff")},
	{Name: "kurtosis", Kind: Aggregate, Nulls: NullSkipped, Accumulator: "kurtosis", Text: "The excess kurtosis of a sample; NULL for fewer than four numbers and where all are equal.",
		Example: "kurtosis(x) FROM (VALUES (1), (2), (4), (9)) AS t(x)", Answer: "1.5", Signatures: results("ff")},
	{Name: "kurtosis_pop", Kind: Aggregate, Nulls: NullSkipped, Accumulator: "kurtosis_pop", Text: "The excess kurtosis of a population; NULL for one number and where all are equal.",
		Example: "kurtosis_pop(x) FROM (VALUES (0), (0), (4), (4)) AS t(x)", Answer: "-2", Signatures: results("ff")},
	ofPairs("corr", "The coefficient of correlation.", "0.5"),
	ofPairs("covar_pop", "The covariance of a population.", "0.6666666666666666"),
	ofPairs("covar_samp", "The covariance of a sample.", "1"),
	ofPairs("regr_avgx", "The mean of the second numbers.", "4"),
	ofPairs("regr_avgy", "The mean of the first numbers.", "2"),
	ofPairs("regr_intercept", "Where the regression line crosses the axis of the first numbers.", "1"),
	ofPairs("regr_r2", "The square of the coefficient of correlation.", "0.25"),
	ofPairs("regr_slope", "The slope of the regression line.", "0.25"),
	ofPairs("regr_sxx", "The sum of squares of the second numbers' differences from their mean.", "8"),
	ofPairs("regr_sxy", "The sum of products of both numbers' differences from their means.", "2"),
	ofPairs("regr_syy", "The sum of squares of the first numbers' differences from their mean.", "2"),
	{Name: "regr_count", Kind: Aggregate, Nulls: NullSkipped, Accumulator: algebra.Count, Text: "The number of pairs without a NULL.", Example: "regr_count(y, x) FROM (VALUES (1, 2), (2, NULL)) AS t(y, x)", Answer: "1",
		Signatures: []Signature{{Params: "ff", Result: 'l'}}},
	{Name: "grouping", Kind: Aggregate, Nulls: NullCounts, Form: "grouping", Text: "A bit for each argument, set where the row's grouping set does not have it.", Example: "grouping(x) FROM (VALUES (1), (1)) AS t(x) GROUP BY ROLLUP (x) ORDER BY 1", Answer: "0, 1",
		Usage: []string{"grouping(any, …) → integer"}},
	{Name: "count_if", Aliases: []string{"countif"}, Kind: Aggregate, Nulls: NullSkipped, Text: "The number of rows in which a condition is true.", Example: "count_if(x > 1) FROM (VALUES (1), (2), (NULL), (4)) AS t(x)", Answer: "2",
		Signatures: inSQL('l', "b", "count(nullif($1, false))")},
	{Name: "geometric_mean", Aliases: []string{"geomean"}, Kind: Aggregate, Nulls: NullSkipped, Text: "The root of the product of positive numbers whose degree is how many there are.",
		Example: "geometric_mean(x) FROM (VALUES (1), (4), (16)) AS t(x)", Answer: "4", Signatures: inSQL('f', "f", "exp(avg(ln($1)))")},
	{Name: "weighted_avg", Aliases: []string{"wavg"}, Kind: Aggregate, Nulls: NullSkipped, Text: "The mean of the first numbers, each as often as the second says; NULL where those sum to zero.",
		Example: "weighted_avg(x, w) FROM (VALUES (1.0, 1), (4.0, 2), (9.0, NULL)) AS t(x, w)", Answer: "3.0000000000000000", Signatures: list(inSQL('n', "nn", weightedAverage), inSQL('f', "ff", weightedAverage))},
	{Name: "string_agg", Kind: Aggregate, Nulls: NullSkipped, Form: "string_agg", Text: "The texts with a separator between them, in an order.", Example: "string_agg(x, ',' ORDER BY x) FROM (VALUES ('b'), ('a')) AS t(x)", Answer: "a,b",
		Usage: []string{"string_agg(text, text [ORDER BY …]) → text", "string_agg(bytea, bytea [ORDER BY …]) → bytea"}},
	{Name: "array_agg", Kind: Aggregate, Nulls: NullCounts, Form: "array_agg", Text: "The values as an array, in an order.", Example: "array_agg(x ORDER BY x DESC) FROM (VALUES (1), (2)) AS t(x)", Answer: "{2,1}",
		Usage: []string{"array_agg(any [ORDER BY …]) → anyarray"}},
	{Name: "arg_min", Aliases: []string{"min_by"}, Kind: Aggregate, Nulls: NullSkipped, Form: "arg_min", Text: "The first argument in the row in which the second is least.", Example: "arg_min(x, y) FROM (VALUES ('a', 2), ('b', 1)) AS t(x, y)", Answer: "b",
		Usage: []string{"arg_min(any, any) → any"}},
	{Name: "arg_max", Aliases: []string{"max_by"}, Kind: Aggregate, Nulls: NullSkipped, Form: "arg_max", Text: "The first argument in the row in which the second is greatest.", Example: "arg_max(x, y) FROM (VALUES ('a', 2), ('b', 1)) AS t(x, y)", Answer: "a",
		Usage: []string{"arg_max(any, any) → any"}},
	{Name: "median", Kind: Aggregate, Nulls: NullSkipped, Form: "median", Text: "The value in the middle, or between the two there.", Example: "median(x) FROM (VALUES (1), (2), (4), (9)) AS t(x)", Answer: "3",
		Signatures: results("ff ii")},
	{Name: "percentile_cont", Kind: Aggregate, Nulls: NullSkipped, Form: "percentile_cont", WithinGroup: true, Text: "The value at a constant fraction of the way from the first to the last, between two of them where it is at none.", Example: "percentile_cont(0.25) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "1.5",
		Usage: []string{"percentile_cont(double precision) WITHIN GROUP (ORDER BY double precision) → double precision", "percentile_cont(double precision) WITHIN GROUP (ORDER BY interval) → interval",
			"percentile_cont(double precision[]) WITHIN GROUP (ORDER BY double precision) → double precision[]", "percentile_cont(double precision[]) WITHIN GROUP (ORDER BY interval) → interval[]"}},
	{Name: "percentile_disc", Kind: Aggregate, Nulls: NullSkipped, Form: "percentile_disc", WithinGroup: true, Text: "The first value at or behind a constant fraction of the way from the first to the last.", Example: "percentile_disc(0.25) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (4)) AS t(x)", Answer: "1",
		Usage: []string{"percentile_disc(double precision) WITHIN GROUP (ORDER BY any) → any", "percentile_disc(double precision[]) WITHIN GROUP (ORDER BY any) → anyarray"}},
	{Name: "mode", Kind: Aggregate, Nulls: NullSkipped, Form: "mode", WithinGroup: true, Text: "The most frequent value, the first in the order of several.", Example: "mode() WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (2)) AS t(x)", Answer: "2",
		Usage: []string{"mode() WITHIN GROUP (ORDER BY any) → any"}},
	hypothetical("rank", "The rank that a row with a value would have.", "bigint", "4"),
	hypothetical("dense_rank", "The rank without gaps that a row with a value would have.", "bigint", "3"),
	hypothetical("percent_rank", "The rank that a row with a value would have, from 0 to 1.", "double precision", "0.75"),
	hypothetical("cume_dist", "The part of the rows that would stand up to a row with a value.", "double precision", "0.8"),
}

// weightedAverage leaves out pairs with a NULL.
const weightedAverage = "sum($1 * $2) / nullif(sum(CASE WHEN $1 IS NOT NULL THEN $2 END), 0)"

// statistics are the types of arguments and results of variances.
const statistics = "hn wn ln nn ff rf"

// results documents aggregates of one argument: words of the letters of an argument and
// its result.
func results(words string) []Signature {
	var all []Signature
	for i := 0; i < len(words); i += 3 {
		all = append(all, Signature{Params: words[i : i+1], Result: words[i+1]})
	}
	return all
}

// ofPairs is an aggregate of pairs of numbers.
func ofPairs(f algebra.AggFunc, text, answer string) Function {
	return Function{Name: string(f), Kind: Aggregate, Nulls: NullSkipped, Accumulator: f, Text: text,
		Example: string(f) + "(y, x) FROM (VALUES (1, 2), (3, 4), (2, 6)) AS t(y, x)", Answer: answer, Signatures: []Signature{{Params: "ff", Result: 'f'}}}
}

// hypothetical is a window function that says, as an aggregate, what it would be of a row
// that is not there.
func hypothetical(name, text, result, answer string) Function {
	return Function{Name: name, Kind: Aggregate, Nulls: NullCounts, Form: "hypothetical", Text: text,
		Example: name + "(3) WITHIN GROUP (ORDER BY x) FROM (VALUES (1), (2), (2), (4)) AS t(x)", Answer: answer, Usage: []string{name + "(any) WITHIN GROUP (ORDER BY any) → " + result}}
}
