//go:build reference

package tests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// document writes a random value of JSON with blanks, equal keys and numbers of several
// spellings.
func document(r *rand.Rand, depth int) string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	blank := func() string { return pick("", "", " ", "\t", "\n ") }
	kind := r.IntN(8)
	if depth == 0 {
		kind = r.IntN(5)
	}
	var b strings.Builder
	b.WriteString(blank())
	switch kind {
	case 0:
		b.WriteString(pick("null", "true", "false"))
	case 1, 2:
		b.WriteString(pick("0", "-0", "1", "1.0", "1.00", "10e-1", "-1.5", "12", "0.1e1", "1E+2", "100", "-0.0", "1.25e-3", "123456789012345678901234567890123456789012345.5", "99e-5"))
	case 3, 4:
		b.WriteString(pick(`""`, `"a"`, `"b"`, `"ab"`, `"\u0061"`, `"é\n"`, `"\"\\\/"`, `"1"`, `"\ud83d\ude00"`, `"\u0001\u007f"`))
	case 5, 6:
		b.WriteByte('[')
		for i := range r.IntN(4) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(document(r, depth-1))
		}
		b.WriteByte(']')
	default:
		b.WriteByte('{')
		for i := range r.IntN(4) {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(blank() + pick(`"a"`, `"b"`, `"ab"`, `"0"`, `""`, `"\u0061"`) + blank() + ":" + document(r, depth-1))
		}
		b.WriteByte('}')
	}
	return b.String() + blank()
}

// TestRandomDocumentsAsWithPostgres compares what is kept of random documents, their
// order, operators and functions. An error has the same SQLSTATE.
func TestRandomDocumentsAsWithPostgres(t *testing.T) {
	ctx, theirs, ours := context.Background(), startPostgres(t), openEngine(t)
	r := rand.New(rand.NewPCG(11, 12))
	for n := range 300 {
		a, b := document(r, 3), document(r, 3)
		if n%3 == 0 {
			b = a
		}
		if n%25 == 0 { // no JSON
			at := r.IntN(len(a))
			a = strings.ToValidUTF8(a[:at]+"]"+a[at:], "")
		}
		for _, e := range []string{
			"a::text, b::text, a < b, a = b, a @> b, a <@ b", "a->'a', a->>'a', a->0, a->>-1, a#>'{a,0}', a#>>'{0,ab}', a#>'{}'",
			"j->'a', j->>'ab', j->1, j#>'{a,b}', j#>>'{0}', json_typeof(j)", "a || b", "a ? 'a', a ?| '{b,ab}', a ?& '{a,b}'",
			"a - 'a'", "a - 0", "a - '{a,ab}'::text[]", "a #- '{a,0}'", "jsonb_set(a, '{a}', b)", "jsonb_set(a, '{0,a}', b, false)",
			"jsonb_insert(a, '{-1}', b)", "jsonb_pretty(a), jsonb_strip_nulls(a)", "jsonb_array_length(a)",
			"ARRAY(SELECT jsonb_array_elements(a))::text", "ARRAY(SELECT jsonb_array_elements_text(a))::text", "ARRAY(SELECT json_object_keys(j))::text",
		} {
			quoted := func(s string) string { return strings.ReplaceAll(s, "'", "''") }
			text := fmt.Sprintf("SELECT %s FROM (SELECT '%s'::jsonb AS a, '%s'::jsonb AS b, '%s'::json AS j OFFSET 0) AS t", e, quoted(a), quoted(b), quoted(a))
			got, gotErr := ours.Query(ctx, text)
			want, wantErr := theirs.Query(ctx, text)
			switch {
			case gotErr != nil || wantErr != nil:
				if gotErr == nil || wantErr == nil || ours.SQLState(gotErr) != theirs.SQLState(wantErr) {
					t.Errorf("%s\n%v, want %v", text, gotErr, wantErr)
				}
			case !reflect.DeepEqual(got.Rows, want.Rows):
				t.Errorf("%s\n%v, want %v", text, got.Rows, want.Rows)
			}
		}
	}
}
