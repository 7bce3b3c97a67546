"""Each guide in docs/guides/ says what is true: its steps are done here, as it says them."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.guides import GUIDES, Walk
from tests.fixtures.stack import Stack


@pytest.mark.parametrize("name", GUIDES)
def test_a_guide_is_walked(page_of: Callable[..., Page], live_stack: Stack, name: str) -> None:
    steps, who = GUIDES[name]
    walk = Walk(page_of(who), live_stack, name)
    steps(walk)
    walk.check_all_was_pressed()
