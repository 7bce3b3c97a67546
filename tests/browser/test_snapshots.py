"""Importing and looking into a snapshot, as somebody does who has a file from kubectl."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.clusters import contested, import_by_rest
from tests.dashboard.packing import tar_gz, zipped
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def test_a_chosen_file_is_imported_and_summed_up(
    page: Page, tmp_path: Path, assert_accessible: Check
) -> None:
    file = tmp_path / "cluster.json"
    file.write_bytes(contested())
    page.goto("/snapshots/import/")
    assert_accessible(page)
    page.locator("#files").set_input_files(file)
    expect(page.locator("[data-chosen]")).to_contain_text("cluster.json")
    page.get_by_label("Name").fill("from a file")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="from a file")).to_be_visible()
    page.get_by_role("link", name="Summary").click()
    expect(page.locator("main .say")).to_have_text("3 nodes with 6 pods. 3 pods wait for a node.")
    expect(page.locator(".plot svg").first).to_be_visible()
    assert_accessible(page)


def test_pasted_yaml_is_read_by_a_worker_while_the_page_waits(page: Page) -> None:
    page.goto("/snapshots/import/")
    page.get_by_label("or paste it").fill(
        "apiVersion: v1\nkind: Node\nmetadata: {name: pasted-node}\n"
        "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}\n"
    )
    page.get_by_label("Name").fill("pasted")
    page.get_by_role("button", name="Import").click()
    expect(page.locator("main .say")).to_contain_text("1 node with 0 pods")


def test_an_archive_is_unpacked_by_a_worker_while_the_page_waits(
    page: Page, tmp_path: Path, assert_accessible: Check
) -> None:
    archive = tmp_path / "prod.tar.gz"
    pods = [(f"prod/team-{number}/pods.json", listing(pod(f"cart-{number}"))) for number in range(3)]
    nodes = ("prod/nodes.json", listing(node("node-1")))
    archive.write_bytes(tar_gz([nodes, *pods, ("prod/README.txt", b"taken on Monday")]))
    page.goto("/snapshots/import/")
    expect(page.locator("[data-drop]")).to_contain_text("zip, tar, gz, bz2, xz or zst")
    page.locator("#files").set_input_files(archive)
    page.get_by_role("button", name="Import").click()
    page.get_by_role("link", name="Summary").click()
    expect(page.locator("main .say")).to_contain_text("1 node with 3 pods")
    expect(page.locator("aside")).to_contain_text("1 file was left out of prod.tar.gz: prod/README.txt.")
    assert_accessible(page)


def test_what_is_wrong_in_an_archive_is_named_by_archive_entry_and_object(
    page: Page, tmp_path: Path, assert_accessible: Check
) -> None:
    archive = tmp_path / "prod.zip"
    for name, words in [
        ("pods.json", "prod.zip/pods.json: Pod shop/cart-1 · spec.containers[0].resources.requests.cpu"),
        ("../pods.json", "prod.zip · ../pods.json"),
    ]:
        archive.write_bytes(
            zipped([("nodes.json", listing(node("n-1"))), (name, listing(pod("cart-1", cpu="lots")))])
        )
        page.goto("/snapshots/import/")
        page.locator("#files").set_input_files(archive)
        page.get_by_role("button", name="Import").click()
        expect(page.locator("#progress .problems")).to_contain_text(words)
        assert_accessible(page)


def test_a_faulty_object_is_named_beside_the_input(page: Page, assert_accessible: Check) -> None:
    page.goto("/snapshots/import/")
    page.get_by_label("or paste it").fill(listing(node("node-1", cpu="four cores")).decode())
    page.get_by_role("button", name="Import").click()
    problems = page.locator("#import-problems")
    expect(problems).to_contain_text("node-1")
    expect(problems).to_contain_text("cpu")
    expect(page.get_by_label("or paste it")).to_have_attribute("aria-invalid", "true")
    assert_accessible(page)
    expect(page).to_have_url(page.url)


def test_search_narrows_the_table_and_the_address_keeps_it(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "searched")
    page.goto(f"/snapshots/{snapshot}/pods/")
    expect(page.locator("tbody tr")).to_have_count(6)
    page.get_by_role("searchbox").fill("huge")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.reload()
    expect(page.get_by_role("searchbox")).to_have_value("huge")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.get_by_role("link", name="Priority").click()
    expect(page.get_by_role("columnheader", name="Priority")).to_have_attribute("aria-sort", "ascending")


def test_the_way_back_from_a_search_asks_the_server_and_the_browser_keeps_no_page(
    page: Page, live_stack: Stack
) -> None:
    snapshot = import_by_rest(live_stack, "searched-back")
    page.goto(f"/snapshots/{snapshot}/pods/")
    page.get_by_role("searchbox").fill("huge")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.go_back()
    expect(page.locator("tbody tr")).to_have_count(6)
    expect(page.get_by_role("searchbox")).to_have_value("")
    kept = page.evaluate("[...Object.keys(sessionStorage), ...Object.keys(localStorage)].join()")
    assert "htmx-history-cache" not in kept


def test_a_search_without_bounds_is_answered_with_a_sentence(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "unbounded")
    page.goto(f"/snapshots/{snapshot}/pods/")
    page.get_by_role("searchbox").fill("a " * 11)
    alert = page.get_by_role("alert")
    expect(alert).to_contain_text("A search may have at most 10 words, not 11.")
    assert_accessible(page)
    alert.get_by_role("link", name="Show all rows").click()
    expect(page.locator("tbody tr")).to_have_count(6)


def test_a_choice_narrows_the_table_at_once(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "narrowed")
    page.goto(f"/snapshots/{snapshot}/pods/")
    page.locator("select[name=namespace]").select_option("shop")
    expect(page).to_have_url(re.compile("namespace=shop"))
    page.get_by_label("pending only").check()
    expect(page).to_have_url(re.compile("pending=1"))
    page.goto("/runs/")
    page.locator("select[name=status]").select_option("finished")
    expect(page).to_have_url(re.compile("status=finished"))


def test_leaving_the_search_asks_for_nothing_so_that_a_pressed_link_stays(
    page: Page, live_stack: Stack
) -> None:
    """A table that is drawn anew between press and release swallows the click."""
    snapshot = import_by_rest(live_stack, "pressed")
    for address, word in ((f"/snapshots/{snapshot}/pods/", "huge"), ("/runs/", "none of them")):
        page.goto(address)
        page.get_by_role("searchbox").fill(word)
        expect(page).to_have_url(re.compile("q="))
        page.evaluate("addEventListener('htmx:beforeRequest', () => (window.asked = true))")
        page.get_by_role("searchbox").blur()
        assert not page.evaluate("window.asked")
    page.get_by_role("link", name="Show all rows").click()
    expect(page).to_have_url(re.compile(r"/runs/\?$"))


def test_a_row_opens_its_object_as_yaml(page: Page, live_stack: Stack, assert_accessible: Check) -> None:
    snapshot = import_by_rest(live_stack, "detailed")
    page.goto(f"/snapshots/{snapshot}/nodes/")
    page.get_by_role("link", name="node-1").click()
    drawer = page.get_by_role("dialog")
    expect(drawer).to_contain_text("kind: Node")
    expect(drawer).to_contain_text("shop/cart-1")
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()


def test_back_leads_through_what_the_drawer_showed_and_leaves_the_filter(
    page: Page, live_stack: Stack
) -> None:
    snapshot = import_by_rest(live_stack, "back")
    page.goto(f"/snapshots/{snapshot}/")
    page.goto(f"/snapshots/{snapshot}/nodes/")
    page.get_by_role("searchbox").fill("node-1")
    expect(page).to_have_url(re.compile("q=node-1"))
    filtered = page.url
    drawer, row = page.get_by_role("dialog"), page.get_by_role("link", name="node-1", exact=True)
    row.click()
    drawer.get_by_role("link", name="shop/cart-1").click()
    expect(drawer).to_contain_text("kind: Pod")
    page.go_back()
    expect(drawer).to_contain_text("kind: Node")
    page.go_back()
    expect(drawer).to_be_hidden()
    assert page.url == filtered
    row.click()
    expect(drawer).to_contain_text("kind: Node")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    page.wait_for_function("() => !history.state?.depth")
    page.go_back()
    expect(page).not_to_have_url(filtered)


def test_what_was_withheld_is_listed_and_not_exported(page: Page, live_stack: Stack) -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "key"}, "data": {"key": "aHVzaA=="}}
    snapshot = import_by_rest(live_stack, "private", listing(node("node-1"), pod("cart"), secret))
    page.goto(f"/snapshots/{snapshot}/summary/")
    page.get_by_text("left out before anything was stored").click()
    expect(page.locator("aside")).to_contain_text("Secret")
    exported = page.request.get(f"/snapshots/{snapshot}/export.yaml").text()
    assert "node-1" in exported
    assert "aHVzaA" not in exported
