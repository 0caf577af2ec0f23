package randquery

import (
	"strings"
)

// A rule says how an expression of one kind is made of others. Its text holds
// placeholders in braces: the kind that stands there; {=} for the kind of the
// rule itself, in rules for every kind; {?} for one kind, the same at each
// place, that the generator chooses; {leaf kind} for a column or constant, where
// deeper nesting would overflow; {column kind} for one that is no aggregate or window
// function; {last} for the expression before once more.
type rule struct {
	parts []string // the texts between the placeholders
	kids  []Kind
	// inexact says that the last bits of the value depend on the engine.
	inexact bool
}

// parseRule reads a rule; a leading ~ marks it inexact.
func parseRule(text string) rule {
	var r rule
	text, r.inexact = strings.CutPrefix(text, "~")
	for {
		before, rest, found := strings.Cut(text, "{")
		r.parts = append(r.parts, before)
		if !found {
			return r
		}
		kind, after, _ := strings.Cut(rest, "}")
		r.kids, text = append(r.kids, Kind(kind)), after
	}
}

// ordered reports whether an aggregate needs the rows of a group in an order.
func (r rule) ordered() bool { return strings.Contains(strings.Join(r.parts, ""), "ORDER BY") }

// everyKind are rules for expressions of every kind.
var everyKind = []string{
	"CASE WHEN {bool} THEN {=} ELSE {=} END",
	"CASE WHEN {bool} THEN {=} WHEN {bool} THEN {=} END",
	"CASE {?} WHEN {?} THEN {=} WHEN {?} THEN {=} ELSE {=} END",
	"coalesce({=}, {=})",
	"nullif({=}, {=})",
	"greatest({=}, {=})", "least({=}, {=}, {=})",
}

// scalarRules are the rules for each kind besides everyKind. Divisors are never
// zero where they divide, and arguments of logarithms and roots never out of their domain.
var scalarRules = map[Kind][]string{
	Bool: {
		"({?} = {?})", "({?} <> {?})", "({?} < {?})", "({?} <= {?})", "({?} > {?})", "({?} >= {?})",
		"({bool} AND {bool})", "({bool} OR {bool})", "(NOT {bool})",
		"({?} IS NULL)", "({?} IS NOT NULL)", "({?} IS DISTINCT FROM {?})", "({?} IS NOT DISTINCT FROM {?})",
		"CASE WHEN ({column int} <> 0) THEN EXISTS (SELECT 1 FROM generate_series(1, 3) AS u(x) WHERE u.x > 9 / {last}) ELSE {bool} END",
		"CASE WHEN ({column int} <> 0) THEN ((9 / {last}) IN (SELECT u.x FROM generate_series(1, 9) AS u(x))) END",
		"({bool} IS TRUE)", "({bool} IS NOT FALSE)", "({bool} IS UNKNOWN)",
		"({?} BETWEEN {?} AND {?})", "({?} BETWEEN SYMMETRIC {?} AND {?})", "({?} NOT BETWEEN {?} AND {?})",
		"({?} IN ({?}, {?}))", "({?} NOT IN ({?}, {?}, {?}))",
		"({text} LIKE {pattern})", "({text} NOT LIKE {pattern})", "({text} ILIKE {pattern})",
		"({int} < {numeric})", "({float} >= {int})", "({big} = {int})", "({numeric} > {big})", "({small} <= {int})",
		"({date} < {timestamp})", "isfinite({date})", "isfinite({timestamp})", "({numeric} <> {float})",
		"(({?}, {int}) = ({?}, {int}))", "(({text}, {?}) <> ({text}, {?}))", "(({?}, {text}) < ({?}, {text}))", "(({?}, {int}) >= ({?}, {int}))",
		"(({?}, {int}) IS DISTINCT FROM ({?}, {int}))", "(({?}, {text}) IN (({?}, {text}), ({?}, {text})))", "(({?}, {int}) IS NULL)",
		"({?} = ANY (ARRAY[{?}, {?}]))", "({?} > ALL (ARRAY[{?}, {?}]))",
		"({text} ~ {regex})", "({text} !~ {regex})", "({text} ~* {regex})", "({text} SIMILAR TO {similar})", "starts_with({text}, {text})",
		"(round({leaf numeric}, {leaf int} % 6) > {numeric})",
	},
	Small: {"CAST({small} AS smallint)", "abs({small})", "(- {small})"},
	Int: {
		"({int} + {int})", "({int} - {int})", "({leaf int} * {leaf int})", "({int} / nullif({int}, 0))", "({int} % nullif({int}, 0))",
		"({int} & {int})", "({int} | {small})", "({int} # {int})", "(~ {int})", "(({int} << {small}) & 255)", "({int} >> 3)",
		"({small} + {int})", "({int} - {small})", "(- {int})", "abs({int})", "mod({int}, 7)",
		"length({text})", "char_length({text})", "position({text} in {text})", "strpos({text}, {text})", "({date} - {date})",
		"CAST({small} AS integer)", "CAST({bool} AS integer)", "{int}::integer", "CAST(extract({datefield} FROM {date}) AS integer)",
		"CAST(round(mod({numeric}, 1000)) AS integer)", "CAST(CAST({int} AS text) AS integer)",
		"ascii({text})", "octet_length({text})", "gcd({int}, {leaf int})", "scale(trim_scale({numeric}))", "width_bucket({numeric}, -10, 20.5, 7)", "scale({numeric})",
		"CASE WHEN ({leaf int} <> 0) THEN (7 / {last}) END", "CASE WHEN ({text} ~ '^[0-9][0-9]?$') THEN CAST({last}::text AS integer) END",
		"CASE WHEN ({column int} <> 0) THEN CAST((SELECT sum(u.x / {last}) FROM generate_series(1, 4) AS u(x)) AS integer) ELSE {column int} END",
		"CASE WHEN ({column int} = 0) THEN -1 ELSE (SELECT max(u.x + 100 / {last}) FROM (VALUES (1), (2)) AS u(x) WHERE u.x < {column int}) END",
		"CASE WHEN (({column int} <> 0) AND {bool}) THEN (SELECT u.x FROM generate_series(-3, 3) AS u(x) WHERE u.x > {column int} ORDER BY u.x DESC OFFSET 1 LIMIT 1) END",
		"regexp_count({text}, {regex})", "regexp_instr({text}, {regex})", "CAST(date_part({dateunit}, {date}) AS integer)",
	},
	Big: {
		"CAST({int} AS bigint)", "({big} + {int})", "({int} - {big})", "(CAST({int} AS bigint) * {leaf int})",
		"({big} / nullif({int}, 0))", "({big} % nullif({int}, 0))", "(- {big})", "abs({big})", "{int}::bigint",
	},
	Numeric: {
		"({numeric} + {numeric})", "({numeric} - {numeric})", "({leaf numeric} * {leaf numeric})",
		"({numeric} / nullif({numeric}, 0))", "({numeric} % nullif({numeric}, 0))",
		"({leaf int} * {numeric})", "({numeric} + {big})", "({numeric} / 3)", "(- {numeric})", "abs({numeric})",
		"round({numeric})", "round({numeric}, {digits})", "floor({numeric})", "ceil({numeric})", "trunc({numeric}, {digits})",
		"CAST({int} AS numeric(12,3))", "CAST({numeric} AS numeric(20,1))", "{int}::numeric", "CAST({float} AS numeric)",
		"CAST({big} AS numeric)", "extract({datefield} FROM {date})", "extract({timefield} FROM {timestamp})",
		"sqrt(abs({numeric}))", "ln(abs({numeric}) + 1)", "exp(mod({numeric}, 20))", "power(abs({leaf numeric}), 2)", "mod({numeric}, 2.5)",
		"div({numeric}, nullif({numeric}, 0))", "factorial({count})",
		"CAST(CAST({numeric} AS text) AS numeric)", "sign({numeric})", "log(abs({numeric}) + 1)", "extract(day FROM {interval})", "extract(epoch FROM {interval})",
	},
	Float: {
		"({float} + {float})", "({float} - {float})", "({float} * {float})", "({float} / 4)", "({float} + {int})",
		"(- {float})", "abs({float})", "round({float})", "floor({float})", "ceil({float})",
		"CAST({int} AS double precision)", "CAST({numeric} AS double precision)", "{small}::double precision",
		"~sqrt(abs({float}))", "~ln(abs({float}) + 1)", "~exp({float} / 100)", "~power(abs({float}), 1.5)", "~({float} / nullif({float}, 0))",
		"~CAST(sqrt(abs({float})) * {int} AS double precision)", "~sin({float})", "~atan2({float}, {float})", "~cbrt({float})",
		"sign({float})", "date_part({timeunit}, {timestamp})", "CAST({float}::text AS double precision)",
	},
	Text: {
		"upper({text})", "lower({text})", "trim({text})", "ltrim({text})", "rtrim({text})", "trim(both 'a' from {text})",
		"substring({text} from 2)", "substring({text} from {count} for {count})", "substring({text}, {count})",
		"({text} || {text})", "({text} || {int})", "left({text}, {count})", "right({text}, {count})",
		"to_char({numeric}, 'S9G999D99')", "to_char({leaf numeric}, 'FM99990.099')", "to_char({int}, '0999MI')", "to_char({big}, '999999999999PR')",
		"substring({text} from {regex})", "format('%s, %2$L', {int}, {text})",
		"replace({text}, 'a', {text})", "reverse({text})", "CAST({int} AS text)", "CAST({numeric} AS text)", "{date}::text",
		"CAST({bool} AS text)", "{float}::text", "{timestamp}::text", "CAST({text} AS varchar(2))",
		"concat({text}, {int}, {bool})", "lpad({text}, {count}, 'xy')", "rpad({text}, {count})", "split_part({text}, 'b', 1)",
		"repeat({text}, {count})", "btrim({text}, 'ab')", "({text} || {date})",
		"md5({text})", "concat_ws({text}, {text}, {int}, {date})", "initcap({text})", "translate({text}, 'abé', 'xy')", "to_hex({int})",
		"regexp_replace({text}, {regex}, 'X')", "regexp_replace({text}, '[ab]+', {count}::text, 'g')", "regexp_substr({text}, {regex})",
		"overlay({text} placing {text} from 2 for {count})", "to_char({timestamp}, {timepattern})", "to_char({date}, {datepattern})",
		"CAST({interval} AS text)", "chr(65 + abs({leaf int}) % 26)",
	},
	Date: {
		"({date} + {count})", "({date} - {count})", "CAST({timestamp} AS date)", "CAST(({date} + {interval}) AS date)",
		"CAST(date_trunc({dateunit}, {timestamp}) AS date)", "make_date(2000 + {leaf int} % 50, 1 + {count}, 28)",
		"to_date(to_char({date}, 'DD.MM.YYYY'), 'DD.MM.YYYY')", "CAST({date}::text AS date)",
	},
	Timestamp: {
		"({date} + {interval})", "({timestamp} + {interval})", "({timestamp} - {interval})", "CAST({date} AS timestamp)",
		"date_trunc({timeunit}, {timestamp})", "({date} - {interval})", "CAST({timestamp}::text AS timestamp)",
		"date_bin(interval '6 hours', {timestamp}, timestamp '2000-01-01 00:30:00')",
	},
	Interval: {
		"({timestamp} - {timestamp})", "({interval} + {interval})", "({interval} * {count})", "(- {interval})",
		"({interval} - {interval})", "({interval} / 4)", "age({timestamp}, {timestamp})", "age({date}, {date})", "justify_interval({interval})",
		"justify_hours({interval})", "CAST(CAST({interval} AS text) AS interval)",
	},
}

// aggregateRules are the aggregates by the kind of their result. {distinct} is
// DISTINCT or nothing.
var aggregateRules = map[Kind][]string{
	Bool:  {"bool_and({distinct}{bool})", "bool_or({bool})", "every({bool})"},
	Small: {"min({small})", "max({small})"},
	Int:   {"min({int})", "max({distinct}{int})", "bit_and({distinct}{int})", "bit_xor({distinct}{int})", "bit_and({int})", "bit_or({distinct}{int})", "mode() WITHIN GROUP (ORDER BY {int})", "percentile_disc(0.5) WITHIN GROUP (ORDER BY {int} DESC)"},
	Big: {
		"bit_or({big})", "regr_count({float}, {float})",
		"count(*)", "count(*)", "count({?})", "count(DISTINCT {?})", "sum({distinct}{int})", "sum({int})", "sum({small})",
		"min({big})", "max({big})", "regr_count({float}, {float})", "percentile_disc(0.3) WITHIN GROUP (ORDER BY {big})",
	},
	Numeric: {
		"sum({distinct}{numeric})", "sum({numeric})", "sum({big})", "avg({distinct}{int})", "avg({numeric})", "avg({big})",
		"min({numeric})", "max({numeric})", "stddev({int})", "stddev_pop({numeric})", "stddev_samp({numeric})",
		"variance({distinct}{numeric})", "var_pop({int})", "var_samp({big})", "avg({small})",
	},
	Float: {
		"min({float})", "max({float})", "~sum({float})", "~avg({float})", "~stddev({float})", "~var_pop({float})",
		"percentile_cont(0.25) WITHIN GROUP (ORDER BY {float})", "percentile_cont(0.5) WITHIN GROUP (ORDER BY {int} DESC)",
		"~corr({float}, {float})", "~covar_pop({float}, {float})", "~covar_samp({float}, {int})", "~regr_slope({float}, {float})",
		"~regr_avgx({float}, {float})", "~regr_r2({float}, {float})", "~regr_intercept({float}, {float})",
		"~covar_pop({float}, {float})", "~covar_samp({float}, {int})", "~regr_avgx({float}, {float})", "~regr_sxy({int}, {float})",
	},
	Text: {
		"min({text})", "max({text})", "string_agg({distinct}{leaf text}::text, ',' ORDER BY {last}::text)", "string_agg({text}, '' ORDER BY {last} DESC NULLS LAST)",
		"mode() WITHIN GROUP (ORDER BY {text}::text DESC)",
	},
	Date:      {"min({date})", "max({distinct}{date})", "percentile_disc(0.75) WITHIN GROUP (ORDER BY {date})"},
	Timestamp: {"min({timestamp})", "max({timestamp})", "mode() WITHIN GROUP (ORDER BY {timestamp})"},
	Interval:  {"min({interval})", "max({interval})", "sum({interval})", "avg({interval})"},
}

// unsafeRules may fail: by division by zero, overflow, or a bad argument.
var unsafeRules = map[Kind][]string{
	Int:     {"({int} / {int})", "({int} % {int})", "({int} * 2000000000)", "CAST({text} AS integer)", "CAST({big} AS integer)", "(2147483647 + {int})"},
	Small:   {"CAST({int} * 10000 AS smallint)", "(CAST({int} AS smallint) * CAST(9999 AS smallint))"},
	Big:     {"({big} / {big})", "({big} * {big})", "(9223372036854775807 - {big})"},
	Numeric: {"({numeric} / {numeric})", "ln({numeric})", "sqrt({numeric})", "CAST({numeric} AS numeric(3,2))"},
	Float:   {"({float} / {float})", "sqrt({float})", "ln({float})"},
	Date:    {"CAST({text} AS date)"},
}

// A ruleBook holds the parsed rules.
type ruleBook struct {
	scalar, aggregate, unsafe map[Kind][]rule
}

// newRuleBook parses the rules, with those of the wide kinds where wide says so.
func newRuleBook(wide bool) ruleBook {
	parse := func(texts map[Kind][]string, common []string) map[Kind][]rule {
		rules := map[Kind][]rule{}
		for kind, list := range texts {
			for _, text := range append(append([]string(nil), list...), common...) {
				rules[kind] = append(rules[kind], parseRule(text))
			}
		}
		return rules
	}
	scalar, aggregate := scalarRules, aggregateRules
	if wide {
		scalar, aggregate = joined(scalarRules, wideScalarRules), joined(aggregateRules, wideAggregateRules)
	}
	return ruleBook{parse(scalar, everyKind), parse(aggregate, nil), parse(unsafeRules, nil)}
}
