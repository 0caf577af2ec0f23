package randquery

import "strings"

// A rule says how an expression of one kind is made of others. Its text holds
// placeholders in braces: the kind that stands there; {=} for the kind of the
// rule itself, in rules for every kind; {?} for one kind, the same at each
// place, that the generator chooses; {leaf kind} for a column or constant, where
// deeper nesting would overflow.
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
// zero, and arguments of logarithms and roots never out of their domain.
var scalarRules = map[Kind][]string{
	Bool: {
		"({?} = {?})", "({?} <> {?})", "({?} < {?})", "({?} <= {?})", "({?} > {?})", "({?} >= {?})",
		"({bool} AND {bool})", "({bool} OR {bool})", "(NOT {bool})",
		"({?} IS NULL)", "({?} IS NOT NULL)", "({?} IS DISTINCT FROM {?})", "({?} IS NOT DISTINCT FROM {?})",
		"({bool} IS TRUE)", "({bool} IS NOT FALSE)", "({bool} IS UNKNOWN)",
		"({?} BETWEEN {?} AND {?})", "({?} BETWEEN SYMMETRIC {?} AND {?})", "({?} NOT BETWEEN {?} AND {?})",
		"({?} IN ({?}, {?}))", "({?} NOT IN ({?}, {?}, {?}))",
		"({text} LIKE {pattern})", "({text} NOT LIKE {pattern})", "({text} ILIKE {pattern})",
		"({int} < {numeric})", "({float} >= {int})", "({big} = {int})", "({numeric} > {big})", "({small} <= {int})",
		"({date} < {timestamp})", "({numeric} <> {float})",
	},
	Small: {"CAST({small} AS smallint)", "abs({small})", "(- {small})"},
	Int: {
		"({int} + {int})", "({int} - {int})", "({leaf int} * {leaf int})", "({int} / nullif({int}, 0))", "({int} % nullif({int}, 0))",
		"({small} + {int})", "({int} - {small})", "(- {int})", "abs({int})", "mod({int}, 7)",
		"length({text})", "char_length({text})", "position({text} in {text})", "strpos({text}, {text})", "({date} - {date})",
		"CAST({small} AS integer)", "CAST({bool} AS integer)", "{int}::integer", "CAST(extract({datefield} FROM {date}) AS integer)",
		"CAST(round(mod({numeric}, 1000)) AS integer)", "CAST(CAST({int} AS text) AS integer)",
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
		"sign({numeric})", "log(abs({numeric}) + 1)", "extract(day FROM {interval})", "extract(epoch FROM {interval})",
	},
	Float: {
		"({float} + {float})", "({float} - {float})", "({float} * {float})", "({float} / 4)", "({float} + {int})",
		"(- {float})", "abs({float})", "round({float})", "floor({float})", "ceil({float})",
		"CAST({int} AS double precision)", "CAST({numeric} AS double precision)", "{small}::double precision",
		"~sqrt(abs({float}))", "~ln(abs({float}) + 1)", "~exp({float} / 100)", "~power(abs({float}), 1.5)", "~({float} / nullif({float}, 0))",
		"~CAST(sqrt(abs({float})) * {int} AS double precision)",
	},
	Text: {
		"upper({text})", "lower({text})", "trim({text})", "ltrim({text})", "rtrim({text})", "trim(both 'a' from {text})",
		"substring({text} from 2)", "substring({text} from {count} for {count})", "substring({text}, {count})",
		"({text} || {text})", "({text} || {int})", "left({text}, {count})", "right({text}, {count})",
		"replace({text}, 'a', {text})", "reverse({text})", "CAST({int} AS text)", "CAST({numeric} AS text)", "{date}::text",
		"CAST({bool} AS text)", "{float}::text", "{timestamp}::text", "CAST({text} AS varchar(2))",
		"concat({text}, {int}, {bool})", "lpad({text}, {count}, 'xy')", "rpad({text}, {count})", "split_part({text}, 'b', 1)",
		"repeat({text}, {count})", "btrim({text}, 'ab')", "({text} || {date})",
	},
	Date: {
		"({date} + {count})", "({date} - {count})", "CAST({timestamp} AS date)", "CAST(({date} + {interval}) AS date)",
		"CAST(date_trunc({dateunit}, {timestamp}) AS date)",
	},
	Timestamp: {
		"({date} + {interval})", "({timestamp} + {interval})", "({timestamp} - {interval})", "CAST({date} AS timestamp)",
		"date_trunc({timeunit}, {timestamp})", "({date} - {interval})",
	},
	Interval: {
		"({timestamp} - {timestamp})", "({interval} + {interval})", "({interval} * {count})", "(- {interval})",
	},
}

// aggregateRules are the aggregates by the kind of their result. {distinct} is
// DISTINCT or nothing.
var aggregateRules = map[Kind][]string{
	Bool:  {"bool_and({distinct}{bool})", "bool_or({bool})"},
	Small: {"min({small})", "max({small})"},
	Int:   {"min({int})", "max({distinct}{int})"},
	Big: {
		"count(*)", "count(*)", "count({?})", "count(DISTINCT {?})", "sum({distinct}{int})", "sum({int})", "sum({small})",
		"min({big})", "max({big})",
	},
	Numeric: {
		"sum({distinct}{numeric})", "sum({numeric})", "sum({big})", "avg({distinct}{int})", "avg({numeric})", "avg({big})",
		"min({numeric})", "max({numeric})", "stddev({int})", "stddev_pop({numeric})", "stddev_samp({numeric})",
		"variance({distinct}{numeric})", "var_pop({int})", "var_samp({big})", "avg({small})",
	},
	Float: {
		"min({float})", "max({float})", "~sum({float})", "~avg({float})", "~stddev({float})", "~var_pop({float})",
	},
	Text:      {"min({text})", "max({text})"},
	Date:      {"min({date})", "max({distinct}{date})"},
	Timestamp: {"min({timestamp})", "max({timestamp})"},
	Interval:  {"min({interval})", "max({interval})"},
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

func newRuleBook() ruleBook {
	parse := func(texts map[Kind][]string, common []string) map[Kind][]rule {
		rules := map[Kind][]rule{}
		for kind, list := range texts {
			for _, text := range append(append([]string(nil), list...), common...) {
				rules[kind] = append(rules[kind], parseRule(text))
			}
		}
		return rules
	}
	return ruleBook{parse(scalarRules, everyKind), parse(aggregateRules, nil), parse(unsafeRules, nil)}
}
