"""Signing in and the users' page, in a browser."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.fixtures.stack import Stack


def test_the_link_signs_in_by_its_button_only_and_only_once(
    page_of: Callable[..., Page], live_stack: Stack, assert_accessible: Callable[[Page], None]
) -> None:
    link = live_stack.sign_in_link("dora")
    page = page_of(None)
    page.goto(link)
    page.goto(link)
    assert_accessible(page)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Set a password")).to_be_visible()
    assert_accessible(page)
    other = page_of(None)
    other.goto(link)
    expect(other.get_by_role("heading", name="This link is spent")).to_be_visible()


def test_somebody_not_signed_in_is_asked_to(
    page_of: Callable[..., Page], assert_accessible: Callable[[Page], None]
) -> None:
    page = page_of(None)
    page.goto("/accounts/")
    expect(page).to_have_url(re.compile(r"/accounts/sign-in/\?next=/accounts/"))
    assert_accessible(page)


def test_a_new_token_is_shown_once(page: Page, assert_accessible: Callable[[Page], None]) -> None:
    page.goto("/accounts/")
    page.get_by_label("What is it for?").fill("nightly check")
    page.get_by_role("button", name="Create a token").click()
    expect(page.get_by_role("status").locator("code")).to_have_text(re.compile("^sandtable_"))
    assert_accessible(page)
    page.goto("/accounts/")
    expect(page.get_by_text("nightly check", exact=True)).to_be_visible()
    expect(page.locator("code", has_text="sandtable_")).to_have_count(0)


def test_an_administrator_invites_a_viewer_and_is_told_what_viewers_see(
    page_of: Callable[..., Page], assert_accessible: Callable[[Page], None]
) -> None:
    page = page_of("dora")
    page.goto("/accounts/users/")
    expect(page.get_by_text("their victims")).to_be_visible()
    assert_accessible(page)
    page.get_by_label("Name", exact=True).fill("erin")
    page.get_by_role("button", name="Invite").click()
    expect(page.get_by_role("status").locator("code")).to_have_text(re.compile("/accounts/link/"))
