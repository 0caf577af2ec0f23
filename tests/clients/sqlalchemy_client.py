"""Uses SQLAlchemy, 1.4 or 2, with psycopg2 as their users do and prints what it gets.

The argument is a URL. Every line is the same with PostgreSQL.
"""
import datetime
import decimal
import sys

import psycopg2
import psycopg2.extras
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.orm import Session, declarative_base

Base = declarative_base()


class Writer(Base):
    __tablename__ = "writers"
    __table_args__ = {"comment": "who writes"}
    id = sa.Column(sa.Integer, primary_key=True, autoincrement=False)
    name = sa.Column(sa.String(40), nullable=False, comment="the full name")
    code = sa.Column(sa.String(3), unique=True)
    born = sa.Column(sa.Date)


class Work(Base):
    __tablename__ = "works"
    __table_args__ = (sa.UniqueConstraint("writer", "title", name="one_title"),)
    id = sa.Column(sa.BigInteger, primary_key=True, autoincrement=False)
    writer = sa.Column(sa.Integer, nullable=False)
    title = sa.Column(sa.Text, nullable=False, server_default="untitled")
    price = sa.Column(sa.Numeric(8, 2), server_default=sa.text("0.00"))
    tags = sa.Column(pg.ARRAY(sa.Text))
    ratings = sa.Column(pg.ARRAY(sa.Integer))
    made = sa.Column(sa.DateTime(timezone=True), server_default=sa.func.now())
    seen = sa.Column(sa.DateTime)
    long = sa.Column(sa.Interval)
    weight = sa.Column(sa.Float(53))
    thin = sa.Column(sa.REAL)
    small = sa.Column(sa.SmallInteger)
    known = sa.Column(sa.Boolean)


def report(name, value):
    print(name, repr(value), flush=True)


def attempt(name, act):
    try:
        report(name, act())
    except sa.exc.DBAPIError as e:
        report(name, (type(e.orig).__name__, e.orig.pgcode, e.orig.pgerror))


def reflect(engine):
    inspector = sa.inspect(engine)
    report("schemas", inspector.get_schema_names())
    report("default schema", inspector.default_schema_name)
    report("tables", sorted(inspector.get_table_names()))
    report("views", inspector.get_view_names())
    for table in ("writers", "works", "cheap"):
        for column in inspector.get_columns(table):
            report(table, {k: str(v) if k == "type" else v for k, v in column.items()})
        report("primary key", inspector.get_pk_constraint(table))
        report("foreign keys", inspector.get_foreign_keys(table))
        report("unique", sorted(inspector.get_unique_constraints(table), key=lambda u: u["name"]))
        report("checks", inspector.get_check_constraints(table))
        report("indexes", sorted(inspector.get_indexes(table), key=lambda i: i["name"]))
        report("comment", inspector.get_table_comment(table))
    report("enums", inspector.get_enums())
    report("foreign tables", inspector.get_foreign_table_names())
    report("has", (inspector.has_table("works"), inspector.has_table("nope")))
    try:
        inspector.get_columns("nope")
    except sa.exc.NoSuchTableError as e:
        report("no such", str(e))
    metadata = sa.MetaData()
    metadata.reflect(engine, views=True)
    for name, table in sorted(metadata.tables.items()):
        report("reflected", (name, [(c.name, str(c.type), c.nullable, c.primary_key, str(c.server_default and c.server_default.arg)) for c in table.columns]))


def work(engine):
    with Session(engine) as session:
        session.add(Writer(id=1, name="Ada", code="ada", born=datetime.date(1815, 12, 10)))
        session.add(Work(id=1, writer=1, title="Notes", tags=["a", None, 'q"{'], ratings=[1, 2], long=datetime.timedelta(days=3, seconds=5),
                         seen=datetime.datetime(2001, 2, 3, 4, 5, 6, 789000), made=datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc),
                         price=decimal.Decimal("5.50"), weight=0.1, thin=0.5, small=-3, known=True))
        session.add_all([Work(id=n, writer=1, title=f"t{n}") for n in range(2, 8)])
        session.commit()
        w = session.get(Work, 1)
        report("got", {c.name: getattr(w, c.name) for c in Work.__table__.columns})
        report("defaults", (session.get(Work, 2).price, session.get(Work, 2).made is not None))
        w.title = "More notes"
        session.delete(session.get(Work, 7))
        session.commit()
        report("counted", session.query(sa.func.count(Work.id)).filter(Work.title.like("t%")).scalar())
        report("any", session.query(Work.id).filter(Work.tags.any("a")).all())
        report("joined", session.query(Writer.name, sa.func.count()).join(Work, Work.writer == Writer.id).group_by(Writer.name).all())
        report("in", session.query(Work.id).filter(Work.id.in_([1, 3, 99])).order_by(Work.id).all())
    with engine.begin() as conn:
        attempt("duplicate", lambda: conn.execute(sa.text("INSERT INTO writers VALUES (1, 'x')")))
    with engine.connect() as conn:
        report("streamed", [r[0] for r in conn.execution_options(stream_results=True, max_row_buffer=2).execute(sa.text("SELECT id FROM works ORDER BY id"))])
    with engine.connect() as conn:
        conn = conn.execution_options(isolation_level="SERIALIZABLE")
        report("isolation", conn.get_isolation_level())
        report("cheap", conn.execute(sa.text("SELECT * FROM cheap WHERE id = :id"), {"id": 1}).mappings().all())


def driver(url):
    conn = psycopg2.connect(url)
    with conn.cursor(cursor_factory=psycopg2.extras.RealDictCursor) as cur:
        cur.execute("SELECT * FROM works WHERE id = %s", (1,))
        report("dict", dict(cur.fetchone()))
        report("description", [(d.name, d.type_code, d.internal_size, d.precision, d.scale) for d in cur.description])
        psycopg2.extras.execute_values(cur, "INSERT INTO works (id, writer, title) VALUES %s", [(n, 1, f"v{n}") for n in range(20, 25)])
        report("rows", cur.rowcount)
        cur.execute("SELECT %s, %s, %s::text[]", ([1, 2], datetime.date(2000, 1, 1), []))
        report("adapted", list(cur.fetchone().values()))
    with conn.cursor("named") as cur:
        cur.itersize = 2
        cur.execute("SELECT id FROM works ORDER BY id")
        report("named", [r[0] for r in cur])
    conn.rollback()
    report("status", (conn.encoding, conn.server_version // 10000, conn.autocommit, conn.status))
    conn.close()


def main(url):
    engine = sa.create_engine(url)
    Base.metadata.create_all(engine)
    Base.metadata.create_all(engine)  # finds them
    with engine.begin() as conn:
        conn.execute(sa.text("CREATE VIEW cheap AS SELECT id, title, price FROM works WHERE price < 10"))
    reflect(engine)
    work(engine)
    driver(url)
    with engine.begin() as conn:
        conn.execute(sa.text("DROP VIEW cheap"))
    Base.metadata.drop_all(engine)
    report("left", sa.inspect(engine).get_table_names())


main(sys.argv[1])
