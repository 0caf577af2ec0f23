package sql

import "testing"

// lexical are texts that are wrong, or odd, below the grammar.
var lexical = []string{
	`select 'abc`, `select "abc`, `select ""`, `select a."" from t`, `select $$abc`, `select $a$b$c$`,
	`select 1 /* abc`, `select /* a /* b */ 1`, `select 1a`, `select 1.5b`, `select 1e`, `select 1e+`,
	`select 1ex`, `select 0x`, `select 0xg`, `select 0x1g`, `select 0o8`, `select 0o`, `select 0b2`,
	`select 0b`, `select 1_`, `select 1__0`, `select _1`, `select 1._5`, `select .5_`,
	`select $1a`, `select $`, `select $a`, `select $1`, `select a$1`, `select 1..2`, `select 1.`,
	`select 0xFF_FF, 0x_FF, 0b_1, 0o_7`, `select 0_1`, `select 00012`,
	`select E'abc`, `select E'abc\`, `select E'\u00'`, `select E'\uD800'`, `select E'\uD83D\uDE00'`,
	`select E'\U00110000'`, `select E'\uDC00'`, `select E'\x'`, `select E'\q\'\\'`, `select E'\1\12\123'`,
	`select U&'\00'`, `select U&'\D800'`, `select U&'\D83D\DE00'`, `select U&'\+110000'`,
	`select U&'!0041' uescape '!'`, `select U&'a' uescape 'ab'`, `select U&'a' uescape '+'`,
	`select U&'a' uescape 1`, `select U&"\0041"`, `select U&"!0041" uescape '!' from t`, `select U&""`,
	`select U&'\0041' 'b'`, `select 'a' 'b'`, "select 'a'\n'b'", "select 'a' -- c\n'b'", "select E'a'\n'\\n'",
	"select 'a'\n/* c */ 'b'", `select b'2'`, `select x'g'`, `select b'1`, `select \`, `select {`, `select a ' b`,
	`select @-1`, `select 1*-1`, `select a<-1`, `select a=-1`, `select a@-1`, `select a+-1`, `select a--1`,
	"select a--1\n+2", `select a/*x*/+1`, `select a+/*x*/1`, `select a*/*x*/1`, `select a <>/**/ 1`,
	`select a ++ b`, `select a +- b`, `select a *+ b`, `select a &+ b`, `select a ?- b`, `select a => b`,
	`select a =>= b`, `select a := b`, `select a : b`, `select a::`, `select a..b`, `select a.b.`, `select .a`,
	`select n'x'`, `select N'x' 'y'`, `select e 'x'`, `select u & 'x'`, `select u&x`, `select b 'x'`, `select x 'y'`,
	`select größe, "Größe", ÄÖÜ from täbelle`, "select\f1\v", "select 1\r\n, 2", "select 'é' x x x",
	`select 99999999999999999999999999999999999999999.5e99`, `select 1 as "a""b"`, `select "a"."b"."c"`,
	`select ;`, `;;select 1;;`, `select 1;;`, `-- only a comment`, `/* only */`,
	`select 'x'::text 'y'`, `select a b c`, `select 1 2`, `select * *`, `select (`, `select )`, `select ()`,
	`(select 1 order by 1) order by 2`, `(select 1 limit 1) limit 2`, `(select 1 offset 1) offset 2 rows`,
	`with a as (select 1) (with b as (select 2) select 1)`, `(select 1 limit 1) fetch first 2 rows only`,
	`select 1 from current_date`, `select 1 from cast(1 as int)`, `select national, bit, char from t`,
	`select [`, `select a[`, `select ,`, `,`, `(`, `)`, `1`, `'a'`, `"select" 1`, `select from where`,
}

func TestLexicalAgainstPostgres(t *testing.T) {
	for _, text := range lexical {
		if _, err := ParseScript(text, nil); err == nil && text[0] != 's' {
			continue // no statement, or several
		}
		compare(t, text)
	}
}

func TestEncoding(t *testing.T) {
	for text, want := range map[string]string{
		"select '\xff'":       `error 22021 at 8: invalid byte sequence for encoding "UTF8": 0xff`,
		"select 'a\x00b'":     `error 22021 at 9: invalid byte sequence for encoding "UTF8": 0x00`,
		"select \"\xc3\x28\"": `error 22021 at 8: invalid byte sequence for encoding "UTF8": 0xc3`,
		"-- \xed\xa0\x80":     `error 22021 at 3: invalid byte sequence for encoding "UTF8": 0xed`,
		`select E'\xff'`:      `error 22021 at 7: invalid byte sequence for encoding "UTF8"`,
		`select E'\000'`:      `error 22021 at 7: invalid byte sequence for encoding "UTF8"`,
		`select E'\xc3\xa9'`:  `select 'é'`,
	} {
		if got := outcome(text); got != want {
			t.Errorf("%q\n got %s\nwant %s", text, got, want)
		}
	}
}
