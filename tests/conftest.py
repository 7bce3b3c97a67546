"""What every test may use; each group of fixtures is a file of ``tests/fixtures``.

people: alice (operator), bob (viewer), charlie (outsider), dora (administrator), in the test's database.
processes: ``fake_engine``, and ``processes``, real workers and web servers over the test's database.
broker: ``valkey``, a real server, and ``broker``, which points Celery and Channels at it.
stack: ``live_stack``, all parts as ``manage.py up`` starts them, with the same people.
browser: ``page`` (signed in as alice) and ``page_of(name)`` in Chromium, ``assert_accessible(page)``.
"""

import pytest

pytest_plugins = [
    "tests.fixtures.people",
    "tests.fixtures.broker",
    "tests.fixtures.processes",
    "tests.fixtures.stack",
    "tests.fixtures.browser",
]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that start processes; xdist hands out whole files, whose fixtures are made once so."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "live_stack" in fixtures:
            item.add_marker(pytest.mark.stack)
        if "chromium" in fixtures:
            item.add_marker(pytest.mark.browser)
