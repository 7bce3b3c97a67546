"""Each guide in docs/guides/ says what is true: its steps are done here, as it says them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.guides import ENVIRONMENT, GUIDES, Walk, walked_alone
from tests.fixtures.stack import Stack


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_walked(page_of: Callable[..., Page], live_stack: Stack, name: str) -> None:
    steps, who = GUIDES[name]
    walk = Walk(page_of(who), live_stack, name)
    steps(walk)
    walk.check_all_was_pressed()


def test_the_guide_to_a_scheduler_of_ones_own_is_walked(
    chromium: Browser, start_stack: Callable[..., Any]
) -> None:
    with start_stack(**ENVIRONMENT) as stack:
        walked_alone(chromium, stack).context.close()
