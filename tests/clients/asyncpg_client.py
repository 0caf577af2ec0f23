"""Uses asyncpg as its users do and prints what it gets.

The arguments are host, port and password. Every line is the same with PostgreSQL.
"""
import asyncio
import datetime
import decimal
import sys

import asyncpg


def report(name, value):
    print(name, repr(value), flush=True)


async def attempt(name, act):
    try:
        report(name, await act)
    except asyncpg.PostgresError as e:
        report(name, (type(e).__name__, e.sqlstate, e.args[0]))


SCHEMA = """
CREATE TABLE writers (id integer PRIMARY KEY, name varchar(40) NOT NULL, code varchar(3) UNIQUE, born date);
CREATE TABLE works (id bigint PRIMARY KEY, writer integer NOT NULL, title text NOT NULL DEFAULT 'untitled',
    price numeric(8,2), tags text[], ratings integer[], made timestamptz, long interval, weight float8, thin real, known boolean);
CREATE VIEW cheap AS SELECT id, title FROM works WHERE price < 10;
"""


async def main(host, port, password):
    conn = await asyncpg.connect(host=host, port=int(port), user="postgres", password=password, database="postgres",
                                 server_settings={"application_name": "asyncpg"})
    report("version", conn.get_server_version()[:1])
    await conn.execute(SCHEMA)
    report("insert", await conn.execute("INSERT INTO writers VALUES ($1, $2, $3, $4)", 1, "Ada", "ada", datetime.date(1815, 12, 10)))
    row = (1 << 40, 1, "ä'\\", decimal.Decimal("5.50"), ["a", None, 'q"{,'], [1, 2], datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc),
           datetime.timedelta(days=3, seconds=5), 0.1, 0.5, True)
    await conn.execute("INSERT INTO works VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)", *row)
    await conn.executemany("INSERT INTO works (id, writer) VALUES ($1, $2)", [(n, 1) for n in range(2, 7)])
    for r in await conn.fetch("SELECT * FROM works ORDER BY id"):
        report("row", dict(r))
    report("columns", [(a.name, a.type.name, a.type.kind, a.type.schema) for a in (await conn.prepare("SELECT * FROM works")).get_attributes()])
    report("parameters", [p.name for p in (await conn.prepare("SELECT * FROM works WHERE id = ANY($1) AND title = $2 AND made > $3")).get_parameters()])
    report("any", await conn.fetchval("SELECT count(*) FROM works WHERE id = ANY($1::bigint[])", [2, 3, 99]))
    report("unnest", [tuple(r) for r in await conn.fetch("SELECT * FROM unnest($1::int[], $2::text[]) AS u(a, b)", [1, 2], ["x", None])])
    report("insert of arrays", await conn.execute("INSERT INTO works (id, writer, title) SELECT * FROM unnest($1::bigint[], $2::int[], $3::text[])",
                                                  [50, 51], [1, 1], ["p", "q"]))
    async with conn.transaction():
        report("cursor", [r["id"] async for r in conn.cursor("SELECT id FROM works ORDER BY id", prefetch=2)])
        cursor = await conn.cursor("SELECT id FROM works ORDER BY id")
        report("fetch", [r[0] for r in await cursor.fetch(3)])
    try:
        async with conn.transaction(isolation="serializable"):
            await conn.execute("INSERT INTO works (id, writer) VALUES (70, 1)")
            async with conn.transaction():
                await conn.execute("SELECT 1/0")
    except asyncpg.DivisionByZeroError as e:
        report("division", e.sqlstate)
    report("rolled back", await conn.fetchval("SELECT count(*) FROM works WHERE id = 70"))
    await attempt("duplicate", conn.execute("INSERT INTO writers VALUES (1, 'x')"))
    await attempt("unknown", conn.fetch("SELECT nope FROM works"))
    await attempt("null", conn.execute("INSERT INTO writers (id) VALUES (9)"))
    report("copied", await conn.copy_records_to_table("works", records=[(n, 1, f"t{n}", ["c"]) for n in range(100, 103)],
                                                      columns=["id", "writer", "title", "tags"]))
    report("returning", [tuple(r) for r in await conn.fetch("UPDATE works SET price = 1 WHERE id >= 100 RETURNING id, price")]
           if await conn.fetchval("SELECT current_setting('server_version') LIKE '15%'") else None)
    report("introspected", [tuple(r) for r in await conn.fetch("SELECT '{1,2}'::int2[], '{1.5}'::numeric[], '{2020-01-01}'::date[], '{t,f}'::bool[]")])
    await conn.set_type_codec("numeric", encoder=str, decoder=float, schema="pg_catalog")
    report("codec", await conn.fetchval("SELECT price FROM works WHERE id = $1", 1 << 40))
    await conn.reload_schema_state()
    pool = await asyncpg.create_pool(host=host, port=int(port), user="postgres", password=password, database="postgres", min_size=2, max_size=3)
    async with pool.acquire() as c:
        report("pooled", await c.fetchval("SELECT count(*) FROM cheap"))
    async with pool.acquire() as c:  # after the pool's reset
        report("reused", await c.fetchval("SELECT $1::text || 'x'", "y"))
    await pool.close()
    with_timeout = conn.fetch("SELECT count(*) FROM generate_series(1, 100000000) a, generate_series(1, 1000) b", timeout=0.3)
    try:
        await with_timeout
    except asyncio.TimeoutError:
        report("timeout", await conn.fetchval("SELECT 1"))
    await conn.execute("DROP VIEW cheap; DROP TABLE works; DROP TABLE writers")
    await conn.close()


asyncio.run(main(*sys.argv[1:]))
