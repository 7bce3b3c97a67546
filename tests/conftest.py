"""What every test may use; each group of fixtures is a file of ``tests/fixtures``.

people: alice (operator), bob (viewer), charlie (outsider), dora (administrator), in the test's database.
processes: ``fake_engine``, and ``processes``, real workers and web servers over the test's database.
broker: ``valkey``, a real server, and ``broker``, which points Celery and Channels at it.
stack: ``live_stack``, all parts as ``manage.py up`` starts them, with the same people.
browser: ``page`` (signed in as alice) and ``page_of(name)`` in Chromium, ``assert_accessible(page)``.
"""

import pytest
from hypothesis import HealthCheck, settings

from tests.fixtures.database import WANTED

pytest_plugins = [
    "tests.fixtures.people",
    "tests.fixtures.broker",
    "tests.fixtures.processes",
    "tests.fixtures.stack",
    "tests.fixtures.browser",
]


settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
"""How long an example takes says how busy the machine is."""

WITH_DATABASE = {"db", "transactional_db", "live_stack", "start_stack", "processes"}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark the tests that start processes; on PostgreSQL, leave out those that use no database."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "live_stack" in fixtures:
            item.add_marker(pytest.mark.stack)
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
    if WANTED == "postgresql":
        without = [item for item in items if not _uses_database(item)]
        items[:] = [item for item in items if _uses_database(item)]
        config.hook.pytest_deselected(items=without)


def _uses_database(item: pytest.Item) -> bool:
    """By its mark or fixtures, or because its file starts stacks or asks which database is meant."""
    module = getattr(item, "module", None)
    return bool(
        item.get_closest_marker("django_db")
        or WITH_DATABASE & set(getattr(item, "fixturenames", ()))
        or any(hasattr(module, name) for name in ("running_stack", "WANTED", "only_postgresql"))
    )
