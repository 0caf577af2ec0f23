-- One statement a line, each in a transaction of its own that is rolled back. {t} and
-- {v} are a table and a view, {new} is a name that is free, {file} and {out} are files
-- of the server, {chief}, {owner} and {other} are the PIDs of these roles' sessions.

-- Reading.
SELECT * FROM {t}
SELECT a FROM {t}
SELECT b FROM {t}
SELECT 1 FROM {t}
SELECT count(*) FROM {t}
SELECT a FROM {t} WHERE b > 0
SELECT a FROM {t} ORDER BY b
SELECT t.a FROM {t} t JOIN {t} u USING (a)
SELECT (SELECT max(b) FROM {t})
WITH w AS (SELECT a FROM {t}) SELECT * FROM w
SELECT * FROM {v}
SELECT a FROM {v} WHERE EXISTS (SELECT FROM {t})
EXPLAIN (COSTS OFF) SELECT a FROM {t}
TABLE {t}
SELECT nope FROM {t}
SELECT * FROM nope, {t}

-- Writing.
INSERT INTO {t} VALUES (1, 2)
INSERT INTO {t} (a) VALUES (1)
INSERT INTO {t} DEFAULT VALUES
INSERT INTO {t} (a) VALUES (1) RETURNING a
INSERT INTO {t} (a) VALUES (1) RETURNING b
INSERT INTO {t} (a) SELECT b FROM {t}
WITH w AS (INSERT INTO {t} (a) VALUES (1) RETURNING b) SELECT * FROM w
WITH w AS (INSERT INTO {t} (a) VALUES (1)) SELECT 1
WITH w AS (DELETE FROM {t} RETURNING a) SELECT * FROM w
WITH w AS (DELETE FROM {t}) INSERT INTO {t} (a) VALUES (1)
WITH w AS (UPDATE {t} SET b = 1) SELECT a FROM {t}
WITH w AS (DELETE FROM nope) INSERT INTO {t} VALUES (1, 2)
EXPLAIN (COSTS OFF) DELETE FROM {t}
EXPLAIN (COSTS OFF) UPDATE {t} SET b = 1
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN MATCHED THEN UPDATE SET b = 1
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN MATCHED THEN UPDATE SET a = x.b
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN MATCHED THEN DELETE
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN NOT MATCHED THEN INSERT (a) VALUES (y.a)
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN NOT MATCHED THEN INSERT VALUES (1, 2)
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (a) VALUES (y.a)
MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN MATCHED THEN DO NOTHING
MERGE INTO {t} x USING (VALUES (1)) y(a) ON true WHEN MATCHED AND false THEN DELETE
EXPLAIN (COSTS OFF) MERGE INTO {t} x USING (VALUES (1)) y(a) ON x.a = y.a WHEN MATCHED THEN DELETE
UPDATE {t} SET b = 1
UPDATE {t} SET b = a
UPDATE {t} SET b = b + 1
UPDATE {t} SET a = 1
UPDATE {t} SET b = 1 WHERE a = 1
UPDATE {t} SET b = 1 RETURNING b
DELETE FROM {t}
DELETE FROM {t} WHERE a = 1
DELETE FROM {t} WHERE b = 1
DELETE FROM {t} RETURNING a
TRUNCATE {t}

-- COPY.
COPY {t} FROM STDIN
COPY {t} (a) FROM STDIN
COPY {t} TO STDOUT
COPY {t} (a) TO STDOUT
COPY (SELECT a FROM {t}) TO STDOUT
COPY {t} FROM '{file}'
COPY {t} TO '{out}'
COPY (SELECT 1) TO '{out}'

-- Definitions.
CREATE TABLE {new} (a int)
CREATE TABLE {new} AS SELECT * FROM {t}
CREATE VIEW {new} AS SELECT * FROM {t}
CREATE OR REPLACE VIEW {v} AS SELECT 1 AS a, 2 AS b
ALTER TABLE {t} ADD COLUMN c int
ALTER TABLE {t} DROP COLUMN nope
ALTER TABLE {t} ALTER COLUMN b SET DEFAULT 5
ALTER TABLE {t} ADD PRIMARY KEY (a)
ALTER TABLE {t} RENAME TO {new}
ALTER TABLE {t} RENAME COLUMN a TO z
ALTER VIEW {v} RENAME TO {new}
ALTER TABLE {t} OWNER TO other
ALTER TABLE {t} OWNER TO owner
ALTER TABLE {t} OWNER TO nope
DROP VIEW {v}
DROP TABLE {t}
DROP TABLE {t} CASCADE

-- Granting.
GRANT SELECT ON {t} TO plain
GRANT ALL ON {t} TO plain
GRANT SELECT (a), UPDATE (b) ON {t} TO plain
GRANT SELECT ON {v} TO plain
GRANT INSERT ON {v} TO plain WITH GRANT OPTION
GRANT SELECT ON {t} TO nope
GRANT SELECT (nope) ON {t} TO plain
GRANT EXECUTE ON {t} TO plain
REVOKE ALL ON {t} FROM PUBLIC
REVOKE SELECT ON {t} FROM grantee
REVOKE GRANT OPTION FOR SELECT ON {v} FROM grantee CASCADE
REVOKE SELECT (a) ON {t} FROM grantee
GRANT CREATE ON SCHEMA public TO plain
REVOKE USAGE ON SCHEMA public FROM PUBLIC
GRANT CREATE ON DATABASE postgres TO plain
ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO plain
ALTER DEFAULT PRIVILEGES FOR ROLE owner GRANT SELECT ON TABLES TO plain

-- Roles.
CREATE ROLE {new}
CREATE ROLE {new} SUPERUSER
CREATE ROLE {new} CREATEDB CREATEROLE LOGIN
CREATE ROLE plain
CREATE ROLE pg_new
CREATE ROLE {new} IN ROLE crowd
CREATE USER {new} PASSWORD 'correct horse' VALID UNTIL 'infinity'
ALTER ROLE plain PASSWORD 'correct horse'
ALTER ROLE plain SUPERUSER
ALTER ROLE plain CREATEDB
ALTER ROLE plain RENAME TO {new}
ALTER ROLE chief NOLOGIN
ALTER ROLE nope LOGIN
ALTER ROLE plain SET statement_timeout = '1min'
ALTER ROLE CURRENT_USER SET statement_timeout = '1min'
ALTER ROLE CURRENT_USER PASSWORD 'correct horse'
DROP ROLE idle
DROP ROLE other
DROP ROLE chief
DROP ROLE nope
DROP ROLE pg_monitor
DROP ROLE CURRENT_USER
GRANT crowd TO plain
GRANT owner TO plain
GRANT chief TO plain
GRANT plain TO CURRENT_USER
GRANT owner TO crowd WITH ADMIN OPTION
GRANT nope TO plain
REVOKE crowd FROM grantee
REVOKE owner FROM heir
REASSIGN OWNED BY other TO owner
DROP OWNED BY idle

-- Being another.
SET ROLE owner
SET ROLE crowd
SET ROLE chief
SET ROLE nope
SET ROLE owner; SELECT * FROM {t}
SET ROLE owner; DROP TABLE {t} CASCADE
SET ROLE NONE; SELECT current_user
SET SESSION AUTHORIZATION owner
SET SESSION AUTHORIZATION nope

-- Sessions and settings.
SELECT pg_cancel_backend({chief})
SELECT pg_cancel_backend({owner})
SELECT pg_terminate_backend({other})
SELECT usename, query = '<insufficient privilege>' FROM pg_stat_activity WHERE pid = {other}
SELECT count(*) FROM pg_authid
SELECT count(*) FROM pg_shadow
SELECT rolpassword FROM pg_roles WHERE rolname = 'chief'

-- Questions.
SELECT has_table_privilege('{t}', 'SELECT'), has_table_privilege('{t}', 'SELECT WITH GRANT OPTION'), has_table_privilege('{t}', 'DELETE, TRUNCATE')
SELECT has_any_column_privilege('{t}', 'SELECT'), has_column_privilege('{t}', 'a', 'SELECT'), has_column_privilege('{t}', 2::smallint, 'UPDATE')
SELECT has_table_privilege('plain', '{t}', 'INSERT'), has_table_privilege('grantee', '{v}', 'SELECT WITH GRANT OPTION'), has_table_privilege('public', '{t}', 'INSERT')
SELECT has_table_privilege('{t}', 'nope')
SELECT has_table_privilege('nope', '{t}', 'SELECT')
SELECT has_table_privilege('nope', 'SELECT')
SELECT has_column_privilege('{t}', 'nope', 'SELECT')
SELECT has_schema_privilege('public', 'CREATE'), has_schema_privilege('public', 'USAGE'), has_database_privilege('postgres', 'CONNECT'), has_database_privilege('postgres', 'CREATE')
SELECT pg_has_role('owner', 'MEMBER'), pg_has_role('owner', 'USAGE'), pg_has_role('chief', 'MEMBER'), pg_has_role('crowd', 'MEMBER WITH ADMIN OPTION')
SELECT current_user, session_user, pg_get_userbyid((SELECT relowner FROM pg_class WHERE relname = '{t}'))
SELECT table_name, grantee, privilege_type, is_grantable FROM information_schema.table_privileges WHERE table_name LIKE 'granted%' ORDER BY 1, 2, 3
SELECT table_name, column_name, grantee, privilege_type FROM information_schema.column_privileges WHERE table_name LIKE 'granted%' ORDER BY 1, 2, 3, 4
SELECT role_name FROM information_schema.enabled_roles WHERE role_name !~ '^pg_' AND role_name <> 'postgres' ORDER BY 1
SELECT grantee, role_name, is_grantable FROM information_schema.applicable_roles ORDER BY 1, 2
