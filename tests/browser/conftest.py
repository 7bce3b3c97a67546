"""Browser tests wait as long for what they expect as for what they do: a busy machine is no fault."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.clusters import import_by_rest, scenario_by_rest, start_by_rest
from tests.browser.stages import crowd
from tests.browser.volcano_clusters import VolcanoRuns
from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.fixtures.stack import Stack

expect.set_options(timeout=ACTION_MILLISECONDS)


@pytest.fixture(scope="session")
def volcano_runs(live_stack: Stack) -> VolcanoRuns:
    """Runs of Volcano's samples and of clusters like them, each played once for all modules."""
    return VolcanoRuns(live_stack)


@pytest.fixture(scope="session")
def crowded(live_stack: Stack) -> int:
    """A scenario in which five nodes have room for 1,500 pods; its number."""
    return scenario_by_rest(live_stack, import_by_rest(live_stack, "slow", crowd(5, 1500, each=300)))


@pytest.fixture
def slow_run(live_stack: Stack, crowded: int) -> Iterator[int]:
    """A run that goes on while a test looks at it: for 150 seconds five nodes get pods in turn."""
    run = start_by_rest(live_stack, crowded, rate=10)
    yield run
    live_stack.request("DELETE", f"/api/v1/runs/{run}/?cascade=true", who="alice")
