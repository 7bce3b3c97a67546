"""What every test may use; each group of fixtures is a file of ``tests/fixtures``.

people: alice (operator), bob (viewer), charlie (outsider), dora (administrator), in the test's database.
processes: ``fake_engine``, and ``processes``, real workers and web servers over the test's database.
broker: ``valkey``, a real server, and ``broker``, which points Celery and Channels at it.
tables: the database begins with the migrated tables that `tests.fixtures.prepared` makes once for all.
stack: ``live_stack``, all parts as ``manage.py up`` starts them, with the same people.
statements: what each test executes, and which tests PostgreSQL runs of those that SQLite does.
browser: ``page`` (signed in as alice) and ``page_of(name)`` in Chromium.
accessible: ``assert_accessible(page)``, and in both themes, by axe.
"""

import gc
from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import HealthCheck, settings

from tests.fixtures.database import WANTED

pytest_plugins = [
    "tests.fixtures.people",
    "tests.fixtures.tables",
    "tests.fixtures.broker",
    "tests.fixtures.processes",
    "tests.fixtures.stack",
    "tests.fixtures.browser",
    "tests.fixtures.accessible",
    "tests.fixtures.statements",
]


CHANCE = (HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large)
"""How long an example takes says how busy the machine is; how many of the first are of no use is luck."""
settings.register_profile("steady", deadline=None, suppress_health_check=CHANCE)
settings.load_profile("steady")

THRESHOLDS = (50_000, 20, 20)
"""Of the garbage collector in tests; Python's own are 700, 10 and 10."""

WITH_DATABASE = {"db", "transactional_db", "live_stack", "start_stack", "processes"}


def pytest_itemcollected(item: pytest.Item) -> None:
    """Name Schemathesis' tests by their operation: pytest 9.2 makes ids without looking at their names."""
    operation = getattr(item, "operation_label", None)
    if operation and item.id.params is None:
        item._id = item.id.with_params(operation)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that start processes; on PostgreSQL, leave out those that use no database."""
    refuse_repeats(item.nodeid for item in items)
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "live_stack" in fixtures or "start_stack" in fixtures:
            item.add_marker(pytest.mark.stack)
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
    if WANTED == "postgresql":
        without = [item for item in items if not _uses_database(item)]
        items[:] = [item for item in items if _uses_database(item)]
        config.hook.pytest_deselected(items=without)


def refuse_repeats(ids: Iterable[str]) -> None:
    """Raise UsageError if tests share an id: xdist then runs one of them and says nothing of the others."""
    repeated = [f"{name} ({number} tests)" for name, number in Counter(ids).items() if number > 1]
    if repeated:
        raise pytest.UsageError(f"Tests have one id: {', '.join(repeated)}")


def _uses_database(item: pytest.Item) -> bool:
    """By its mark or fixtures, or because its file starts stacks or asks which database is meant."""
    module = getattr(item, "module", None)
    return bool(
        item.get_closest_marker("django_db")
        or WITH_DATABASE & set(getattr(item, "fixturenames", ()))
        or any(hasattr(module, name) for name in ("running_stack", "WANTED", "only_postgresql"))
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Collect tests without the garbage collector, and keep it from going through them ever after.

    Thousands of tests and what their modules hold stay until the end; no search finds garbage among them.
    Later it comes less often than usual: clusters are many objects that are no garbage.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()
        gc.set_threshold(*THRESHOLDS)
