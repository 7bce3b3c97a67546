"""The kinds of statements that both databases are held to, and the tests that are chosen by them."""

from pathlib import Path

import pytest

from tests.statements import CHOICE, Executed, add, chosen_tests, kind, missing

PAIRS = [
    ('DELETE FROM "t" WHERE "t"."id" IN (%s, %s, %s)', 'DELETE FROM "t" WHERE "t"."id" IN (%s)'),
    (
        'INSERT OR IGNORE INTO "t" ("a", "b") VALUES (%s, %s), (%s, %s)',
        'INSERT INTO "t" ("a", "b") SELECT * FROM UNNEST((%s)::text[], (%s)::int[]) RETURNING "t"."id"',
    ),
    (
        'SELECT "t"."a" FROM "t" WHERE "t"."a" LIKE %s ESCAPE \'\\\' LIMIT 21',
        'SELECT "t"."a" FROM "t" WHERE UPPER("t"."a"::text) LIKE UPPER(%s) LIMIT 1 FOR UPDATE',
    ),
    (
        'SELECT (CASE WHEN JSON_TYPE("t"."o", %s) IN (\'true\',\'null\') THEN JSON_TYPE("t"."o", %s)'
        ' ELSE JSON_EXTRACT("t"."o", %s) END) AS "x" FROM "t"',
        'SELECT ("t"."o" #>> %s) AS "x" FROM "t"',
    ),
    (
        "UPDATE \"t\" SET \"at\" = (django_format_dtdelta('+', STRFTIME('%%Y-%%f', 'NOW'), %s))",
        'UPDATE "t" SET "at" = (STATEMENT_TIMESTAMP() + %s)',
    ),
    (
        'SELECT "t"."id", COUNT("u"."id") AS "n" GROUP BY "t"."id", "t"."name" ORDER BY "t"."id" ASC',
        'SELECT "t"."id", COUNT("u"."id") AS "n" GROUP BY "t"."id" ORDER BY "t"."id" ASC',
    ),
]


@pytest.mark.parametrize(("on_sqlite", "on_postgresql"), PAIRS)
def test_what_both_databases_are_asked_is_of_one_kind(on_sqlite: str, on_postgresql: str) -> None:
    assert kind(on_sqlite) == kind(on_postgresql) is not None


def test_other_columns_operators_and_orders_are_other_kinds() -> None:
    statements = [
        f'SELECT "t"."{column}" FROM "t" WHERE "t"."a" {operator} %s ORDER BY "t"."a" {order}'
        for column in "ab"
        for operator in ("=", "<")
        for order in ("ASC", "DESC")
    ]
    assert len({kind(statement) for statement in statements}) == len(statements)


@pytest.mark.parametrize(
    "own", ['SAVEPOINT "s1"', "PRAGMA x", 'DELETE FROM "t";', "SELECT set_config('a', %s)"]
)
def test_what_a_database_is_told_about_itself_is_not_compared(own: str) -> None:
    assert kind(own) is None


def test_the_cheapest_tests_that_execute_what_is_missing_are_named() -> None:
    ran = {
        "slow": Executed(9.0, frozenset("abc")),
        "quick": Executed(0.1, frozenset("ab")),
        "known": Executed(0.0, frozenset("x")),
        "rest": Executed(0.2, frozenset("cx")),
    }
    assert missing(ran, [Executed(1.0, frozenset("x"))]) == {"quick": ["a", "b"], "rest": ["c"]}
    assert missing(ran, ran.values()) == {}


def test_tests_are_added_to_the_list_behind_its_remarks(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    file.write_text("# why\ntests/b.py\ntests/b.py::test_one[a b]\n")
    add(["tests/a.py::test_two", "tests/b.py::test_one[a b]"], file)
    assert file.read_text() == "# why\ntests/a.py::test_two\ntests/b.py\ntests/b.py::test_one[a b]\n"
    files, tests = chosen_tests(file.read_text().splitlines())
    assert files == {"tests/a.py", "tests/b.py"}
    assert tests == {"tests/a.py::test_two", "tests/b.py::test_one[a b]"}


def test_every_file_of_the_list_is_there() -> None:
    files, _ = chosen_tests(CHOICE.read_text().splitlines())
    assert [name for name in files if not (CHOICE.parent.parent / name).exists()] == []
