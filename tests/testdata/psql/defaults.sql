-- Defaults that do not fit their columns fail where a row takes them.
CREATE TABLE t (a int, c char(3) DEFAULT 'abcdef');
INSERT INTO t VALUES (1);
INSERT INTO t VALUES (1, 'x');
ALTER TABLE t ALTER c SET DEFAULT 'ab  ';
INSERT INTO t (a) VALUES (2);
ALTER TABLE t ALTER c SET DEFAULT 'abcdefg';
INSERT INTO t (a) VALUES (2);
ALTER TABLE t ADD COLUMN d char(2) DEFAULT 'xyz';
ALTER TABLE t ADD COLUMN d varchar(2) DEFAULT NULL;
SELECT * FROM t ORDER BY a;
CREATE TABLE u (v varchar(2) DEFAULT 'abc', n numeric(3,1) DEFAULT 12345, i smallint DEFAULT 100000, d date DEFAULT 'x');
CREATE TABLE u (n numeric(3,1) DEFAULT 'x');
CREATE TABLE u (n numeric(3,1) DEFAULT date '2020-01-01');
CREATE TABLE u (i smallint DEFAULT '100000');
CREATE TABLE u (v varchar(2) DEFAULT 'abc', n numeric(3,1) DEFAULT '12345', i smallint DEFAULT 100000, q int DEFAULT 1/0);
INSERT INTO u (n, i, q) VALUES (1, 1, 1);
INSERT INTO u (v, i, q) VALUES ('a', 1, 1);
INSERT INTO u (v, n, q) VALUES ('a', 1, 1);
INSERT INTO u (v, n, i) VALUES ('a', 1, 1);
INSERT INTO u VALUES ('a', 1, 1, 1);
SELECT * FROM u;
COPY u (v) FROM stdin;
b
\.
