-- Rows with fields of enums, the labels of which have characters that rows and types have too.
CREATE TYPE mood AS ENUM ('sad;(', 'ok', 'ha)ppy, x');
CREATE TABLE people (n text, m mood, k int);
INSERT INTO people VALUES ('a', 'ok', 1), ('b', 'sad;(', 2), ('c', 'ha)ppy, x', 3), ('d', NULL, 4), ('a', 'ok', 1);
SELECT people FROM people ORDER BY people;
SELECT DISTINCT ROW(m, n) FROM people ORDER BY 1;
SELECT ROW(m, k), count(*) FROM people GROUP BY 1 ORDER BY 1;
SELECT (people).m, count(people) FROM people GROUP BY 1 ORDER BY 1;
SELECT ROW(m, k) < ROW('ok'::mood, 2) AS less, row_to_json(people) FROM people ORDER BY people;
SELECT people FROM people WHERE ROW(m, k) IN (SELECT m, k FROM people WHERE k > 1) ORDER BY k;
SELECT ROW(ARRAY[m, 'ok'], ROW(m, 1)) FROM people ORDER BY 1;
ALTER TYPE mood ADD VALUE 'meh' BEFORE 'ok';
SELECT people FROM people WHERE m > 'meh' ORDER BY people DESC;
SELECT people FROM people ORDER BY ROW(m), n LIMIT (SELECT count(*) FROM people WHERE m = 'ok');
DROP TABLE people;
DROP TYPE mood;
