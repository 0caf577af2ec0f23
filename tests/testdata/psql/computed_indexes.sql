-- Indexes of expressions, of some rows and with INCLUDE: what psql shows is compared with PostgreSQL.
CREATE TABLE p (id integer PRIMARY KEY, email text, deleted_at timestamp, x integer, "A b" integer);
CREATE UNIQUE INDEX p_email ON p (email) WHERE deleted_at IS NULL;
INSERT INTO p VALUES (1, 'a', NULL, 1), (2, 'a', '2020-01-01', 2);
INSERT INTO p VALUES (3, 'a', NULL, 1);
INSERT INTO p VALUES (3, 'a', '2020-01-01', 1);
UPDATE p SET deleted_at = NULL WHERE id = 2;
UPDATE p SET email = 'B' WHERE id = 2;
UPDATE p SET email = 'b' WHERE id = 3;
CREATE UNIQUE INDEX p_lower_x ON p (lower(email), x DESC);
INSERT INTO p VALUES (5, 'A', '2020-01-01', 1);
INSERT INTO p VALUES (5, 'A', NULL, 7);
CREATE INDEX ON p (lower(email));
CREATE INDEX ON p (lower(email));
CREATE INDEX ON p ((x + 1));
CREATE INDEX ON p ((x + 1), (x + 2), lower(email), lower(email));
CREATE INDEX ON p (id) INCLUDE (email);
CREATE UNIQUE INDEX ON p (id) INCLUDE (email, "A b");
CREATE UNIQUE INDEX ON p ((id)) WHERE "A b" > 5;
CREATE INDEX ON p ((x));
CREATE INDEX ON p (upper(email) text_pattern_ops DESC);
CREATE INDEX ON p ((email IS NULL));
CREATE INDEX ON p (x) WHERE x = 3;
CREATE INDEX ON p (x) WHERE (((x = 3)));
CREATE INDEX ON p USING hash (lower(email));
CREATE INDEX ON p USING gin (lower(email));
CREATE INDEX ON p (nope(x));
CREATE INDEX ON p ((y));
CREATE INDEX ON p ((y + 1));
CREATE INDEX ON p (x) INCLUDE (y);
CREATE INDEX ON p (x) WHERE y;
CREATE INDEX ON p (x) WHERE x;
CREATE INDEX ON p (x) WHERE id IN (SELECT 1);
CREATE INDEX ON p (x) WHERE count(*) > 1;
CREATE INDEX ON p ((count(x)));
CREATE INDEX ON p ((SELECT 1));
CREATE INDEX ON p (generate_series(1, x));
CREATE INDEX ON p (now());
CREATE INDEX ON p ((random()));
CREATE INDEX ON p (x) WHERE deleted_at < now();
CREATE INDEX ON p ((deleted_at::text));
CREATE INDEX ON p ((row_number() OVER ()));
CREATE UNIQUE INDEX dup ON p ((x % 1));
CREATE INDEX ON p USING hash (x) INCLUDE (id);
CREATE INDEX ON p (x + 1);
\d p
\d p_lower_x
\d p_id_email_idx
\di
SELECT indexrelid::regclass::text, indnatts, indnkeyatts, indkey::text, indisunique, indpred IS NOT NULL, indexprs IS NOT NULL FROM pg_index WHERE indrelid = 'p'::regclass ORDER BY 1;
SELECT indexrelid::regclass::text, pg_get_expr(indpred, indrelid), pg_get_expr(indexprs, indrelid) FROM pg_index WHERE indexrelid IN ('p_email'::regclass, 'p_lower_x'::regclass) ORDER BY 1;
SELECT pg_get_indexdef('p_email'::regclass), pg_get_indexdef('p_lower_x'::regclass), pg_get_indexdef('p_lower_x'::regclass, 1, true);
INSERT INTO p VALUES (10, 'a', NULL, 1) ON CONFLICT (email) WHERE deleted_at IS NULL DO UPDATE SET x = 100;
SELECT id, email, x FROM p ORDER BY id;
INSERT INTO p VALUES (10, 'a', NULL, 1) ON CONFLICT (email) DO UPDATE SET x = 100;
INSERT INTO p VALUES (10, 'a', NULL, 1) ON CONFLICT (email) WHERE x > 2 DO UPDATE SET x = 100;
INSERT INTO p VALUES (10, 'a', NULL, 100) ON CONFLICT (email) WHERE deleted_at IS NULL AND x > 2 DO UPDATE SET x = excluded.x + 1 RETURNING id, x;
INSERT INTO p VALUES (11, 'A', NULL, 101) ON CONFLICT (lower(email), x) DO UPDATE SET x = 33 RETURNING *;
INSERT INTO p VALUES (11, 'A', NULL, 33) ON CONFLICT (x, lower(email)) DO UPDATE SET email = 'yy' RETURNING *;
INSERT INTO p VALUES (11, 'q', '2020-01-01', 33), (12, 'Q', NULL, 33) ON CONFLICT (x, lower(email)) DO NOTHING RETURNING *;
INSERT INTO p VALUES (21, 'z', NULL, 33), (22, 'z', NULL, 34) ON CONFLICT DO NOTHING RETURNING *;
INSERT INTO p VALUES (23, 'w', NULL, 33), (24, 'w', '2020-01-01', 34), (25, 'w', NULL, 35) ON CONFLICT (email) WHERE deleted_at IS NULL DO NOTHING RETURNING *;
INSERT INTO p VALUES (26, 'u', NULL, 33), (27, 'u', NULL, 34) ON CONFLICT (email) WHERE deleted_at IS NULL DO UPDATE SET x = 9 RETURNING *;
INSERT INTO p VALUES (28, NULL, NULL, 33), (29, NULL, NULL, 34) ON CONFLICT (email) WHERE deleted_at IS NULL DO UPDATE SET x = 9 RETURNING *;
INSERT INTO p VALUES (1, 'nn', NULL, 0) ON CONFLICT ON CONSTRAINT p_email DO NOTHING;
INSERT INTO p VALUES (1, 'nn', NULL, 0) ON CONFLICT (lower(email)) DO NOTHING;
INSERT INTO p VALUES (1, 'nn', NULL, 0) ON CONFLICT ((email || 'x')) DO NOTHING;
INSERT INTO p VALUES (1, 'nn', NULL, 0) ON CONFLICT (id) DO NOTHING;
SELECT id, email, x FROM p ORDER BY id;
ALTER TABLE p RENAME COLUMN email TO "E mail";
ALTER TABLE p RENAME COLUMN x TO y;
\d p
ALTER TABLE p ALTER COLUMN y TYPE bigint;
ALTER TABLE p DROP COLUMN deleted_at;
\d p
ALTER TABLE p DROP COLUMN y;
\d p
DROP INDEX p_lower_x;
ALTER INDEX p_lower_idx RENAME TO other;
BEGIN;
CREATE UNIQUE INDEX undone ON p (id) WHERE id > 3;
ROLLBACK;
\d p
DROP TABLE p;
CREATE TABLE m (a integer, b integer);
CREATE UNIQUE INDEX ON m (a) WHERE b = 1;
CREATE TABLE m2 (LIKE m INCLUDING INDEXES);
\d m2
CREATE TABLE f (a integer REFERENCES m (a));
INSERT INTO m VALUES (1, 1), (1, 2), (1, 2);
MERGE INTO m USING (VALUES (1)) v (a) ON m.a = v.a AND m.b = 2 WHEN MATCHED THEN UPDATE SET b = 1;
UPDATE m SET b = 1;
DELETE FROM m WHERE b = 1;
INSERT INTO m VALUES (1, 1);
WITH i AS (INSERT INTO m VALUES (1, 1) RETURNING a) SELECT * FROM i;
CREATE UNIQUE INDEX ON m (lower(a::text)) WHERE a IS NOT NULL;
CREATE UNIQUE INDEX ON m ((a / 0));
SELECT * FROM m ORDER BY 1, 2;
DROP TABLE m, m2;
