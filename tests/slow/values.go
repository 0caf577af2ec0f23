package slow

import "strings"

// functions are expressions over S, a text of 40 MB, X, one of 4 MB of a single
// letter, C, a list of four million numbers, and A, an array of three million.
var functions = []string{
	"length(regexp_replace(S, '[a-c]+', '<\\&>', 'g'))", "length(regexp_replace(S, '(b|c|bc)*d', 'z', 'gi'))",
	"regexp_count(S, '(a|b)+?c')", "regexp_instr(S, 'zz$')", "regexp_substr(S, '(.*)zz')", "regexp_like(S, '^(.*a){20}q')",
	"S ~ '(a?b?c?){30}zz'", "S ~* 'QQ'", "S similar to '%(ab|cd)*zz%'", "array_length(regexp_split_to_array(S, ' '), 1)",
	"array_length(regexp_match(S, '(a)(b)(c).*zz'), 1)", "substring(S from '.*(zz)')",
	"S like '%a%b%c%d%e%f%g%h%i%zz%'", "S like '%abc_ef_zz%'", "S ilike '%ABC_EF_ZZ%'", "S like repeat('%a', 100000)", "X like repeat('%x_', 2000) || 'y'",
	"X like '%' || repeat('x', 100000) || 'y%'", "X like '%' || repeat('_x', 50000) || 'y%'",
	"length(upper(S))", "length(lower(S))", "length(initcap(S))", "length(reverse(S))", "length(translate(S, 'abc', 'xyz'))",
	"length(translate(S, C, S))", "length(replace(S, 'a', 'bcd'))", "length(replace(X, 'x', repeat('y', 200)))", "length(S || S)", "length(concat(S, S, S))",
	"length(concat_ws(',', S, S, S))", "length(lpad(S, 100000000, 'xyz'))", "length(rpad(S, 200000000, 'é'))", "length(repeat(S, 20))", "length(repeat('x', 1000000000))",
	"length(overlay(S placing S from 100 for 5))", "length(substring(S from 20000000))", "length(left(S, -5))", "length(right(S, -20000000))",
	"length(trim(both 'abcdefghi ' from S))", "length(ltrim(S, C))", "length(rtrim(X, S || 'x'))", "position('zz' in S)", "position(repeat('x', 100000) || 'y' in X)", "strpos(S, repeat('abcdefghi ', 100000) || 'q')",
	"length(split_part(S, ' ', 3999999))", "split_part(S, ' ', -3999999)", "md5(S)", "ascii(S)", "octet_length(S)", "bit_length(S)", "length(quote_literal(S))", "length(quote_ident(S))",
	"starts_with(S, S || 'q')", "length(format('%s %s %L %I', S, S, S, S))", "length(to_char(date '2000-01-01', S))", "length(to_char(timestamp '2000-01-01 00:00', repeat('YYYY Month ', 200000)))",
	"length(to_char(12345.678, repeat('9', 2000000)))", "length(to_char(1234, X))", "length(to_char(interval '1 day', repeat('HH24 MI ', 1000000)))",
	"to_date(S, S)", "to_timestamp(S, S)", "to_number(repeat('1', 4000000), repeat('9', 4000000))", "to_number(C, repeat('9,', 4000000))",
	"array_length(string_to_array(S, ' '), 1)", "array_length(string_to_array(repeat('a,', 50000000), ','), 1)", "array_length(string_to_array(S, null), 1)",
	"length(array_to_string(string_to_array(S, ' '), '--'))", "cardinality(string_to_array(C, ','))", "('{' || C || '1}')::int[] = ('{' || C || '2}')::int[]",
	"cardinality(array_cat(A, A))", "cardinality(array_append(A, 'x'))", "cardinality(array_prepend('x', A))", "cardinality(array_remove(A, '7'))", "cardinality(array_replace(A, '7', '8888888'))",
	"array_position(A, '8')", "cardinality(array_positions(A, '7'))", "A @> A", "A && string_to_array(C, ',')", "A < A || array['8']", "A = A || array['8']", "'8' = any (A)", "'7' = all (A)",
	"cardinality(A[2:2999999])", "A[2999999]", "cardinality(trim_array(A, 5))", "length(A::text)", "length(array_to_string(A, ','))", "cardinality(A::int[])", "cardinality(A::numeric[])", "array_dims(A)",
	"S = S || 'x'", "S < S || 'x'", "S in (S || 'x', S || 'y')", "coalesce(nullif(S, S), S) = S", "length(greatest(S, S || 'z'))", "X::int", "X::numeric", "C::date", "C::float8", "('1' || repeat('0', 4000000))::numeric", "S::timestamp", "S::interval",
	"length(S::varchar(30000000))", "length(S::char(90000000))", "length(md5(S) || S)", "length(regexp_replace(S, S, 'x'))", "S ~ repeat('(a|b)', 100000)", "S ~ repeat('a?', 1000)", "length(quote_nullable(S))",
	"length((select string_agg(S, ',') from generate_series(1, 30)))", "(select count(*) from regexp_matches(S, '[a-c]', 'g'))", "(select count(*) from unnest(A))", "(select count(*) from regexp_split_to_table(S, ' '))", "(select count(*) from string_to_table(S, ' '))",
	"(select sum(length(S || i)) from generate_series(1, 200) i)",
}

// values are the functions, over the columns of a row and over constants.
func values() []Statement {
	columns := strings.NewReplacer("S", "s", "X", "x", "C", "c", "A", "a")
	constants := strings.NewReplacer("S", "repeat('abcdefghi ', 4000000)", "X", "repeat('x', 4000000)", "C", "repeat('1,', 4000000)", "A", "string_to_array(repeat('7,', 3000000), ',')")
	var out []Statement
	for _, f := range functions {
		out = append(out,
			Statement{Name: "column " + f, SQL: "select " + over(columns, f) + " from huge, longarray"},
			Statement{Name: "constant " + f, SQL: "select " + over(constants, f)},
		)
	}
	return out
}

// over puts something in the place of the capital letters of a function that stand
// alone.
func over(by *strings.Replacer, f string) string {
	var out strings.Builder
	word := func(c byte) bool {
		return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
	}
	quoted := false
	for i := range len(f) {
		quoted = quoted != (f[i] == '\'')
		if quoted || i > 0 && word(f[i-1]) || i+1 < len(f) && word(f[i+1]) {
			out.WriteByte(f[i])
		} else {
			out.WriteString(by.Replace(f[i : i+1]))
		}
	}
	return out.String()
}
