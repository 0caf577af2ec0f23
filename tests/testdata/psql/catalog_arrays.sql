-- The catalog's vectors and arrays as tools read them.
CREATE TABLE part (a int, b int NOT NULL, c text, d date, CONSTRAINT part_pk PRIMARY KEY (b, a), CONSTRAINT part_c UNIQUE (c));
SELECT i.relname, x.indkey, x.indkey::text, x.indkey[0], x.indkey[1], x.indkey::int2[], array_to_string(x.indkey, ' '), x.indoption, x.indoption[0] & 1 AS descending
  FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid WHERE t.relname = 'part' ORDER BY 1;
SELECT i.relname, a.attname, array_position(x.indkey, a.attnum) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
  JOIN pg_class t ON t.oid = x.indrelid JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (x.indkey) WHERE t.relname = 'part' ORDER BY 1, 3;
SELECT i.relname, k.ord, a.attname FROM pg_class t JOIN pg_index x ON t.oid = x.indrelid JOIN pg_class i ON i.oid = x.indexrelid
  CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k(attnum, ord) JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum WHERE t.relname = 'part' ORDER BY 1, 2;
SELECT i.relname, generate_subscripts(x.indkey, 1) AS s, unnest(x.indkey) FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid WHERE t.relname = 'part' ORDER BY 1, 2;
SELECT conname, contype, conkey, conkey[1], array_length(conkey, 1), confkey FROM pg_constraint WHERE conrelid = 'part'::regclass ORDER BY 1;
SELECT c.conname, a.attname FROM pg_constraint c CROSS JOIN LATERAL unnest(c.conkey) AS k(n) JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.n WHERE c.conrelid = 'part'::regclass ORDER BY 1, 2;
SELECT c.conname, generate_subscripts(c.conkey, 1) AS n FROM pg_constraint c WHERE c.conrelid = 'part'::regclass ORDER BY 1, 2;
SELECT pg_typeof(indkey), pg_typeof(indclass), pg_typeof(indkey::int2[]) FROM pg_index LIMIT 1;
SELECT * FROM current_schema();
SELECT * FROM current_schema() WITH ORDINALITY AS s(name, n);
SELECT * FROM upper('abc') AS u, length(u);
SET client_encoding = 'utf-8';
SHOW client_encoding;
SET client_encoding = '''utf-8''';
SHOW client_encoding;
DROP TABLE part;
select * from information_schema._pg_expandarray('{7,8}'::int[]) as k;
