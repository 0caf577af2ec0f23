"""Uses psycopg 3 as its users do and prints what it gets.

The argument is a connection string. Every line is the same with PostgreSQL.
"""
import datetime
import decimal
import sys
import threading
import time

import psycopg
from psycopg.rows import dict_row


def report(name, value):
    print(name, repr(value), flush=True)


def attempt(name, act):
    try:
        report(name, act())
    except psycopg.Error as e:
        report(name, (type(e).__name__, e.sqlstate, e.diag.message_primary, e.diag.statement_position))


def main(target):
    conn = psycopg.connect(target, application_name="psycopg")
    cur = conn.cursor()
    cur.execute("CREATE TABLE items (a int PRIMARY KEY, b text, c numeric(10,2), d date, e timestamp, f float8, h boolean, i bigint, g interval)")
    row = (1, "ä'\\", decimal.Decimal("-12.50"), datetime.date(1994, 2, 28), datetime.datetime(2001, 2, 3, 4, 5, 6, 789000), 0.1, True, 1 << 40,
           datetime.timedelta(days=3, seconds=5))
    insert = "INSERT INTO items VALUES (%s,%s,%s,%s,%s,%s,%s,%s,%s)"
    cur.execute(insert, row)
    cur.executemany(insert, [(n, None, None, None, None, None, None, None, None) for n in range(2, 8)])
    report("inserted", cur.rowcount)
    conn.commit()

    for binary in (False, True):
        with conn.cursor(binary=binary, row_factory=dict_row) as c:
            c.execute("SELECT * FROM items WHERE a <= %s ORDER BY a", (2,))
            report("rows", c.fetchall())
            report("description", [(d.name, d.type_code, d.display_size) for d in c.description])
    for n in range(8):  # prepared after the fifth time
        cur.execute("SELECT a + %s, c FROM items WHERE d = %s", (n, datetime.date(1994, 2, 28)))
        report("prepared", cur.fetchone())
    for value in (1, 1 << 20, 1 << 40, "x", 1.5, decimal.Decimal("1.50"), True, None, datetime.date(2000, 1, 1)):
        attempt("parameter", lambda: cur.execute("SELECT %s, %b, %t", (value, value, value)).fetchone())
    conn.rollback()

    with conn.cursor(name="server side") as c:
        c.execute("SELECT a, b FROM items ORDER BY a")
        report("fetchmany", c.fetchmany(2))
        c.itersize = 2
        report("iterated", [r[0] for r in c])
    conn.rollback()

    with conn.transaction():
        cur.execute("INSERT INTO items (a) VALUES (100)")
        try:
            with conn.transaction():
                cur.execute("INSERT INTO items (a) VALUES (101)")
                cur.execute("SELECT 1/0")
        except psycopg.errors.DivisionByZero as e:
            report("inner", e.sqlstate)
    report("after savepoint", cur.execute("SELECT a FROM items WHERE a >= 100").fetchall())
    conn.commit()

    attempt("unknown column", lambda: cur.execute("SELECT a, nope FROM items"))
    attempt("failed", lambda: cur.execute("SELECT 1"))
    conn.rollback()
    attempt("duplicate", lambda: cur.execute("INSERT INTO items (a) VALUES (1)"))
    conn.rollback()
    attempt("bad text", lambda: cur.execute("SELECT 'x'::int"))
    conn.rollback()

    with cur.copy("COPY items (a, b) FROM STDIN") as copy:
        for n in range(200, 203):
            copy.write_row((n, "tab\there" if n == 201 else None))
    with cur.copy("COPY items (a, c) FROM STDIN (FORMAT binary)") as copy:
        copy.set_types(["int4", "numeric"])
        copy.write_row((300, decimal.Decimal("3.25")))
    with cur.copy("COPY (SELECT a, b, c FROM items WHERE a >= 200 ORDER BY a) TO STDOUT") as copy:
        report("copied", [bytes(b) for b in copy])
    with cur.copy("COPY (SELECT a, c FROM items WHERE a >= 300) TO STDOUT (FORMAT binary)") as copy:
        copy.set_types(["int4", "numeric"])
        report("copied rows", list(copy.rows()))
    conn.commit()

    if psycopg.capabilities.has_pipeline() if hasattr(psycopg, "capabilities") else psycopg.Pipeline.is_supported():
        with conn.pipeline():
            first = conn.execute("SELECT %s::int", (1,))
            second = conn.execute("SELECT %s::text", ("two",))
            report("pipeline", (first.fetchone(), second.fetchone()))
        conn.rollback()

    timer = threading.Timer(0.5, conn.cancel)
    timer.start()
    attempt("cancelled", lambda: cur.execute(
        "SELECT count(*) FROM items a, items b, items c, items d, items e, items f, items g, items h, items i, items j, items k "
        "WHERE a.a + b.a + c.a + d.a + e.a + f.a + g.a + h.a + i.a + j.a + k.a < 0"))
    timer.join()
    conn.rollback()
    notices = []
    conn.add_notice_handler(lambda n: notices.append((n.severity, n.sqlstate, n.message_primary)))
    conn.autocommit = True
    cur.execute("ROLLBACK")
    cur.execute("DROP TABLE IF EXISTS nope")
    report("notices", notices)
    report("status", (conn.info.transaction_status.name, conn.info.parameter_status("application_name"), conn.info.server_version // 10000))
    cur.execute("DROP TABLE items")
    conn.close()


main(sys.argv[1])
