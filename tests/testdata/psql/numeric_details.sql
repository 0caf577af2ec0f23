-- What is said of numbers that a column has no room for.
CREATE TABLE n (x numeric(3,1));
INSERT INTO n VALUES (100);
INSERT INTO n SELECT 1000;
INSERT INTO n SELECT x FROM (VALUES (1.5), (1e10)) t(x);
INSERT INTO n SELECT 1e5::float8;
SELECT (g * 100)::numeric(3,1) FROM generate_series(1, 2) g;
DROP TABLE n;
