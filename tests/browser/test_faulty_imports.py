"""Imports of which a part is faulty, and files that are added to a snapshot, on the pages."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.clusters import import_by_rest
from tests.dashboard.packing import zipped
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]
FAULTY = [pod(f"cart-{number}", cpu="lots") for number in range(4)]
SAY = "main .say"


def test_a_small_import_is_sent_again_without_what_is_faulty(page: Page, assert_accessible: Check) -> None:
    page.goto("/snapshots/import/")
    page.get_by_label("or paste it").fill(listing(node("node-1"), *FAULTY).decode())
    page.get_by_label("Name").fill("most of it")
    page.get_by_role("button", name="Import").click()
    again = page.get_by_role("button", name="Import without these 4")
    expect(again).to_be_visible()
    assert_accessible(page)
    again.press("Enter")
    expect(page.get_by_role("heading", name="most of it")).to_be_visible()
    expect(page.locator(SAY)).to_contain_text("1 node with 0 pods")
    expect(page.locator(".warnings")).to_contain_text("Left out, since they are faulty")


def test_nothing_is_offered_where_nothing_would_be_left(page: Page) -> None:
    page.goto("/snapshots/import/")
    page.get_by_label("or paste it").fill(listing(*FAULTY).decode())
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#import-problems")).to_contain_text("cart-0")
    expect(page.get_by_role("button", name="Import without")).to_have_count(0)


def test_an_import_that_a_worker_failed_at_goes_on_without_what_is_faulty(
    page: Page, tmp_path: Path, assert_accessible: Check
) -> None:
    archive = tmp_path / "prod.zip"
    archive.write_bytes(zipped([("nodes.json", listing(node("node-1"))), ("pods.json", listing(FAULTY[0]))]))
    page.goto("/snapshots/import/")
    page.locator("#files").set_input_files(archive)
    page.get_by_role("button", name="Import").click()
    go_on = page.get_by_role("button", name="Import without this one")
    expect(go_on).to_be_visible()
    assert_accessible(page)
    go_on.click()
    expect(page.locator(SAY)).to_contain_text("1 node with 0 pods")


def test_a_file_is_added_to_a_finished_import(
    page: Page, live_stack: Stack, tmp_path: Path, assert_accessible: Check
) -> None:
    file = tmp_path / "more.json"
    file.write_bytes(listing(node("node-9"), pod("late")))
    base = import_by_rest(live_stack, "grows")
    page.goto(f"/snapshots/{base}/")
    page.get_by_role("link", name="Add a file").click()
    expect(page.locator("#files")).to_be_enabled()
    expect(page.get_by_role("heading", name="Add a file")).to_be_visible()
    assert_accessible(page)
    page.locator("#files").set_input_files(file)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="grows and more.json")).to_be_visible()
    page.get_by_role("link", name="Summary").click()
    expect(page.locator(SAY)).to_contain_text("4 nodes with 7 pods")
    page.goto(f"/snapshots/{base}/summary/")
    expect(page.locator(SAY)).to_contain_text("3 nodes with 6 pods")


def test_a_file_is_added_to_what_a_failed_import_kept(page: Page, tmp_path: Path) -> None:
    broken, more = tmp_path / "prod.yaml", tmp_path / "more.yaml"
    broken.write_bytes(listing(node("node-1"), *FAULTY).replace(b'{"apiVersion"', b'---\n{"apiVersion"', 1))
    more.write_text("apiVersion: v1\nkind: Node\nmetadata: {name: node-2}\n")
    page.goto("/snapshots/import/")
    page.locator("#files").set_input_files(broken)
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("button", name="Import without these 4")).to_be_visible()
    page.get_by_role("link", name="Add a file").click()
    expect(page.locator("#files")).to_be_enabled()
    page.locator("#files").set_input_files(more)
    page.get_by_role("button", name="Import").click()
    expect(page.locator(SAY)).to_contain_text("2 nodes with 0 pods")


def test_viewers_are_not_offered_to_add_a_file(page_of: Callable[..., Page], live_stack: Stack) -> None:
    base = import_by_rest(live_stack, "watched")
    viewer = page_of("bob")
    viewer.goto(f"/snapshots/{base}/")
    expect(viewer.get_by_role("heading", name="watched")).to_be_visible()
    expect(viewer.get_by_role("link", name="Add a file")).to_have_count(0)
