package slow

// changes are statements that change tables and move rows, and cursors. What they do
// they take back, so that every statement finds the tables of Setup.
func changes() []Statement {
	inBlock := func(text string) string { return "begin; " + text }
	texts := []string{
		"create table made as select i, md5(i::text) from generate_series(1, 1000000000) i", "create table made as select a.i, b.s from big a, big b", "create table made as select * from big order by md5(s)",
		"insert into big select a.* from big a, generate_series(1, 1000)", "insert into one select i from generate_series(1, 2000000000) i",
		"update big set s = s || 'x', f = f + 1, n = n * 2", "update big set k = (select count(*) from big b where b.i < big.i)", "update big set s = md5(s) where i % 2 = 0", "update big a set k = b.k from big b where a.u = b.i",
		"delete from big where s like '%7%'", "delete from big using big b where big.u = b.i and b.s > big.s", "delete from big where i in (select u from big)",
		"alter table big add column z text default repeat('x', 1000)", "alter table big alter column s type varchar(30)", "alter table big alter column f type numeric", "alter table big alter column i type text", "alter table big alter column u set not null", "alter table big drop column s",
		"alter table big add primary key (i)", "alter table big add primary key (u, s)", "alter table big add unique (s)", "alter table big add unique (f, d, s)",
		"create view made as select " + times(1000, ", ", numbered("(select max(i) from big where k = #) c#")) + "; select * from made",
		"declare c cursor for select a.s || b.s from big a, big b; fetch all from c", "declare c cursor for select * from big order by md5(s); fetch 1000000 from c", "declare c scroll cursor for select * from big; move last from c; fetch backward all from c", "declare c cursor with hold for select a.i, b.s from big a, big b; commit; fetch 5 from c",
		"explain analyze select count(*) from big a, big b", "explain analyze update big set s = md5(s)", "truncate big; insert into big select i, 1, 1, 1, 1, 's', null from generate_series(1, 100000000) i",
		"copy (select a.s || b.s from big a, big b) to stdout", "copy big to stdout", "copy (select * from big order by md5(s)) to stdout with (format csv)", "copy (select repeat('a,\"b\"', 20000000)) to stdout with (format csv)", "copy (select repeat('a' || E'\\n', 20000000)) to stdout", "copy big to stdout with (format binary)",
	}
	out := list("change", texts...)
	for i := range out {
		out[i].SQL = inBlock(out[i].SQL)
	}
	return append(out,
		Statement{Name: "copy text in", SQL: "begin; copy one from stdin", In: "12345\n"},
		Statement{Name: "copy csv in", SQL: "begin; copy big from stdin with (format csv)", In: "1,2,3,4.5,6.7,\"a \"\"text\"\"\",2020-01-01\n"},
		Statement{Name: "copy one line in", SQL: "begin; create table t (s text); copy t from stdin", In: "abcdefghijklmnopqrstuvwxyz0123456789"},
		Statement{Name: "copy one quoted field in", SQL: "begin; create table t (s text); copy t from stdin with (format csv)", In: "\"\"\"abcdefghijklmnopqrstuvwxyz\n"},
		Statement{Name: "copy with a condition in", SQL: "begin; create table t (s text primary key); copy t from stdin", In: "a\\\\b\n"},
	)
}

// catalogs are queries of the catalog.
func catalogs() []Statement {
	return list("catalog",
		"select count(*) from pg_class a, pg_class b, pg_class c, pg_class d", "select count(*) from pg_attribute a, pg_attribute b, pg_attribute c", "select * from information_schema.columns a, information_schema.columns b order by 1, 2, 3",
		"select c.relname, (select string_agg(a.attname, ',') from pg_attribute a where a.attrelid = c.oid), pg_get_expr(null, c.oid) from pg_class c", "select n.nspname, c.relname, a.attname, format_type(a.atttypid, a.atttypmod) from pg_attribute a join pg_class c on a.attrelid = c.oid join pg_namespace n on n.oid = c.relnamespace order by 1, 2, 3",
		"select pg_table_is_visible(oid), pg_relation_size(oid) from pg_class", "select a.oid::regclass::text from pg_class a, pg_class b", "select count(*) from information_schema.tables a, information_schema.columns b, information_schema.columns c", "select count(*) from pg_type a, pg_attribute b, pg_class c, pg_proc d", "select col_description(attrelid, attnum), obj_description(attrelid) from pg_attribute",
	)
}
