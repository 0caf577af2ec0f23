-- UNIQUE, and transactions that only read: what psql shows is compared with PostgreSQL.
CREATE TABLE t (a integer PRIMARY KEY, b integer UNIQUE, c text, CONSTRAINT both_of UNIQUE (c, b), UNIQUE (b));
INSERT INTO t VALUES (1, 1, 'x'), (2, 2, 'x'), (3, NULL, 'x'), (4, NULL, 'x');
\d t
INSERT INTO t VALUES (5, 1, 'y');
INSERT INTO t VALUES (5, 5, 'y'), (6, 5, 'z');
UPDATE t SET b = 1 WHERE a = 2;
INSERT INTO t VALUES (5, 5, 'x'), (6, NULL, 'x');
UPDATE t SET a = a + 10, c = 'all';
SELECT * FROM t ORDER BY a;
SELECT conname, contype, conkey FROM pg_constraint WHERE conrelid = 't'::regclass ORDER BY 1;
CREATE TABLE u (a integer, CONSTRAINT of_u PRIMARY KEY (a), UNIQUE (a));
INSERT INTO u VALUES (1), (1);
\d u
CREATE TABLE w (a integer, UNIQUE (a, a));
CREATE TABLE w (a integer, UNIQUE (nope));
ALTER TABLE t DROP COLUMN b;
INSERT INTO t SELECT a + 100, c FROM t;
\d t
BEGIN READ ONLY;
SELECT count(*) FROM t;
INSERT INTO u VALUES (2);
ROLLBACK;
BEGIN;
SET TRANSACTION READ ONLY;
CREATE TABLE w (a integer);
ROLLBACK;
BEGIN READ ONLY;
TRUNCATE t;
ROLLBACK;
SET default_transaction_read_only = on;
DELETE FROM u;
BEGIN READ WRITE;
INSERT INTO u VALUES (3);
COMMIT;
BEGIN;
ALTER TABLE t ADD COLUMN z integer;
ROLLBACK;
SET default_transaction_read_only = off;
SELECT a FROM u;
