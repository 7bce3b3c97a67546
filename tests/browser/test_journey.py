"""The whole way through, as somebody goes it first: import, edit, run, step, look closer, come back."""

import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.stages import reprieve


def test_from_a_file_to_the_reprieve_of_a_pod_and_back_to_the_same_address(
    page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "cluster.json"
    file.write_bytes(reprieve())
    page.goto("/snapshots/import/")
    page.locator("#files").set_input_files(file)
    page.get_by_label("Name").fill("the whole way")
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("heading", name="the whole way")).to_be_visible()

    page.get_by_role("button", name="New scenario").or_(page.get_by_role("link", name="New scenario")).click()
    page.get_by_role("button", name="Cordon", exact=True).click()
    page.locator(".edit").first.get_by_label("Node").fill("node-2")
    page.get_by_label("Time and queue").select_option("instant")
    expect(page.locator("[data-verdict]")).to_have_text("Nothing is wrong with it.")
    page.get_by_role("button", name="Run").click()

    page.wait_for_url(re.compile(r"/runs/\d+/"))
    page.locator("#debugger[data-loaded]").wait_for()
    page.wait_for_function("() => sandtable.log.head >= 2")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    sentence = page.locator(".inspector .say")
    expect(sentence).to_contain_text("Evicting 1 pod on node-1 makes room: it is the only node")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text("Takes node-1, the node it was nominated to")
    page.keyboard.press("ArrowLeft")

    page.get_by_role("tab", name="Preemption").click()
    strip = page.locator(".strip-section")
    expect(strip).to_contain_text("still fits: reprieved")
    expect(strip).to_contain_text("victim")
    page.wait_for_url(re.compile("at=1.*tab=preemption"))
    seen, address = strip.inner_text(), page.url

    page.goto(address)
    page.locator("#debugger[data-loaded]").wait_for()
    expect(sentence).to_contain_text("Evicting 1 pod on node-1 makes room")
    expect(strip).to_have_text(re.compile("reprieved"))
    assert strip.inner_text() == seen
