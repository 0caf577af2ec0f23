package function

import "github.com/cubeloom/cubeloom/sql/value"

// documents are the functions of json and jsonb.
var documents = []Function{
	{Name: "to_json", Volatility: Stable, Text: "The value in JSON.", Example: "to_json('a \"b\"'::text)", Answer: `"a \"b\""`, Form: "to_json", Usage: []string{"to_json(any) → json"}},
	{Name: "to_jsonb", Volatility: Stable, Text: "The value in JSON.", Example: "to_jsonb(1.50)", Answer: "1.50", Form: "to_json", Usage: []string{"to_jsonb(any) → jsonb"}},
	{Name: "row_to_json", Volatility: Stable, Text: "The row, ROW(…) or the name of a relation, as an object; with true a member a line.", Example: "row_to_json(ROW(1, 'a'))", Answer: "{\"f1\":1,\"f2\":\"a\"}", Form: "row_to_json", Usage: []string{"row_to_json(record[, boolean]) → json"}},
	{Name: "array_to_json", Volatility: Stable, Text: "The array in JSON.", Example: "array_to_json(ARRAY[1, NULL, 2])", Answer: "[1,null,2]", Form: "to_json", Usage: []string{"array_to_json(anyarray) → json"}},
	{Name: "json_build_object", Volatility: Stable, Nulls: NullCounts, Text: "The object with keys and values in turn.", Example: "json_build_object('foo', 1, 'row', true)", Answer: "{\"foo\" : 1, \"row\" : true}",
		Form: "json_build_object", Usage: []string{"json_build_object(any, any, …) → json"}},
	{Name: "jsonb_build_object", Volatility: Stable, Nulls: NullCounts, Text: "The object with keys and values in turn.", Example: "jsonb_build_object('foo', 1, 'row', true)", Answer: "{\"foo\": 1, \"row\": true}",
		Form: "json_build_object", Usage: []string{"jsonb_build_object(any, any, …) → jsonb"}},
	{Name: "json_build_array", Volatility: Stable, Nulls: NullCounts, Text: "The array of the values.", Example: "json_build_array(1, 'a', NULL)", Answer: "[1, \"a\", null]",
		Form: "json_build_array", Usage: []string{"json_build_array(any, …) → json"}},
	{Name: "jsonb_build_array", Volatility: Stable, Nulls: NullCounts, Text: "The array of the values.", Example: "jsonb_build_array(1, 'a', NULL)", Answer: "[1, \"a\", null]",
		Form: "json_build_array", Usage: []string{"jsonb_build_array(any, …) → jsonb"}},
	{Name: "json_object", Text: "The object of the keys and texts in turn, or of the keys and the texts of another array.", Example: "json_object('{a, 1, b, \"def\"}')", Answer: "{\"a\" : \"1\", \"b\" : \"def\"}", Form: "json_object", Usage: []string{"json_object(text[]) → json", "json_object(text[], text[]) → json"}},
	{Name: "jsonb_object", Text: "The object of the keys and texts in turn, or of the keys and the texts of another array.", Example: "jsonb_object('{a, b}', '{1, NULL}')", Answer: "{\"a\": \"1\", \"b\": null}", Form: "json_object", Usage: []string{"jsonb_object(text[]) → jsonb", "jsonb_object(text[], text[]) → jsonb"}},
	{Name: "json_typeof", Text: "The type of the value: object, array, string, number, boolean or null.", Example: "json_typeof('-1.5')", Answer: "number", Signatures: routine("json_typeof")},
	{Name: "jsonb_typeof", Text: "The type of the value: object, array, string, number, boolean or null.", Example: "jsonb_typeof('[1]')", Answer: "array", Signatures: routine("jsonb_typeof")},
	{Name: "json_array_length", Text: "The number of elements.", Example: "json_array_length('[1, 2, {\"a\": 3}]')", Answer: "3", Signatures: routine("json_array_length")},
	{Name: "jsonb_array_length", Text: "The number of elements.", Example: "jsonb_array_length('[1, 2, {\"a\": 3}]')", Answer: "3", Signatures: routine("jsonb_array_length")},
	{Name: "json_extract_path", Text: "What the keys and numbers of elements lead to.", Example: "json_extract_path('{\"a\": {\"b\": [7]}}', 'a', 'b')", Answer: "[7]", Form: "json_extract_path", Usage: []string{"json_extract_path(json, text, …) → json"}},
	{Name: "jsonb_extract_path", Text: "What the keys and numbers of elements lead to.", Example: "jsonb_extract_path('{\"a\": {\"b\": [7]}}', 'a', 'b')", Answer: "[7]", Form: "json_extract_path", Usage: []string{"jsonb_extract_path(jsonb, text, …) → jsonb"}},
	{Name: "json_extract_path_text", Text: "What the keys and numbers of elements lead to, as a text.", Example: "json_extract_path_text('{\"a\": [\"b\"]}', 'a', '0')", Answer: "b", Form: "json_extract_path", Usage: []string{"json_extract_path_text(json, text, …) → text"}},
	{Name: "jsonb_extract_path_text", Text: "What the keys and numbers of elements lead to, as a text.", Example: "jsonb_extract_path_text('{\"a\": [\"b\"]}', 'a', '0')", Answer: "b", Form: "json_extract_path", Usage: []string{"jsonb_extract_path_text(jsonb, text, …) → text"}},
	{Name: "json_strip_nulls", Text: "The value without the members of objects that are null.", Example: "json_strip_nulls('{\"a\": null, \"b\": 1}')", Answer: "{\"b\":1}", Signatures: routine("json_strip_nulls")},
	{Name: "jsonb_strip_nulls", Text: "The value without the members of objects that are null.", Example: "jsonb_strip_nulls('{\"a\": null, \"b\": 1}')", Answer: "{\"b\": 1}", Signatures: routine("jsonb_strip_nulls")},
	{Name: "jsonb_pretty", Text: "The value with a line for each of its members.", Example: "jsonb_pretty('[1]')", Answer: "[\n    1\n]", Signatures: routine("jsonb_pretty")},
	{Name: "jsonb_set", Text: "The value with another one where a path leads, which is made there unless false says otherwise.", Example: "jsonb_set('{\"a\": 1}', '{b}', '2')", Answer: "{\"a\": 1, \"b\": 2}", Form: "jsonb_set", Params: params("jsonb_in path replacement create_if_missing"), Usage: []string{"jsonb_set(jsonb, text[], jsonb[, boolean]) → jsonb"}},
	{Name: "jsonb_insert", Text: "The value with another one before the place where a path leads, or behind it.", Example: "jsonb_insert('[1, 2]', '{0}', '0')", Answer: "[0, 1, 2]", Form: "jsonb_set", Params: params("jsonb_in path replacement insert_after"), Usage: []string{"jsonb_insert(jsonb, text[], jsonb[, boolean]) → jsonb"}},
	{Name: "jsonb_contains", Text: "Whether the first value has all that the second one has; SQL writes @>.", Example: "jsonb_contains('{\"a\": 1, \"b\": 2}', '{\"b\": 2}')", Answer: "t", Signatures: routine("jsonb_contains")},
	{Name: "jsonb_contained", Text: "Whether the second value has all that the first one has; SQL writes <@.", Example: "jsonb_contained('[1]', '[1, 2]')", Answer: "t", Signatures: routine("jsonb_contained")},
	{Name: "jsonb_exists", Text: "Whether a value has a key, or an element that is the text; SQL writes ?.", Example: "jsonb_exists('{\"a\": 1}', 'a')", Answer: "t", Signatures: routine("jsonb_exists")},
	{Name: "jsonb_concat", Text: "Both values as one; SQL writes ||.", Example: "jsonb_concat('{\"a\": 1}', '{\"a\": 2, \"b\": 3}')", Answer: "{\"a\": 2, \"b\": 3}", Signatures: routine("jsonb_concat")},
	{Name: "jsonb_path_exists", Text: "Whether a path finds anything in the value; SQL writes @? where errors are silent.", Example: "jsonb_path_exists('{\"a\": [1, 5]}', '$.a[*] ? (@ > $x)', '{\"x\": 2}')", Answer: "t", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_exists", "boolean")},
	{Name: "jsonb_path_match", Text: "The only answer of a path, a condition; SQL writes @@ where errors are silent.", Example: "jsonb_path_match('{\"a\": [1, 5]}', 'exists($.a[*] ? (@ > 2))')", Answer: "t", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_match", "boolean")},
	{Name: "jsonb_path_query_array", Text: "The array of what a path finds in the value.", Example: "jsonb_path_query_array('{\"a\": [1, 5]}', '$.a[*] ? (@ > 2)')", Answer: "[5]", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_query_array", "jsonb")},
	{Name: "jsonb_path_query_first", Text: "What a path finds first in the value.", Example: "jsonb_path_query_first('{\"a\": [1, 5]}', '$.a[last]')", Answer: "5", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_query_first", "jsonb")},
	{Name: "jsonb_path_exists_tz", Volatility: Stable, Text: "Whether a path finds anything in the value, where dates and times may be compared that need the time zone.", Example: "jsonb_path_exists_tz('[\"2024-01-02\"]', '$[*] ? (@.datetime() > \"2024-01-01 12:00:00+00\".datetime())')", Answer: "t", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_exists_tz", "boolean")},
	{Name: "jsonb_path_match_tz", Volatility: Stable, Text: "The only answer of a path, a condition, where dates and times may be compared that need the time zone.", Example: "jsonb_path_match_tz('\"2024-01-02\"', '$.datetime() > \"2024-01-01 12:00:00+00\".datetime()')", Answer: "t", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_match_tz", "boolean")},
	{Name: "jsonb_path_query_array_tz", Volatility: Stable, Text: "The array of what a path finds in the value, where dates and times may be compared that need the time zone.", Example: "jsonb_path_query_array_tz('[\"2024-01-02\"]', '$[*] ? (@.datetime() > \"2024-01-01 12:00:00+00\".datetime())')", Answer: "[\"2024-01-02\"]", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_query_array_tz", "jsonb")},
	{Name: "jsonb_path_query_first_tz", Volatility: Stable, Text: "What a path finds first in the value, where dates and times may be compared that need the time zone.", Example: "jsonb_path_query_first_tz('[\"2024-01-02\"]', '$[*] ? (@.datetime() > \"2024-01-01 12:00:00+00\".datetime())')", Answer: "\"2024-01-02\"", Form: "jsonb_path", Params: pathParams, Usage: pathUsage("jsonb_path_query_first_tz", "jsonb")},
}

// pathParams are the parameters of the functions of paths, and pathUsage is how they are called.
var pathParams = params("target path vars={} silent=false")

func pathUsage(name, result string) []string {
	return []string{name + "(jsonb, jsonpath[, jsonb[, boolean]]) → " + result}
}

// jsonSets are the functions that give the parts of a value of JSON row by row.
var jsonSets = []Function{
	{Name: "json_array_elements", Kind: Set, Text: "The elements of the array.", Example: "json_array_elements('[1, \"a\"]')", Answer: "1, \"a\"", Form: value.JSONElements, Usage: []string{"json_array_elements(json) → setof json"}},
	{Name: "jsonb_array_elements", Kind: Set, Text: "The elements of the array.", Example: "jsonb_array_elements('[1, \"a\"]')", Answer: "1, \"a\"", Form: value.JSONElements, Usage: []string{"jsonb_array_elements(jsonb) → setof jsonb"}},
	{Name: "json_array_elements_text", Kind: Set, Text: "The elements of the array as texts.", Example: "json_array_elements_text('[1, \"a\"]')", Answer: "1, a", Form: value.JSONTexts, Usage: []string{"json_array_elements_text(json) → setof text"}},
	{Name: "jsonb_array_elements_text", Kind: Set, Text: "The elements of the array as texts.", Example: "jsonb_array_elements_text('[1, \"a\"]')", Answer: "1, a", Form: value.JSONTexts, Usage: []string{"jsonb_array_elements_text(jsonb) → setof text"}},
	{Name: "json_object_keys", Kind: Set, Text: "The keys of the object.", Example: "json_object_keys('{\"b\": 1, \"a\": 2}')", Answer: "b, a", Form: value.JSONKeys, Usage: []string{"json_object_keys(json) → setof text"}},
	{Name: "jsonb_object_keys", Kind: Set, Text: "The keys of the object.", Example: "jsonb_object_keys('{\"b\": 1, \"a\": 2}')", Answer: "a, b", Form: value.JSONKeys, Usage: []string{"jsonb_object_keys(jsonb) → setof text"}},
	{Name: "jsonb_path_query", Kind: Set, Text: "What a path finds in the value.", Example: "jsonb_path_query('{\"a\": [1, 5]}', '$.a[*] ? (@ > 2)')", Answer: "5", Form: value.JSONQuery, Params: pathParams, Usage: pathUsage("jsonb_path_query", "setof jsonb")},
	{Name: "jsonb_path_query_tz", Kind: Set, Volatility: Stable, Text: "What a path finds in the value, where dates and times may be compared that need the time zone.", Example: "jsonb_path_query_tz('[\"2024-01-02\"]', '$[*] ? (@.datetime() > \"2024-01-01 12:00:00+00\".datetime())')", Answer: "\"2024-01-02\"", Form: value.JSONQuery, Params: pathParams, Usage: pathUsage("jsonb_path_query_tz", "setof jsonb")},
	{Name: "json_each", Kind: Set, Text: "The keys and values of the object.", Example: "value FROM json_each('{\"a\": 1, \"b\": \"c\"}')", Answer: "1, \"c\"", Form: "json_each", Usage: []string{"json_each(json) → setof (key text, value json)"}},
	{Name: "json_each_text", Kind: Set, Text: "The keys of the object, and their values as texts.", Example: "value FROM json_each_text('{\"a\": 1, \"b\": \"c\"}')", Answer: "1, c", Form: "json_each", Usage: []string{"json_each_text(json) → setof (key text, value text)"}},
	{Name: "jsonb_each", Kind: Set, Text: "The keys and values of the object.", Example: "value FROM jsonb_each('{\"a\": 1, \"b\": \"c\"}')", Answer: "1, \"c\"", Form: "json_each", Usage: []string{"jsonb_each(jsonb) → setof (key text, value jsonb)"}},
	{Name: "jsonb_each_text", Kind: Set, Text: "The keys of the object, and their values as texts.", Example: "value FROM jsonb_each_text('{\"a\": 1, \"b\": \"c\"}')", Answer: "1, c", Form: "json_each", Usage: []string{"jsonb_each_text(jsonb) → setof (key text, value text)"}},
}
