"""Browser tests wait as long for what they expect as for what they do: a busy machine is no fault."""

import pytest
from playwright.sync_api import expect

from tests.browser.volcano_clusters import VolcanoRuns
from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.fixtures.stack import Stack

expect.set_options(timeout=ACTION_MILLISECONDS)


@pytest.fixture(scope="session")
def volcano_runs(live_stack: Stack) -> VolcanoRuns:
    """Runs of Volcano's samples and of clusters like them, each played once for all modules."""
    return VolcanoRuns(live_stack)
