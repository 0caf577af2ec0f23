CREATE TABLE every (
  b boolean, s smallint, i integer, l bigint, f double precision,
  d9 numeric(9,2), d18 numeric(18,4), d38 numeric(38,3), n numeric,
  t text, v varchar(20), c varchar(4), day date, ts timestamp, tz timestamptz, sp interval,
  ai bigint[], at text[], PRIMARY KEY (i), UNIQUE (s, l));
INSERT INTO every SELECT g % 2 = 0, g, g * 70000, g::bigint * 5000000000, g / 8.0,
  g * 1.25, g * 12345678.0625, g * 1234567890123456789012345678.125::numeric(38,3), g / 7.0,
  'text ' || g % 5, 'v' || g, 'c' || g % 3, date '2020-02-28' + g, timestamp '2001-02-03 04:05:06.789' + g * interval '1 hour',
  timestamptz '1999-12-31 23:59:59+00' + g * interval '1 second', g * interval '1 mon 2 days 03:04:05.6',
  ARRAY[g, NULL, -g]::bigint[], ARRAY['a' || g, 'b,"c']
  FROM generate_series(1, 40) AS x(g);
INSERT INTO every (s, i, l) VALUES (41, -1, -1), (42, -2, NULL);
CREATE TABLE widths (c0 integer, u8 integer, u16 integer, u32 bigint, i64 bigint, neg integer DEFAULT -7, txt text DEFAULT 'none', nothing text NOT NULL DEFAULT '');
INSERT INTO widths SELECT 5, 1000 + g % 200, g * 37, g::bigint * 4000000, g::bigint * 90000000000000, -g, 'word ' || (g * 7919) % 1009 || repeat('x', g % 30), 'k'
  FROM generate_series(1, 1500) AS x(g);
UPDATE widths SET txt = NULL, neg = NULL WHERE u8 % 50 = 0;
DELETE FROM widths WHERE u16 % 11 = 3;
CREATE TABLE empty (a integer, b text);
CREATE TABLE "Odd name" ("a b" integer NOT NULL, "Ü" text UNIQUE);
INSERT INTO "Odd name" VALUES (1, 'ünïcödé'), (2, E'line\nbreak'), (3, NULL), (4, NULL);
CREATE TABLE facts (id bigint PRIMARY KEY, grp text, amount numeric(12,2));
INSERT INTO facts SELECT g, 'group ' || g % 7, g * 0.25 FROM generate_series(1, 3000) AS x(g);
CREATE VIEW totals AS SELECT grp, sum(amount) AS total, count(*) AS n FROM facts GROUP BY grp;
CREATE VIEW named (x, y) AS SELECT total, grp FROM totals;
ALTER TABLE facts ADD COLUMN note text DEFAULT 'added';
-- since format 3; before it, character(n) was varchar(n)
CREATE TABLE chars (c char(5), n bpchar, v varchar(5));
INSERT INTO chars VALUES ('ab', 'ab ', 'ab '), ('abcde', '', ''), (NULL, NULL, NULL), ('', ' x', ' x');
