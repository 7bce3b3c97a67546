"""Sign-in by an OpenID Connect provider with clicks, on a product of its own, and out again."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.fixtures.browser import ACTION_MILLISECONDS
from tests.oidc_provider import CLIENT, SECRET, running_provider


def test_somebody_signs_in_with_a_click_comes_to_where_they_were_going_and_signs_out_everywhere(
    start_stack: Callable[..., Any], chromium: Browser, assert_accessible: Callable[[Page], None]
) -> None:
    with (
        running_provider() as provider,
        start_stack(
            SANDTABLE_OIDC_ISSUER=provider.url,
            SANDTABLE_OIDC_NAME="Example",
            SANDTABLE_OIDC_CLIENT_ID=CLIENT,
            SANDTABLE_OIDC_CLIENT_SECRET=SECRET,
            SANDTABLE_OIDC_VIEWER_GROUPS="team",
            SANDTABLE_PASSWORD_USERS="admin",
        ) as stack,
    ):
        assert provider.asked == [], "a start asks no provider"
        context = chromium.new_context(base_url=stack.url)
        context.set_default_timeout(ACTION_MILLISECONDS)
        page = context.new_page()
        problems: list[str] = []
        page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
        page.goto("/snapshots/?q=a")
        page.get_by_role("link", name="Sign in with Example").wait_for()
        assert_accessible(page)
        page.get_by_role("link", name="Sign in with Example").click()
        page.get_by_role("button", name="I am Erin").click()
        expect(page).to_have_url(f"{stack.url}/snapshots/?q=a")
        page.get_by_label("Account of erin").click()
        page.get_by_role("button", name="Sign out").click()
        expect(page.get_by_role("heading", name="You are signed out of Sandtable")).to_be_visible()
        assert_accessible(page)
        page.get_by_role("link", name="Sign out of Example, too").click()
        expect(page.get_by_role("heading", name="Sign in", exact=True)).to_be_visible()
        assert provider.asked[-1] == "/end"
        provider.claims["groups"] = []
        page.get_by_role("link", name="Sign in with Example").click()
        page.get_by_role("button", name="I am Erin").click()
        expect(page.get_by_role("heading", name="You may not sign in here")).to_be_visible()
        assert_accessible(page)
        assert [one for one in problems if "403" not in one] == []
        context.close()
