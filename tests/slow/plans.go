package slow

import (
	"fmt"
	"strings"
)

func numbered(format string) func(int) string {
	return func(i int) string { return strings.ReplaceAll(format, "#", fmt.Sprint(i)) }
}

// nested puts a text n times around another; it holds a # for what is inside.
func nested(n int, around, inner string) string {
	before, after, _ := strings.Cut(around, "#")
	return strings.Repeat(before, n) + inner + strings.Repeat(after, n)
}

// plans are statements that are hard to parse, to plan, to weave or to compile.
func plans() []Statement {
	return list("plan",
		"select count(*) from "+times(1500, ", ", numbered("one t#")),
		"select count(*) from "+times(1500, " cross join ", numbered("(select 1 a) t#")),
		"select count(*) from "+times(1500, ", ", numbered("(values (#)) t#(a)")),
		"select count(*) from "+times(60, ", ", numbered("one t#"))+" where "+times(59, " and ", func(i int) string { return fmt.Sprintf("t%d.a = t%d.a", i, i+1) }),
		"select count(*) from "+times(300, ", ", numbered("one t#"))+" where "+times(299, " and ", func(i int) string { return fmt.Sprintf("t%d.a = t%d.a", i, i+1) }),
		"select count(*) from "+times(12, ", ", numbered("big t#"))+" where "+times(66, " and ", func(i int) string { return fmt.Sprintf("t%d.i + t%d.k > %d", i%12, (i*5+1)%12, i) }),
		"select count(*) from one t0 "+times(400, " ", numbered("left join one t# on t#.a = t0.a"))[0:0]+times(400, " ", func(i int) string { return fmt.Sprintf("left join one u%d on u%d.a = t0.a", i, i) }),
		"select cardinality(array["+times(200000, ",", numbered("#"))+"])",
		"select cardinality(array["+times(200000, ",", numbered("'t#'"))+"])",
		"select cardinality(array["+times(50000, ",", numbered("a + #"))+"]) from one",
		"select cardinality(array["+times(100000, ",", numbered("#.5"))+"]::float8[])",
		"select count(*) from big where i in ("+times(200000, ",", numbered("#"))+")",
		"select count(*) from big where s in ("+times(100000, ",", numbered("'text #'"))+")",
		"select count(*) from big where i not in ("+times(100000, ",", numbered("#"))+")",
		"select count(*) from big where i in ("+times(20000, ",", numbered("k + #"))+")",
		"select count(*) from big where "+times(30000, " or ", numbered("i = #")),
		"select count(*) from big where "+times(20000, " or ", numbered("i = # and k = #")),
		"select count(*) from big where "+times(20000, " and ", numbered("i <> #")),
		"select count(*) from big where "+times(20000, " or ", numbered("i > # and f < #")),
		"select count(*) from big where "+times(10000, " or ", numbered("s like '%#%'")),
		"select case k "+times(20000, " ", numbered("when # then 'a#'"))+" end, count(*) from big group by 1",
		"select case "+times(20000, " ", numbered("when i = # then k"))+" end from big",
		"select "+nested(4000, "(# + 1)", "i")+" from big",
		"select "+times(50000, " + ", always("1")),
		"select "+times(4000, " || ", always("s"))+" from big",
		"select "+nested(2000, "abs(#)", "i")+" from big",
		"select "+nested(2000, "case when i > 1 then # else 0 end", "i")+" from big",
		"select "+nested(4000, "(#)", "1"),
		"select "+nested(900, "(select #)", "1"),
		nested(900, "select * from (#) t", "select 1"),
		nested(300, "select * from big where i in (#)", "select 1"),
		times(4000, " union all ", numbered("select #")),
		times(1500, " union ", numbered("select # as a")),
		times(500, " intersect ", always("select i from big")),
		"with "+times(1000, ", ", func(i int) string {
			if i == 0 {
				return "c0 as (select 1 a)"
			}
			return fmt.Sprintf("c%d as (select a + 1 a from c%d)", i, i-1)
		})+" select * from c999",
		"with "+times(14, ", ", func(i int) string {
			if i == 0 {
				return "c0 as (select 1 a)"
			}
			return fmt.Sprintf("c%d as (select x.a from c%d x, c%d y)", i, i-1, i-1)
		})+" select count(*) from c11",
		"with c0 as (select i a from big), "+times(10, ", ", func(i int) string {
			return fmt.Sprintf("c%d as (select x.a from c%d x join c%d y using (a))", i+1, i, i)
		})+" select count(*) from c10",
		"select "+times(1600, ", ", numbered("sum(i + #)"))+" from big",
		"select "+times(1000, ", ", numbered("sum(k + #) over (partition by i % # order by f)"))[0:0]+times(1000, ", ", func(i int) string {
			return fmt.Sprintf("sum(k) over (partition by i %% %d order by f)", i+1)
		})+" from big",
		"select "+times(1000, ", ", numbered("(select max(i) from big where k = #)")),
		"select * from one where "+times(1000, " and ", numbered("exists (select 1 from big where k = a + #)")),
		"select * from one where "+times(300, " or ", numbered("a in (select k from big where i > #)")),
		"select count(*) from (values "+times(100000, ",", numbered("(#, 'x#', #.5)"))+") v",
		"values "+times(100000, ",", numbered("(#, 'x#')")),
		"insert into one values "+times(200000, ",", numbered("(#)")),
		"insert into one values "+times(50000, ",", numbered("(# + length('abc'))")),
		"select coalesce("+times(100000, ",", always("null"))+", 1)",
		"select coalesce("+times(50000, ",", always("nullif(a, 1)"))+") from one",
		"select greatest("+times(100000, ",", numbered("#"))+")",
		"select greatest("+times(20000, ",", numbered("i + #"))+") from big",
		"select length(concat("+times(50000, ",", numbered("'#'"))+"))",
		"select length(concat("+times(5000, ",", always("s"))+")) from big",
		"select length(format('"+strings.Repeat("%s", 2000)+"', "+times(2000, ",", numbered("#"))+"))",
		"select k, count(*) from big group by cube (i, k, u, f, n, s, d)",
		"select count(*) from one group by cube ("+times(12, ",", numbered("a + #"))+")",
		"select count(*) from big group by grouping sets ("+times(2000, ",", numbered("(i % #0, k)"))[0:0]+times(500, ",", func(i int) string { return fmt.Sprintf("(i %% %d, k)", i+1) })+")",
		"select count(*) from big group by "+times(500, ",", numbered("i + #")),
		"select * from big order by "+times(500, ",", numbered("i + #")),
		"select distinct "+times(500, ",", numbered("i + #"))+" from big",
		"explain select count(*) from "+times(1500, ", ", numbered("one t#")),
		"select count(*) from "+times(60, ", ", numbered("big t#")),
		"explain select * from big where "+times(20000, " or ", numbered("i > # and f < #")),
		"explain (verbose) "+times(500, " union all ", numbered("select i + # from big")),
		"prepare p as select cardinality(array["+times(200000, ",", numbered("#"))+"]); execute p",
		"select '{"+times(1000000, ",", numbered("#"))+"}'::int[] = '{1}'",
		"select length('"+strings.Repeat("x", 30000000)+"')",
		"select /* "+strings.Repeat("/* ", 10000)+strings.Repeat(" */", 10000)+" */ 1",
		"select "+strings.Repeat("-- comment\n", 500000)+" 1",
		"select 1 "+strings.Repeat("+ /* x */ 1 ", 20000),
		"select "+strings.Repeat("- ", 4000)+"1",
		"select "+strings.Repeat("not ", 4000)+"true",
		"select 1"+strings.Repeat("::int::bigint", 2000),
		strings.Repeat("select 1;", 100000)+"select select",
		"select row("+times(1600, ",", numbered("#"))+") = row("+times(1600, ",", numbered("#"))+")",
		"select count(*) from big where (i, k) in ("+times(20000, ",", numbered("(#, #)"))+")",
		"select count(*) from big a join big b on "+times(2000, " and ", numbered("a.i + # = b.i + #")),
		"select count(*) from big a join big b on "+times(2000, " or ", numbered("a.i = b.k + #")),
		"create view deep as "+nested(500, "select * from (#) t", "select * from big")+"; select * from deep",
		"select "+times(20000, " between 1 and 2 and i ", always("i"))+" = 1 from big",
		"select i from big where s like '"+strings.Repeat("%a_", 100000)+"'",
		"select i from big where s ~ '"+strings.Repeat("(a|b)*", 10000)+"'",
		"select i from big where s ~ '(((a{1,10}){1,10}){1,10})'",
		"select * from one natural join "+times(200, " natural join ", numbered("(select a, a as b# from one) t#")),
		"select * from big, lateral (select "+times(1000, ", ", numbered("big.i + # as c#"))+") l",
	)
}
