"""Much of a page is drawn anew while somebody presses, types or goes by keyboard: none of that is lost."""

import os
import re
import signal
from collections.abc import Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.browser.pages import opened
from tests.browser.stages import cloud, crowd
from tests.browser.test_debugger_clock import arriving
from tests.dashboard.rows import listing, node, pod
from tests.fixtures.stack import Stack

TWO_FRAMES = "() => new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))"


@pytest.fixture(scope="module")
def waiting_run(live_stack: Stack) -> int:
    """A run of a clock in which a pod waits for five minutes before anything else happens."""
    snapshot = import_by_rest(live_stack, "waits", listing(node("node-1", cpu="1"), pod("huge", cpu="64")))
    late = arriving("late", "1", 290)
    return run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot, late, driver="timed"))


@pytest.fixture
def stopped_importers(live_stack: Stack) -> Iterator[None]:
    """No import is taken up. The supervisor, which replaces who is silent for too long, is stopped first."""
    stopped = [live_stack.process.pid, *live_stack.pids("importer")]
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    yield
    for pid in reversed(stopped):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def press(page: Page, target: Locator) -> None:
    """Press the mouse on something and hold it."""
    target.hover()
    page.mouse.down()


def press_where(page: Page, selector: str, place: int) -> None:
    """Press the mouse where an element of several is now, on whatever is there then, and hold it."""
    middle = """([selector, place]) => {
      const { x, y, width, height } = document.querySelectorAll(selector)[place].getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    }"""
    page.mouse.move(*page.evaluate(middle, [selector, place]))
    page.mouse.down()


def followed(page: Page, run: int) -> Page:
    """The debugger of a run that goes on, at its head."""
    opened(page, run)
    page.keyboard.press("f")
    page.wait_for_function("() => sandtable.reading.follow")
    return page


def decisions_go_by(page: Page, number: int) -> None:
    """Wait until what so many more decisions changed is drawn."""
    page.evaluate("window.shown = sandtable.fold.at")
    page.wait_for_function(f"() => sandtable.fold.at >= window.shown + {number}")


def test_a_press_while_a_live_run_is_followed_is_not_lost(page: Page, slow_run: int) -> None:
    followed(page, slow_run)
    press_where(page, ".queue [data-part=active] .queue-row", 4)
    # Drawing goes on while something is pressed, and the row leaves the queue.
    decisions_go_by(page, 6)
    page.mouse.up()
    expect(page.locator(".pod-card h3")).to_contain_text(re.compile(r"\w+/"))


KEEP = """() => {
  const row = document.querySelectorAll("[data-part=table] tbody tr")[2];
  const active = document.querySelector(".queue [data-part=active]");
  const waiting = [...active.querySelectorAll(".queue-row")].at(-1);
  const [name, more] = [row.querySelector(".node-link"), active.querySelector(".queue-more")];
  window.kept = { row, name, waiting, more };
  window.words = { row: row.innerText, waiting: waiting.innerText };
}"""
KEPT = """() => {
  const { row, waiting } = kept;
  const stays = Object.fromEntries(Object.entries(kept).map(([name, one]) => [name, one.isConnected]));
  return { ...stays, "is told anew": row.innerText !== words.row && waiting.innerText === words.waiting };
}"""


def test_what_stays_is_the_same_element_while_a_run_is_followed(page: Page, slow_run: int) -> None:
    followed(page, slow_run)
    page.get_by_role("button", name="table", exact=True).click()
    rows = page.locator("[data-part=table] tbody tr")
    expect(rows).to_have_count(5)
    page.locator(".queue [data-part=active] .queue-more").press("Enter")
    expect(page.locator(".queue [data-part=active] .queue-row")).to_have_count(150)
    page.evaluate(KEEP)
    decisions_go_by(page, 5)
    assert page.evaluate(KEPT) == {
        "row": True,
        "name": True,
        "waiting": True,
        "more": True,
        "is told anew": True,
    }
    rows.nth(2).locator(".node-link").hover()
    decisions_go_by(page, 5)
    assert page.evaluate("() => kept.name.matches(':hover') && kept.name.isConnected")
    page.evaluate("kept.name.click()")
    expect(rows.nth(2)).to_have_class("selected")


PRESS_LAST = "() => [...document.querySelectorAll('.queue [data-part=active] .queue-row')].at(-1).click()"
USED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("[data-part=active] ul { max-height: 60px; overflow: auto; overflow-anchor: none }");
  document.adoptedStyleSheets.push(sheet);
  window.list = document.querySelector(".queue [data-part=active] ul");
  list.scrollTop = 25;
  getSelection().selectAllChildren(document.querySelector(".pod-card h3"));
  window.chosen = getSelection().toString();
}"""
STILL_USED = """() => [
  list.isConnected,
  list.scrollTop,
  chosen !== "" && getSelection().toString() === chosen,
  document.activeElement.dataset.key,
]"""


def test_what_is_selected_scrolled_and_focused_stays_while_a_run_is_followed(
    page: Page, slow_run: int
) -> None:
    followed(page, slow_run)
    page.evaluate(PRESS_LAST)  # a row leaves the queue before a slow machine sees it stand still
    expect(page.locator(".pod-card h3")).to_be_visible()
    more = page.locator(".queue [data-part=active] .queue-more")
    more.focus()
    page.evaluate(USED)
    decisions_go_by(page, 5)
    assert page.evaluate(STILL_USED) == [True, 25, True, more.get_attribute("data-key")]


ASKED_AGAIN = """async () => {
  const { awaitAnswer, fill, h, keep } = await import("/static/js/drawing/dom.js");
  const panel = h("section");
  document.body.append(panel);
  const asked = [Promise.resolve("one"), Promise.resolve("two")];
  const draw = (question, more) => {
    const place = awaitAnswer(h("div"), asked[question]);
    fill(panel, more && h("p", {}, "more"), place);
    return place;
  };
  const first = draw(0);
  fill(first, h("b", {}, "one"));
  const shown = panel.querySelector("b");
  const again = draw(0, true);
  const waits = [panel.innerText, shown.isConnected];
  fill(first, h("b", {}, "too late"));
  fill(again, h("b", {}, "one again"));
  const answered = [panel.innerText, shown.isConnected, panel.querySelector("b") === shown];
  draw(1);
  const another = panel.innerText;
  const held = keep(h("ul", {}, h("li", {}, "held")));
  fill(panel, h("ul", {}, h("li", {}, "not held")));
  fill(panel, h("h3", {}, "head"), h("div", {}, held));
  fill(panel, h("div", {}, held), h("ul", {}));
  const isHeld = held.isConnected && held.innerText;
  const offer = () => {
    const choices = ["a", "b"].map((value) => h("option", { value }, value));
    const more = h("details", {}, h("summary", {}, "more"));
    fill(panel, more, h("select", {}, choices), h("input", { value: "drawn" }));
    return ["details", "select", "input"].map((name) => panel.querySelector(name));
  };
  const [details, select, input] = offer();
  Object.assign(details, { open: true });
  Object.assign(select, { value: "b" });
  input.value = "typed";
  input.focus();
  const isSame = offer().every((one, i) => one === [details, select, input][i]);
  const left = [isSame, details.open, select.value, input.value];
  return { waits, answered, another, left, held: isHeld };
}"""


def test_answers_and_what_a_reader_changed_stay_until_there_is_something_else(page: Page) -> None:
    page.goto("/")
    assert page.evaluate(ASKED_AGAIN) == {
        "waits": ["more\n\none", True],
        "answered": ["more\n\none again", True, True],
        "another": "",
        "held": "held",
        "left": [True, True, "b", "typed"],
    }


PRESSED = """async () => {
  await import("/static/js/presses.js");
  const heard = [];
  const [one, two] = ["one", "two"].map((words) => document.createElement("button"));
  one.onclick = () => heard.push("one");
  two.onclick = () => heard.push("two");
  document.body.prepend(one, two);
  const at = (type, on, clientX) =>
    on.dispatchEvent(new PointerEvent(type, { bubbles: true, button: 0, clientX, clientY: 5 }));
  at("pointerdown", one, 5);
  one.remove();
  at("pointerup", two, 5);
  at("pointerdown", two, 5);
  at("pointerup", document.body, 50);
  at("pointerdown", two, 5);
  at("pointerup", two, 5);
  return heard;
}"""


def test_a_press_is_for_what_was_pressed_unless_the_pointer_leaves_it(page: Page) -> None:
    page.goto("/")
    assert page.evaluate(PRESSED) == ["one"], "the browser itself makes the click on what is still there"


KEYED = """async () => {
  const { fill, h } = await import("/static/js/drawing/dom.js");
  const heard = [];
  const list = h("ul");
  document.body.append(list);
  const row = (key, says = key) =>
    h(
      "li",
      {},
      h("button", { data: { key }, title: says, onclick: () => heard.push(says) }, says),
      h("input", { value: says }),
    );
  const draw = (...rows) => fill(list, "rows: ", rows);
  draw(row("a"), row("b"), row("c"), row("d"));
  const before = Object.fromEntries([...list.children].map((one) => [one.innerText, one]));
  list.lastChild.lastChild.value = "typed";
  draw(row("d"), row("b", "changed"), row("e"), row("c"));
  for (const button of list.querySelectorAll("button")) button.click();
  const nameOf = (one) => Object.keys(before).find((key) => before[key] === one) ?? null;
  const found = [...list.children].map(nameOf);
  const inputs = [...list.querySelectorAll("input")].map((one) => one.value);
  const titles = [...list.querySelectorAll("button")].map((one) => one.title);
  const text = list.textContent;
  fill(list, h("li", {}, h("button", { data: { key: "b" } }, "b")));
  list.querySelector("button").click();
  return { heard, found, inputs, titles, text, isSame: list.firstChild === before.b, left: list.innerText };
}"""


def test_what_is_drawn_anew_by_key_does_what_was_drawn_last(page: Page) -> None:
    page.goto("/")
    found = page.evaluate(KEYED)
    says = ["d", "changed", "e", "c"]
    assert found == {
        "heard": says,
        "found": ["d", "b", None, "c"],
        "inputs": says,
        "titles": says,
        "text": "rows: dchangedec",
        "isSame": True,
        "left": "b",
    }


def test_leaving_a_field_by_a_press_does_both(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "left", cloud(12))
    opened(page, run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot)), "?at=1")
    page.locator("[data-part=at]").fill("3")
    row = page.locator(".queue .queue-row").first
    row.evaluate("row => (row.dataset.pressed = 'yes')")
    press(page, row)
    page.evaluate(TWO_FRAMES)
    page.mouse.up()
    expect(page.locator(".pod-card")).to_be_visible()
    expect(page).to_have_url(re.compile("at=3"))
    expect(page.locator(".queue [data-pressed]")).to_have_count(0)


def test_tabs_stay_while_time_goes_on_between_two_decisions(page: Page, waiting_run: int) -> None:
    opened(page, waiting_run, "?t=10")
    page.locator("[data-part=speed]").select_option("1 s a second")
    page.get_by_role("tab", name="Raw").evaluate("tab => tab.focus()")
    clock = page.locator(".bar .clock")
    before = clock.inner_text()
    page.get_by_role("button", name="Play").evaluate("play => play.click()")
    expect(clock).not_to_have_text(before)
    expect(page.get_by_role("tab", name="Raw")).to_be_focused()


def test_who_goes_by_keyboard_stays_where_they_are(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "keyboard", crowd(5, 60))
    opened(page, run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot)), "?at=1")
    more = page.locator(".queue [data-part=active] .queue-more")
    more.press("Enter")
    expect(more).to_have_attribute("aria-expanded", "true")
    expect(more).to_be_focused()
    row = page.locator(".queue [data-part=active] .queue-row").nth(3)
    row.press("Enter")
    expect(row).to_have_class(re.compile("selected"))
    expect(row).to_be_focused()
    life = page.locator(".pod-card .life button").first
    life.press("Enter")
    expect(life).to_be_focused()
    page.get_by_role("button", name="table", exact=True).click()
    name = page.locator("[data-part=table] .node-link").nth(2)
    name.press("Enter")
    expect(page.locator("[data-part=table] tr.selected")).to_have_count(1)
    expect(name).to_be_focused()
    expect(page.get_by_role("button", name="Play")).to_have_attribute("aria-pressed", "false")


def test_the_focus_comes_back_to_what_the_server_is_asked_for_again(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "scored", cloud(12))
    opened(page, run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot)), "?at=3&tab=scores")
    page.locator(".inspector .numbers-table summary").first.press("Enter")
    name = page.locator(".score-row .node-link").nth(1)
    name.press("Enter")
    expect(page).to_have_url(re.compile("node="))
    expect(name).to_be_focused()
    expect(page.locator(".inspector .numbers-table").first).to_have_attribute("open", "")


def test_who_steps_to_the_end_by_keyboard_does_not_start_again(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "ended", cloud(12))
    run = run_by_rest(live_stack, scenario_by_rest(live_stack, snapshot))
    last = live_stack.request("GET", f"/api/v1/runs/{run}/")[1]["decisions"]
    opened(page, run, f"?at={last - 1}")
    step = page.locator("[data-part=step]")
    step.focus()
    for _ in range(2):
        page.keyboard.press("Space")
        expect(step).to_be_disabled()
        expect(step).to_be_focused()
        expect(page.locator("[data-part=at]")).to_have_value(str(last))


def test_a_table_keeps_its_order_and_its_focus(page: Page, live_stack: Stack) -> None:
    snapshot = import_by_rest(live_stack, "ordered")
    for address in (f"/snapshots/{snapshot}/pods/", "/runs/"):
        page.goto(address)
        heading = page.locator("#table thead a").first
        heading.press("Enter")
        expect(page).to_have_url(re.compile("sort="))
        expect(heading).to_be_focused()
        page.get_by_role("searchbox").fill("e")
        expect(page).to_have_url(re.compile("q=e"))
        expect(page).to_have_url(re.compile("sort="))


def test_the_button_that_cancels_an_import_stays_while_progress_is_told(
    page: Page, stopped_importers: None
) -> None:
    page.goto("/snapshots/import/")
    page.get_by_label("or paste it").fill("apiVersion: v1\nkind: Node\nmetadata: {name: pasted}\n")
    page.get_by_role("button", name="Import").click()
    cancel = page.get_by_role("button", name="Cancel the import")
    cancel.focus()
    for _ in range(2):
        with page.expect_response(lambda answer: "hx-request" in answer.request.headers):
            pass
    expect(page.locator("#progress-now")).to_contain_text("waiting for a worker")
    expect(cancel).to_be_focused()
    cancel.press("Enter")
    expect(cancel).to_have_count(0)


TOPS = """() => {
  window.tops = new Set();
  const note = () => {
    const top = (selector) => document.querySelector(selector).getBoundingClientRect().y;
    tops.add(`${top(".cluster")} ${top("[data-part=table] tbody tr:last-child")}`);
    requestAnimationFrame(note);
  };
  note();
}"""
OUTGROWN = "() => sandtable.log.head > document.querySelector('.time-shown').clientWidth / 6 + 2"


def test_nothing_moves_when_a_followed_run_no_longer_fits_the_time_line(
    page: Page, live_stack: Stack, slow_run: int
) -> None:
    address = f"/api/v1/runs/{slow_run}/"
    live_stack.request("PATCH", address, {"rate": 1}, who="alice")  # until the page is ready to be watched
    page.set_viewport_size({"width": 760, "height": 900})
    followed(page, slow_run)
    page.get_by_role("button", name="table", exact=True).click()
    expect(page.locator("[data-part=table] tbody tr")).to_have_count(5)
    page.evaluate(TOPS)
    assert not page.evaluate(OUTGROWN), "the run is too far already"
    live_stack.request("PATCH", address, {"rate": 20}, who="alice")
    page.wait_for_function(OUTGROWN)
    page.evaluate(TWO_FRAMES)
    assert page.evaluate("[...tops].length") == 1


def test_what_is_said_of_nodes_stays_on_one_line_while_a_run_is_followed(page: Page, slow_run: int) -> None:
    followed(page, slow_run)
    page.get_by_role("button", name="table", exact=True).click()
    role = page.locator("[data-part=table] .role").first
    lines = "role => [getComputedStyle(role).whiteSpace, role.title === role.innerText]"
    assert role.evaluate(lines) == ["nowrap", True]
    page.locator("[data-part=first]").click()
    expect(page.locator("[data-part=table] table.steady")).to_have_count(0)
    assert role.evaluate("role => getComputedStyle(role).whiteSpace") == "normal"
