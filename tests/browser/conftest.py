"""Browser tests wait as long for what they expect as for what they do: a busy machine is no fault."""

from playwright.sync_api import expect

from tests.fixtures.browser import ACTION_MILLISECONDS

expect.set_options(timeout=ACTION_MILLISECONDS)
