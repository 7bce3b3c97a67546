"""The palette (Ctrl-K) finds whatever is here by its name; terms say what they mean where they are used."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import opened
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

Check = Callable[[Page], None]


def palette(page: Page) -> Locator:
    """The open palette's field."""
    page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Find", exact=True)
    expect(field).to_be_focused()
    return field


def chosen(page: Page) -> Locator:
    """The option that Enter takes."""
    return page.locator("#palette-list [role=option][aria-selected=true]")


def larches() -> bytes:
    """Four pods of names that nothing else in the product has."""
    names = ("larch-1", "larch-2", "larch-3", "larceny")
    return listing(node("node-1"), *(pod(name, node="node-1") for name in names))


def test_the_keyboard_alone_finds_a_pod_of_the_cluster_at_hand(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    snapshot = import_by_rest(live_stack, "palette", larches())
    import_by_rest(live_stack, "another", larches())
    page.goto(f"/snapshots/{snapshot}/nodes/")
    field = palette(page)
    expect(chosen(page)).to_have_text(re.compile("^Home"))
    field.press_sequentially("larch")
    expect(page.get_by_text("Pods in palette")).to_be_visible()
    expect(page.locator("#palette-list").get_by_role("option")).to_have_count(3)
    expect(page.locator("dialog.palette [role=status]")).to_have_text("3 found")
    assert_accessible(page)
    field.press("ArrowDown")
    expect(chosen(page)).to_contain_text("shop/larch-2")
    assert field.get_attribute("aria-activedescendant") == chosen(page).get_attribute("id")
    field.press("ArrowUp")
    field.press("ArrowUp")
    expect(chosen(page)).to_contain_text("shop/larch-3")
    field.press("Enter")
    expect(page).to_have_url(f"{live_stack.url}/snapshots/{snapshot}/pods/uid-larch-3/")


def test_what_is_said_of_a_pod_with_a_long_name_keeps_its_words_whole(page: Page, live_stack: Stack) -> None:
    name = "quartz-recommendation-service-canary-000-0000000000-000050-and-then-some"
    snapshot = import_by_rest(live_stack, "quartz", listing(node("node-1"), pod(name)))
    page.goto(f"/snapshots/{snapshot}/nodes/")
    palette(page).press_sequentially("quartz")
    row = page.locator("#palette-list").get_by_role("option").filter(has_text=name)
    says = row.locator(".palette-says")
    expect(says).to_have_text("pending")
    one_line = "says => says.clientHeight < 1.9 * parseFloat(getComputedStyle(says).lineHeight)"
    assert says.evaluate(one_line)


def test_what_the_arrows_chose_stays_when_a_late_answer_comes(page: Page, live_stack: Stack) -> None:
    page.goto(f"/snapshots/{import_by_rest(live_stack, 'late', larches())}/nodes/")
    field = palette(page)
    field.press_sequentially("larc")
    expect(page.locator("dialog.palette [role=status]")).to_have_text("4 found")
    held: list[Route] = []
    page.route("**/api/v1/find/*", lambda route: held.append(route))
    with page.expect_request("**/api/v1/find/*"):
        field.press("h")
    for _ in range(4):
        field.press("ArrowDown")
        if "shop/larch-2" in chosen(page).inner_text():
            break
    held[0].continue_()
    expect(page.locator("dialog.palette [role=status]")).to_have_text("3 found")
    expect(chosen(page)).to_contain_text("shop/larch-2")


def test_enter_takes_what_was_found_for_the_words_that_stand_there(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "palette")
    page.goto(f"/snapshots/{snapshot}/")
    field = palette(page)
    field.fill("node-2")
    field.press("Enter")
    expect(page).to_have_url(f"{live_stack.url}/snapshots/{snapshot}/nodes/node-2/")


def test_the_button_opens_it_and_escape_gives_the_focus_back(page: Page) -> None:
    page.goto("/runs/")
    button = page.get_by_role("button", name="Find")
    expect(button).to_be_enabled()
    button.click()
    field = page.get_by_role("combobox", name="Find", exact=True)
    field.fill("no such thing")
    expect(page.locator("dialog.palette [role=status]")).to_have_text("Nothing here has this in its name.")
    expect(field).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Escape")
    expect(page.locator("dialog.palette")).to_be_hidden()
    expect(button).to_be_focused()


def test_a_server_that_cannot_be_reached_is_told(page: Page) -> None:
    page.goto("/runs/")
    field = palette(page)
    expect(chosen(page)).to_be_visible()
    page.route("**/api/v1/find/*", lambda route: route.abort())
    field.fill("x")
    expect(page.locator("dialog.palette [role=status]")).to_have_text("The server cannot be reached.")
    page.problems.clear()  # type: ignore[attr-defined]


def test_a_term_says_what_it_means_in_the_debugger(
    page: Page, live_stack: Stack, assert_accessible: Check
) -> None:
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, import_by_rest(live_stack, "terms")))
    opened(page, run, "?at=1&tab=preemption")
    word = page.locator(".inspector").get_by_role("button", name="Candidates", exact=True)
    box = page.get_by_role("note", name="What it means")
    word.hover()
    expect(box).to_be_visible()
    page.mouse.move(0, 0)
    expect(box).to_be_hidden()
    word.click()
    expect(box).to_contain_text(
        "A node on which the eviction of some pods would make room for the preemptor."
    )
    assert_accessible(page)
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    word.click()
    word.click()
    expect(box).to_be_hidden()
