"""A newcomer connects a cluster by its kubeconfig, and reads the first answer."""

import re
from collections.abc import Callable
from pathlib import Path

import msgspec
from playwright.sync_api import Page, expect

from tests.api_server import api_server
from tests.browser.clusters import contested
from tests.fixtures.stack import Stack, wait_until


def test_a_cluster_is_connected_and_its_first_answer_is_there(
    page_of: Callable[..., Page],
    live_stack: Stack,
    tmp_path: Path,
    assert_accessible: Callable[[Page], None],
) -> None:
    page = page_of("dora")
    with api_server(msgspec.json.decode(contested())["items"], tmp_path) as server:
        server.beyond = {"delete pods"}
        page.goto("/snapshots/")
        page.get_by_role("link", name="Clusters").click()
        assert_accessible(page)
        page.get_by_role("link", name="Connect a cluster").first.click()
        assert_accessible(page)
        page.get_by_label("A kubeconfig").set_input_files(server.kubeconfig)
        page.get_by_label("Name").fill("prod")
        page.get_by_role("button", name="Connect and read").click()
        expect(page.locator(".why-lead")).to_contain_text("3 pods")
        page.get_by_role("link", name="prod", exact=True).click()
        expect(page.locator("main .say").first).to_have_text("prod is as new as it should be.")
        expect(page.get_by_text("This account may do more than read: delete pods.")).to_be_visible()
        assert_accessible(page)
        page.get_by_role("button", name="Read prod now").click()
        expect(page.locator(".why-lead")).to_contain_text("3 pods")
        page.goto("/clusters/")
        expect(page.locator(".strip .whole")).to_have_count(2)
        page.get_by_role("link", name="prod", exact=True).click()
        expect(page).to_have_url(re.compile(r"/clusters/\d+/$"))
        _an_old_reading_is_put_away_and_opens(page, live_stack, assert_accessible)
        page.get_by_role("button", name="Disconnect prod").click()
        expect(page.get_by_role("heading", name="No cluster is connected")).to_be_visible()


OLDER = """
from dashboard.models import *
Snapshot.objects.filter(cluster__name="prod").update(created_at="2026-01-01T10:00Z")
Question.objects.filter(snapshot__cluster__name="prod").update(used_at="2026-01-01T10:00Z")
"""


def _an_old_reading_is_put_away_and_opens(
    page: Page, stack: Stack, assert_accessible: Callable[[Page], None]
) -> None:
    stack.manage("shell", "--no-imports", stdin=OLDER)
    here = page.url
    page.get_by_role("button", name="Read prod now").click()
    expect(page.locator(".why-lead")).to_contain_text("3 pods")
    told = page.get_by_text("2 readings that nothing needs are stored as deltas")
    wait_until(lambda: bool(page.goto(here)) and told.is_visible())
    page.locator(".strip a").first.click()
    expect(page.locator(".why-lead")).to_contain_text("3 pods")
    page.goto(here)
    expect(page.get_by_text("1 reading that nothing needs is stored as a delta")).to_be_visible()
    page.goto("/snapshots/?readings=all")
    expect(page.get_by_text("Stored as a delta of")).to_have_count(1)
    assert_accessible(page)
    page.goto(here)
