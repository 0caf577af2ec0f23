-- the options of COPY, and what is wrong with them
create table t (a int, b text);
copy t from stdin csv;
1,"a
b"
x,"c
d"
\.
copy t from stdin;
1	a	b
\.
copy t from stdin (null '\0');
1	\0
2	\\0
3	\N
4	0
\.
select a, b, b is null from t order by 1;
truncate t;
select a, b, b is null from t order by 1;
copy t to stdout (null '\0');
select a, b, b is null from t order by 1;
truncate t;
copy t from stdin (format csv, force_null (b), null 'x');
1,x
2,"x"
\.
copy t from stdin (format csv, force_not_null (b), null 'x');
3,x
4,"x"
x,y
\.
copy t from stdin (format csv, force_not_null (b), force_null (b), null 'x');
5,x
6,"x"
7,y
\.
select a, b, b is null from t order by 1;
copy t to stdout (format csv, force_quote (b), null 'y');
copy t to stdout (format csv, force_quote *, header);
copy t to stdout (format csv, force_quote (a,b), header match);
copy t from stdin (format csv, header match);
a,b
8,x
\.
copy t from stdin (format csv, header match);
a,c
8,x
\.
copy t from stdin (format csv, header match);
a
8,x
\.
copy t from stdin (header match);
a	b
9	z
\.
copy t from stdin (header match);
b	a
9	z
\.
copy t from stdin (header match);
a	\N
9	z
\.
copy t to stdout (header);
copy t from stdin (header true, header true);
\.
copy t to stdout (format csv, format text);
copy t to stdout (foo);
copy t to stdout (format foo);
copy t to stdout (delimiter 'ab');
copy t to stdout (delimiter E'\n');
copy t to stdout (delimiter '.');
copy t to stdout (delimiter '');
copy t to stdout (null E'a\nb');
copy t to stdout (null E'a\tb');
copy t to stdout (quote 'a');
copy t to stdout (format csv, quote 'ab');
copy t to stdout (format csv, quote ',');
copy t to stdout (escape 'a');
copy t to stdout (format csv, escape 'ab');
copy t to stdout (force_quote (a));
copy t to stdout (format csv, force_quote (zz));
copy t (a) to stdout (format csv, force_quote (b));
copy t from stdin (format csv, force_quote (a));
\.
copy t to stdout (format csv, force_null (a));
copy t to stdout (format csv, force_not_null (a));
copy t from stdin (force_null (a));
\.
copy t from stdin (force_not_null (a));
\.
copy t from stdin (format csv, force_null (zz));
\.
copy t (a) from stdin (format csv, force_null (b));
\.
copy t (a) from stdin (format csv, force_not_null (b));
\.
copy t from stdin (format csv, force_not_null (zz));
\.
copy t to stdout (format binary, header);
copy t to stdout (format binary, delimiter ',');
copy t to stdout (format binary, null 'x');
copy t to stdout (format csv, null '"');
copy t to stdout (format csv, delimiter '"');
copy t to stdout (encoding 'foo');
copy t to stdout (encoding 'UTF8');
copy t to stdout (encoding 'utf-8');
copy t to stdout (encoding 'SQL_ASCII');
copy t to stdout (header 2);
copy t to stdout (header 'x');
copy t to stdout (header off);
copy t to stdout (freeze true, header true);
copy t from stdin (freeze false);
\.
copy t to stdout csv header force quote a;
copy t to stdout csv quote '''' force quote b;
copy t from stdin csv force not null b;
20,
\.
copy t from stdin with csv null as 'q' force null b;
21,"q"
\.
copy t to stdout with delimiter as '|' null as 'n';
copy t to stdout delimiter ':' csv;
copy binary t to stdout csv;
copy t to stdout (format);
copy t to stdout (null);
copy t to stdout (delimiter);
copy t to stdout (force_quote);
copy t to stdout (format csv, force_quote b);
copy t to stdout (oids);
copy t to stdout ();
copy t to stdout (null 1, delimiter 2);
copy t to stdout (null true);
