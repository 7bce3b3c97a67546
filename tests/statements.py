"""``python -m tests.statements``: does PostgreSQL execute each kind of statement that SQLite executes?

`make test` runs on PostgreSQL the tests that may fail there alone: whole files, except those that
tests/on_postgresql.txt names. Of these it runs the tests that the list has, so that each kind of statement is
executed. Both runs write down what they execute (``--statements``, `tests.fixtures.statements`). This command
compares, and names the tests that are missing; ``--add`` puts them into the list.
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / ".statements"
CHOICE = Path(__file__).resolve().parent / "on_postgresql.txt"
OWN = re.compile(
    r"\s*(ALTER|BEGIN|COMMENT|COMMIT|CREATE|DROP|EXPLAIN|PRAGMA|RELEASE|ROLLBACK|SAVEPOINT|SET|SHOW|TRUNCATE|VACUUM)\b"
    r"|.*\b(sqlite_|pg_|information_schema)|INSERT INTO \"new__|SELECT set_config|DELETE FROM \"\w+\";",
    re.IGNORECASE | re.DOTALL,
)
"""What a database is told about itself, its tables and transactions: each has words of its own for that."""

COLUMN = r'("\w+"\."\w+")'
SAME = [
    (re.compile(pattern), form)
    for pattern, form in (
        (r"\s+", " "),
        (r"\((?:%s, )+%s\)", "(%s)"),
        (r'(?<![\w"$.])\d+(?![\w"])', "0"),
        (r"( VALUES | SELECT \* FROM UNNEST\(| DEFAULT VALUES).*", ""),
        (rf"regexp_replace\(regexp_replace\({COLUMN}.*?, 'g'\), .*?, 'g'\)", r"natural_key(\1)"),
        (r" GROUP BY [^()]*?(?= HAVING | ORDER BY |\)|$)", " GROUP BY"),
        (r"CAST\((\S+) AS text\)", r"(\1)"),
        (r"::\w+(\(\d+\))?(\[\])?", ""),
        (r' COLLATE "\w+"', ""),
        (rf"(?<!\w)\({COLUMN}\)", r"\1"),
        (r" FOR (NO KEY )?UPDATE.*", ""),
        (r" OR IGNORE", ""),
        (r" LIMIT -0(?= OFFSET )", ""),
        (
            rf"\(CASE WHEN JSON_TYPE\({COLUMN}, %s\) IN \([^)]*\) "
            r"THEN JSON_TYPE\(\1, %s\) ELSE JSON_EXTRACT\(\1, %s\) END\)",
            r"(\1 -> %s)",
        ),
        (rf"JSON_TYPE\({COLUMN}, %s\)", r"(\1 -> %s)"),
        (r"->>|#>>|#>", "->"),
        (r"( WHEN \([^()]*\) THEN %s)+", " WHEN"),
        (r"\((CASE [^()]* END)\)", r"\1"),
        (r"STATEMENT_TIMESTAMP\(\)|STRFTIME\('[^']*', 'NOW'\)", "NOW"),
        (r"\(django_format_dtdelta\('(.)', (\S+), (\S+?)\)\)", r"(\2 \1 \3)"),
        (rf"UPPER\({COLUMN}\) (?:LIKE|=) UPPER\(%s\)", r"\1 LIKE %s"),
        (r" ESCAPE '\\'", ""),
    )
]
"""How the two databases write one thing, and what is a value: both become one form."""


class Executed(NamedTuple):
    """What one test executed, and the CPU seconds of this process that it took."""

    seconds: float
    kinds: frozenset[str]


def kind(statement: str) -> str | None:
    """Return the statement without its values, in a form that both databases share; None for `OWN` ones."""
    if OWN.match(statement):
        return None
    for pattern, form in SAME:
        statement = pattern.sub(form, statement)
    return statement.strip()


def missing(sqlite: Mapping[str, Executed], postgresql: Iterable[Executed]) -> dict[str, list[str]]:
    """Return tests that together execute what PostgreSQL did not, and for each what it adds.

    The cheapest first, by what a test adds for its time; ties are broken by the name.
    """
    left = set().union(*(test.kinds for test in sqlite.values())) - set().union(
        *(test.kinds for test in postgresql)
    )
    chosen: dict[str, list[str]] = {}
    while left:
        _, best = min(
            (-len(test.kinds & left) / (test.seconds + 0.02), name) for name, test in sqlite.items()
        )
        chosen[best] = sorted(sqlite[best].kinds & left)
        left -= sqlite[best].kinds
    return chosen


def read(vendor: str, folder: Path = FOLDER) -> dict[str, Executed]:
    """Return what the tests of a run executed by their id; SystemExit if nothing is written down."""
    files = sorted(folder.glob(f"{vendor}-*.json"))
    if not files:
        raise SystemExit(f"No statements of {vendor} in {folder}: make test writes them down.")
    return {
        name: Executed(seconds, frozenset(kinds))
        for file in files
        for name, (seconds, kinds) in json.loads(file.read_text()).items()
    }


def chosen_tests(lines: Iterable[str]) -> tuple[set[str], set[str]]:
    """Return the files of the list, of which only some tests run on PostgreSQL, and these tests."""
    named = {line.strip() for line in lines if line.strip() and not line.startswith("#")}
    return {name.partition("::")[0] for name in named}, {name for name in named if "::" in name}


def add(names: Iterable[str], file: Path = CHOICE) -> None:
    """Put tests into the list, which keeps its remarks at its beginning and is sorted."""
    lines = file.read_text().splitlines()
    remarks = [line for line in lines if line.startswith("#")]
    entries = {line.strip() for line in lines if line.strip()} - set(remarks)
    file.write_text("\n".join([*remarks, *sorted(entries | set(names))]) + "\n")


def _short(statement: str) -> str:
    return statement if len(statement) < 300 else f"{statement[:100]} … {statement[-200:]}"


def main(arguments: list[str]) -> int:
    """Compare; 1 if PostgreSQL executed less."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.statements", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--add", action="store_true", help=f"put the missing tests into {CHOICE.name}")
    options = parser.parse_args(arguments)
    sqlite, postgresql = read("sqlite"), read("postgresql")
    lacking = missing(sqlite, postgresql.values())
    if not lacking:
        kinds = set().union(*(test.kinds for test in postgresql.values()))
        print(f"PostgreSQL executed every kind of statement that SQLite did ({len(kinds)} of its own).")
        return 0
    for name, kinds in lacking.items():
        print(f"Not executed on PostgreSQL, but by {name}:", *(_short(one) for one in kinds), sep="\n    ")
    if options.add:
        add(lacking)
        return 0
    print(f"\nAdd these tests to {CHOICE.name}: python -m tests.statements --add", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
