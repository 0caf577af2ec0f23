package value

import (
	"maps"
	"math"
)

// Routines returns the overloads of a name, nil for none.
func Routines(name string) []Routine {
	if found := routines[name]; found != nil {
		return found
	}
	return arrayRoutines[name]
}

// FindRoutine returns the overload of a name with exactly these parameters.
func FindRoutine(name, params string) (Routine, bool) {
	for _, r := range Routines(name) {
		if r.Params == params {
			return r, true
		}
	}
	return Routine{}, false
}

// The routines that have names of their own: div, round and trunc to a number of
// digits that is not known beforehand, to_char of numbers, log of two numbers,
// substring by a regular expression, parts of lists, and make_interval.
const (
	WholeQuotient = "whole quotient"
	RoundTo       = "round to"
	TruncTo       = "trunc to"
	NumberToChar  = "number to char"
	MakeInterval  = "make interval"
	Logarithm     = "log of base"

	SubstringMatch = "substring of match"
	TextWithout    = "text without" // (text, from, up to[, from, up to]…) is a part of a text, in bytes, without parts of it

	RandomOf = "random of" // a seed and the number of a row
	RowCount = "row count" // of LIMIT or OFFSET, as it is called
	RowField = "row field" // a text as it stands in that of a row
	RowMade  = "row made"  // (text) is a row that PostgreSQL would write
	RowPart  = "row part"  // (row, i) is the text of field i, from 0 on
	RowOrder = "row order" // (types, row) is RowKey
)

// routines are all of them, by PostgreSQL's names.
var routines = addResults(map[string][]Routine{
	"cbrt": real1(math.Cbrt), "degrees": real1(func(x float64) float64 { return x / radian }),
	"radians": real1(func(x float64) float64 { return x * radian }),
	"sin":     angle(math.Sin), "cos": angle(math.Cos), "tan": angle(math.Tan),
	"cot":  angle(func(x float64) float64 { return 1 / math.Tan(x) }),
	"asin": arc(math.Asin), "acos": arc(math.Acos), "atan": real1(math.Atan),
	"atan2": {{Params: "ff", Result: 'f', Call: func(a []Value) (Value, error) { return floatValue(math.Atan2(a[0].F, a[1].F)), nil }}},
	"sinh":  real1(math.Sinh), "cosh": real1(math.Cosh), "tanh": real1(math.Tanh),
	"asinh": real1(math.Asinh), "acosh": arc(math.Acosh), "atanh": arc(math.Atanh),

	"gcd":       {{Params: "ww", Result: 'w', Call: divisors(32, false)}, {Params: "ll", Result: 'l', Call: divisors(64, false)}},
	"lcm":       {{Params: "ww", Result: 'w', Call: divisors(32, true)}, {Params: "ll", Result: 'l', Call: divisors(64, true)}},
	"factorial": {{Params: "l", Result: 'n', Call: factorial}},
	"width_bucket": {
		{Params: "nnnw", Result: 'w', Call: numericBucket}, {Params: "fffw", Result: 'w', Call: floatBucket},
	},
	"scale":      {{Params: "n", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(a[0].Num.Scale)), nil }}},
	"min_scale":  {{Params: "n", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(a[0].Num.Normalize().Scale)), nil }}},
	"trim_scale": {{Params: "n", Result: 'n', Call: func(a []Value) (Value, error) { return numValue(a[0].Num.Normalize()), nil }}},
	RoundTo:      {{Params: "nw", Result: 'n', Call: toDigits(Num.Round)}},
	TruncTo:      {{Params: "nw", Result: 'n', Call: toDigits(Num.Trunc)}},
	NumberToChar: {
		{Params: "ws", Result: 's', Metered: intToChar(32)}, {Params: "ls", Result: 's', Metered: intToChar(64)},
		{Params: "ns", Result: 's', Metered: numberToChar},
		{Params: "fs", Result: 's', Metered: floatToChar(15)}, {Params: "rs", Result: 's', Metered: floatToChar(6)},
		{Params: "is", Result: 's', Metered: intervalToChar, Nullable: true},
	},

	WholeQuotient: {{Params: "nn", Result: 'n', Call: wholeQuotient}},

	"initcap":       {{Params: "s", Result: 's', Metered: initCap}},
	"pg_size_bytes": {{Params: "s", Result: 'l', Call: sizeBytes}},
	"unistr":        {{Params: "s", Result: 's', Metered: unescapeUnicode}},
	"normalize":     {{Params: "s", Result: 's', Metered: normalizeText}, {Params: "ss", Result: 's', Metered: normalizeText}},
	"is_normalized": {{Params: "s", Result: 'b', Metered: isNormalized}, {Params: "ss", Result: 'b', Metered: isNormalized}},
	"translate":     {{Params: "sss", Result: 's', Metered: translate}},
	"ascii":         {{Params: "s", Result: 'w', Call: firstCodePoint}},
	"chr":           {{Params: "w", Result: 's', Call: characterOf}},
	"overlay":       {{Params: "ssw", Result: 's', Metered: overlay}, {Params: "ssww", Result: 's', Metered: overlay}},
	"octet_length": {
		{Params: "s", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(len(a[0].S))), nil }},
		{Params: "y", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(int64(byteaLength(a[0].S))), nil }},
	},
	"bit_length": {
		{Params: "s", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(8 * int64(len(a[0].S))), nil }},
		{Params: "y", Result: 'w', Call: func(a []Value) (Value, error) { return intValue(8 * int64(byteaLength(a[0].S))), nil }},
	},
	"to_hex": {{Params: "w", Result: 's', Call: hexadecimal(32)}, {Params: "l", Result: 's', Call: hexadecimal(64)}},

	"regexp_count": {
		{Params: "ss", Result: 'w', Metered: regexpCount}, {Params: "ssw", Result: 'w', Metered: regexpCount},
		{Params: "ssws", Result: 'w', Metered: regexpCount},
	},
	"regexp_substr": {
		{Params: "ss", Result: 's', Metered: regexpSubstr, Nullable: true}, {Params: "ssw", Result: 's', Metered: regexpSubstr, Nullable: true},
		{Params: "ssww", Result: 's', Metered: regexpSubstr, Nullable: true}, {Params: "sswws", Result: 's', Metered: regexpSubstr, Nullable: true},
		{Params: "sswwsw", Result: 's', Metered: regexpSubstr, Nullable: true},
	},
	"regexp_instr": {
		{Params: "ss", Result: 'w', Metered: regexpInstr}, {Params: "ssw", Result: 'w', Metered: regexpInstr},
		{Params: "ssww", Result: 'w', Metered: regexpInstr}, {Params: "sswww", Result: 'w', Metered: regexpInstr},
		{Params: "sswwws", Result: 'w', Metered: regexpInstr}, {Params: "sswwwsw", Result: 'w', Metered: regexpInstr},
	},
	ReplaceFrom: {
		{Params: "sssw", Result: 's', Metered: replaceFrom}, {Params: "sssww", Result: 's', Metered: replaceFrom},
		{Params: "ssswws", Result: 's', Metered: replaceFrom},
	},
	"similar_to_escape": {{Params: "s", Result: 's', Metered: similarPattern}, {Params: "ss", Result: 's', Metered: similarPattern}},

	BitAnd:     bitwise(func(x, y int64) int64 { return x & y }),
	BitOr:      bitwise(func(x, y int64) int64 { return x | y }),
	BitXor:     bitwise(func(x, y int64) int64 { return x ^ y }),
	ShiftLeft:  shifted(func(x int64, n uint) int64 { return x << n }),
	ShiftRight: shifted(func(x int64, n uint) int64 { return x >> n }),

	RandomOf: {{Params: "ll", Result: 'f', Call: randomOf}},
	RowCount: {{Params: "ls", Result: 'l', Call: rowCount}},
	RowField: {{Params: "s", Result: 's', Metered: rowField}},
	RowMade:  {{Params: "s", Result: 'R', Call: func(a []Value) (Value, error) { return a[0], nil }}},
	RowPart:  {{Params: "Rw", Result: 's', Metered: rowPart, Nullable: true}},
	RowOrder: {{Params: "sR", Result: 's', Metered: rowOrder}},

	Logarithm:      {{Params: "nn", Result: 'n', Call: logarithm}},
	SubstringMatch: {{Params: "ss", Result: 's', Metered: substringRegexp, Nullable: true}},
	TextWithout: {
		{Params: "sll", Result: 's', Metered: textWithout}, {Params: "sllll", Result: 's', Metered: textWithout},
		{Params: "sllllll", Result: 's', Metered: textWithout},
	},

	MakeInterval: {{Params: "wwwwwwf", Result: 'i', Call: intervalOf}},

	"to_number": {{Params: "ss", Result: 'n', Metered: toNumber, Nullable: true}},

	"make_date":                            {{Params: "www", Result: 'd', Call: makeDate}},
	"make_timestamp":                       {{Params: "wwwwwf", Result: 't', Call: makeTimestamp}},
	"date_bin":                             {{Params: "itt", Result: 't', Call: dateBin}, {Params: "izz", Result: 'z', Call: dateBin}},
	"justify_days":                         {{Params: "i", Result: 'i', Call: onInterval(justifyDays)}},
	"justify_hours":                        {{Params: "i", Result: 'i', Call: onInterval(justifyHours)}},
	"justify_interval":                     {{Params: "i", Result: 'i', Call: onInterval(justifyInterval)}},
	"approx_count_distinct" + ResultSuffix: {{Params: "s", Result: 'l', Call: sketchCount}},

	"isfinite": {{Params: "i", Result: 'b', Call: func([]Value) (Value, error) { return boolValue(true), nil }}},
})

// addResults adds what makes variances of exact numbers of their parts, and what has a
// file of its own.
func addResults(all map[string][]Routine) map[string][]Routine {
	for name, m := range moments {
		all[name+ResultSuffix] = momentRoutine(m)
	}
	maps.Copy(all, zoneRoutines)
	maps.Copy(all, fieldRoutines)
	maps.Copy(all, catalogTypeRoutines)
	maps.Copy(all, styleRoutines)
	maps.Copy(all, seriesRoutines)
	maps.Copy(all, matchRoutines)
	maps.Copy(all, identRoutines)
	maps.Copy(all, formatRoutines)
	maps.Copy(all, degreeRoutines)
	maps.Copy(all, realRoutines)
	maps.Copy(all, modifierRoutines)
	maps.Copy(all, jsonRoutines)
	maps.Copy(all, pathRoutines)
	maps.Copy(all, uuidRoutines)
	maps.Copy(all, enumRoutines)
	maps.Copy(all, domainRoutines)
	maps.Copy(all, byteaRoutines)
	maps.Copy(all, bitRoutines)
	maps.Copy(all, clockRoutines)
	maps.Copy(all, hashRoutines)
	return all
}

// arrayRoutines are the functions of arrays.
var arrayRoutines = map[string][]Routine{
	ArrayIn:        {{Params: "ss", Result: 'a', Metered: arrayIn}, {Params: "ssss", Result: 'a', Metered: arrayIn}},
	ArrayShown:     {{Params: "sass", Result: 's', Metered: showArray}},
	ArrayMade:      {{Params: "s", Result: 'a', Call: func(a []Value) (Value, error) { return a[0], nil }}},
	ArrayItem:      {{Params: "s", Result: 's', Metered: itemText}},
	ArrayAssign:    {{Params: "ssa", Result: 'a', Metered: castArray(false)}, {Params: "ssass", Result: 'a', Metered: castArray(false)}},
	ArrayCast:      {{Params: "ssa", Result: 'a', Metered: castArray(true)}, {Params: "ssass", Result: 'a', Metered: castArray(true)}},
	ArrayOrder:     {{Params: "sa", Result: 's', Metered: arrayKey}},
	ArrayKeyed:     {{Params: "sa", Result: 's', Metered: keyedArray}},
	ArrayOfKeyed:   {{Params: "s", Result: 'a', Metered: arrayOfKeyed}},
	ArrayGet:       {{Params: "aw", Result: 's', Element: func() func(*Meter, string, int64) (string, bool) { return (&elementWalk{}).get }, Nullable: true}},
	ArrayNth:       {{Params: "aw", Result: 's', Element: func() func(*Meter, string, int64) (string, bool) { return (&elementWalk{}).nth }, Nullable: true}},
	ArraySlice:     {{Params: "aww", Result: 'a', Metered: sliceArray}},
	ArrayCat:       {{Params: "aa", Result: 'a', Metered: catArrays}},
	ArrayAppend:    {{Params: "as", Result: 'a', Metered: func(m *Meter, a []Value) (Value, error) { return catArrays(m, []Value{a[0], inBraces(a[1])}) }}},
	ArrayPrepend:   {{Params: "sa", Result: 'a', Metered: prependItem}},
	ArrayContains:  {{Params: "saa", Result: 'b', Metered: containsArray}},
	ArrayOverlaps:  {{Params: "saa", Result: 'b', Metered: overlapsArray}},
	ArrayAny:       {{Params: "sssa", Result: 'b', Metered: quantifiedArray(true), Nullable: true}},
	ArrayAll:       {{Params: "sssa", Result: 'b', Metered: quantifiedArray(false), Nullable: true}},
	ArrayPosition:  {{Params: "sasw", Result: 'w', Metered: positionInArray, Nullable: true}},
	ArrayBucket:    {{Params: "sas", Result: 'w', Metered: bucketInArray, Nullable: true}},
	ArrayPositions: {{Params: "sas", Result: 'a', Metered: positionsInArray}},
	ArrayReplace:   {{Params: "sass", Result: 'a', Metered: replaceInArray}},
	ArrayRemove:    {{Params: "sas", Result: 'a', Metered: removeFromArray}},
	ArrayLength:    {{Params: "aw", Result: 'w', Metered: dimension(func(_, n int64) int64 { return n }), Nullable: true}},
	ArrayLower:     {{Params: "aw", Result: 'w', Metered: dimension(func(lower, _ int64) int64 { return lower }), Nullable: true}},
	ArrayUpper:     {{Params: "aw", Result: 'w', Metered: dimension(func(lower, n int64) int64 { return lower + n - 1 }), Nullable: true}},
	ArrayDims:      {{Params: "a", Result: 's', Metered: dimensions, Nullable: true}},
	ArraySet:       {{Params: "awsb", Result: 'a', Metered: setInArray}, {Params: "awwab", Result: 'a', Metered: overTree(setSlice)}},
	ArrayFill:      {{Params: "saab", Result: 'a', Metered: fillArray}},
	ArrayTrim:      {{Params: "aw", Result: 'a', Metered: trimArray}},
	ArrayText:      {{Params: "as", Result: 's', Metered: arrayToText}, {Params: "ass", Result: 's', Metered: arrayToText}},
	TextArray: {
		{Params: "s", Result: 'a', Metered: textToArray}, {Params: "ss", Result: 'a', Metered: textToArray},
		{Params: "sss", Result: 'a', Metered: textToArray},
	},
	VectorArray: {{Params: "s", Result: 'a', Metered: vectorToArray}},
	Cardinality: {{Params: "a", Result: 'w', Metered: func(m *Meter, a []Value) (Value, error) {
		return intValue(cardinality(m, a[0].S)), nil
	}}},
}
