"""Uses Django as its users do and prints what it gets.

The arguments are host, port and password. Every line is the same with PostgreSQL.
"""
import datetime
import decimal
import io
import sys

import django
from django.conf import settings

host, port, password = sys.argv[1:]
settings.configure(
    DATABASES={"default": {"ENGINE": "django.db.backends.postgresql", "NAME": "postgres", "USER": "postgres", "PASSWORD": password,
                           "HOST": host, "PORT": port}},
    INSTALLED_APPS=["__main__"], DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", USE_TZ=True, TIME_ZONE="UTC")
django.setup()

from django.contrib.postgres.fields import ArrayField  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import IntegrityError, ProgrammingError, connection, models, transaction  # noqa: E402


class Writer(models.Model):
    id = models.IntegerField(primary_key=True)
    name = models.CharField(max_length=40)
    born = models.DateField(null=True)

    class Meta:
        app_label, db_table = "books", "writers"


class Work(models.Model):
    id = models.BigIntegerField(primary_key=True)
    writer = models.ForeignKey(Writer, models.DO_NOTHING, db_constraint=False, db_index=False)
    title = models.TextField()
    price = models.DecimalField(max_digits=8, decimal_places=2, null=True)
    tags = ArrayField(models.TextField(null=True), null=True)
    made = models.DateTimeField(null=True)
    weight = models.FloatField(null=True)
    small = models.SmallIntegerField(null=True)
    known = models.BooleanField(default=True)
    long = models.DurationField(null=True)

    class Meta:
        app_label, db_table, unique_together = "books", "works", [("writer", "title")]


def report(name, value):
    print(name, repr(value), flush=True)


def attempt(name, act):
    try:
        with transaction.atomic():
            report(name, act())
    except (IntegrityError, ProgrammingError) as e:
        report(name, (type(e).__name__, str(e)))


def introspect():
    with connection.cursor() as cursor:
        i = connection.introspection
        report("tables", sorted(i.get_table_list(cursor)))
        for table in ("writers", "works", "cheap"):
            for column in i.get_table_description(cursor, table):
                report(table, tuple(column))
            report("relations", i.get_relations(cursor, table))
            report("sequences", i.get_sequences(cursor, table))
            report("constraints", sorted(i.get_constraints(cursor, table).items()))
            report("primary key", i.get_primary_key_column(cursor, table))
    out = io.StringIO()
    call_command("inspectdb", include_views=True, stdout=out)
    print(out.getvalue())


def use():
    Writer.objects.create(id=1, name="Ada", born=datetime.date(1815, 12, 10))
    Work.objects.create(id=1, writer_id=1, title="Notes", price=decimal.Decimal("5.50"), tags=["a", None, 'q"{'], weight=0.1, small=-3,
                        made=datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), long=datetime.timedelta(days=3, seconds=5))
    Work.objects.bulk_create([Work(id=n, writer_id=1, title=f"t{n}") for n in range(2, 8)])
    report("rows", list(Work.objects.order_by("id").values()))
    report("joined", list(Work.objects.filter(writer__name="Ada").values("writer__name").annotate(n=models.Count("id"), p=models.Sum("price"))))
    report("contains", list(Work.objects.filter(tags__contains=["a"]).values_list("id", flat=True)))
    report("year", list(Work.objects.filter(made__year=2020, title__icontains="NOTE").values_list("id", flat=True)))
    report("dates", list(Work.objects.exclude(made=None).dates("made", "month")))
    report("updated", Work.objects.filter(id=2).update(title="new", price=models.F("id") + 1))
    report("deleted", Work.objects.filter(id=3).delete())
    report("iterated", [w.id for w in Work.objects.order_by("id").iterator(chunk_size=2)])
    report("exists", (Work.objects.filter(id=1).exists(), Work.objects.filter(id=99).exists()))
    w = Work.objects.get(id=4)
    w.title = "saved"
    w.save()
    report("saved", Work.objects.get(id=4).title)
    attempt("duplicate", lambda: Writer.objects.create(id=1, name="x"))
    attempt("unknown", lambda: list(Work.objects.raw("SELECT nope FROM works")))


def main():
    with connection.schema_editor() as editor:
        editor.create_model(Writer)
        editor.create_model(Work)
        editor.execute("CREATE VIEW cheap AS SELECT id, title, price FROM works WHERE price < 10")
    introspect()
    use()
    with connection.schema_editor() as editor:
        field = models.CharField(max_length=10, null=True)
        field.set_attributes_from_name("note")
        editor.add_field(Work, field)
    with connection.cursor() as cursor:
        report("altered", [c.name for c in connection.introspection.get_table_description(cursor, "works")])
    with connection.schema_editor() as editor:
        editor.execute("DROP VIEW cheap")
        editor.delete_model(Work)
        editor.delete_model(Writer)


main()
