"""Two runs side by side: the sentence, the first decision that differs, and both maps on one time line."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from samples.stolen_room.sample import stolen_room_files, stolen_room_scenarios
from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest, start_by_rest
from tests.browser.stages import crowd
from tests.fixtures.stack import Stack, wait_until

Check = Callable[[Page], None]


def scenario_of_the_sample(stack: Stack, snapshot: int, number: int) -> int:
    """A scenario of the sample on an imported copy of its cluster; its number."""
    planned = stolen_room_scenarios()[number]
    scheduler = {"profile": planned.pop("profile")}
    return scenario_by_rest(stack, snapshot, scheduler=scheduler, **planned)


@pytest.fixture(scope="module")
def runs(live_stack: Stack) -> tuple[int, int]:
    """The sample's runs under 1.8 and 1.11."""
    objects = b"\n---\n".join(content for _, content in stolen_room_files())
    snapshot = import_by_rest(live_stack, "stolen", objects, "application/yaml")
    one, other = (run_by_rest(live_stack, scenario_of_the_sample(live_stack, snapshot, at)) for at in (0, 1))
    return one, other


def opened(page: Page, a: int, b: int, at: str = "") -> Page:
    """The page of two runs, read to the end."""
    page.goto(f"/compare/?a={a}&b={b}{at}")
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    return page


def card(page: Page, side: str) -> str:
    place = page.locator(f"[data-sentence={side}]")
    expect(place).to_have_text(re.compile("(Goes to|Fits on)"))
    return place.inner_text()


def test_the_first_difference_is_told_in_both_sentences(
    page: Page, runs: tuple[int, int], assert_accessible: Check
) -> None:
    opened(page, *runs)
    expect(page.locator(".compare-say")).to_contain_text(
        "Under kube-1.8 the room on node-a that shop/checkout-1 had freed was taken by finance/report-1 "
        "at decision 2; under kube-1.11 it was held for shop/checkout-1."
    )
    assert "node-a" in card(page, "a")
    assert "none of 3 nodes" in card(page, "b")
    differences = page.locator(".compare-figures > .table-wrap tbody td:last-child").all_inner_texts()
    assert all(re.match(r"[+\u2212]\d", told) for told in differences), differences
    for run in runs:
        link = page.locator(f'.compare-card a[href="/runs/{run}/?at=2"]')
        expect(link).to_have_text("Decision 2 in the debugger")
    assert_accessible(page)


def test_one_time_line_steps_both_runs_and_the_shorter_one_stands_at_its_end(
    page: Page, runs: tuple[int, int]
) -> None:
    opened(page, *runs)
    left, right = (page.locator(f".compare-side[data-side={side}]") for side in "ab")
    expect(left.locator("[data-part=where]")).to_have_text("after decision 2 of 4")
    expect(right.locator("[data-part=where]")).to_have_text("after decision 2 of 3")
    page.keyboard.press("ArrowRight")
    expect(left.locator("[data-part=now]")).to_contain_text("preempts")
    expect(right.locator("[data-part=now]")).to_contain_text("node-a")
    page.keyboard.press("End")
    expect(left.locator("[data-part=where]")).to_have_text("after decision 4 of 4")
    expect(right.locator("[data-part=where]")).to_have_text("after decision 3 of 3; the run has ended")
    page.keyboard.press("Home")
    expect(left.locator("[data-part=now]")).to_have_text("Before the first decision.")
    expect(right.locator("[data-part=now]")).to_have_text("Before the first decision.")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("[data-part=at]")).to_have_value("0")
    page.keyboard.press("d")
    expect(page.locator("[data-part=at]")).to_have_value("2")


def test_play_steps_both_runs_and_stops_at_the_first_difference(page: Page, runs: tuple[int, int]) -> None:
    faults: list[str] = []
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    opened(page, *runs)
    at, play = page.locator("[data-part=at]"), page.locator("[data-part=play]")
    where = page.locator(".compare-side [data-part=where]")
    page.keyboard.press("Home")
    play.click()
    expect(at).to_have_value("2")
    expect(play).to_have_attribute("aria-pressed", "false")
    expect(where).to_have_text(["after decision 2 of 4", "after decision 2 of 3"])
    page.wait_for_timeout(600)
    expect(at).to_have_value("2")
    play.click()
    expect(at).to_have_value("4")
    expect(play).to_have_attribute("aria-pressed", "false")
    assert faults == []


def test_space_plays_and_pauses(page: Page, runs: tuple[int, int]) -> None:
    opened(page, *runs)
    at, play = page.locator("[data-part=at]"), page.locator("[data-part=play]")
    page.keyboard.press("Home")
    expect(at).to_have_value("0")
    page.evaluate("() => comparison.reading.set({ speed: 0.01 })")  # it still plays when somebody looks
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "true")
    page.keyboard.press(" ")
    expect(play).to_have_attribute("aria-pressed", "false")
    page.evaluate("() => comparison.reading.set({ speed: 200 })")  # it would run off, were it not paused
    page.wait_for_timeout(600)
    expect(at).to_have_value("0")


def test_the_maps_show_what_each_run_holds(page: Page, runs: tuple[int, int]) -> None:
    opened(page, *runs, "&at=4")
    page.get_by_role("button", name="table", exact=True).click()
    tables = [page.locator(f".compare-side[data-side={side}] [data-part=table]") for side in "ab"]
    for table in tables:
        expect(table.get_by_role("row", name=re.compile("node-a"))).to_contain_text("2 of 110")
    page.keyboard.press("d")
    rows = [table.get_by_role("row", name=re.compile("node-a")) for table in tables]
    expect(rows[0]).to_contain_text("nominated for shop/checkout-1, not held")
    expect(rows[1]).to_contain_text("promised to shop/checkout-1")
    page.keyboard.press("End")
    expect(rows[0]).not_to_contain_text("nominated")
    held = page.evaluate(
        "() => comparison.sides.map(({ fold }) => Object.fromEntries("
        "Object.values(fold.state().tables.pods).map(({ name, node }) => [name, node])))"
    )
    assert (held[0]["checkout-1"], held[0]["report-1"]) == ("node-b", "node-a")
    assert (held[1]["checkout-1"], held[1]["report-1"]) == ("node-a", "")


def test_the_address_shows_the_same_again_and_the_sides_swap(page: Page, runs: tuple[int, int]) -> None:
    opened(page, *runs)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("at=3$"))
    expect(page.locator(".compare-side[data-side=a] [data-part=now]")).to_contain_text("preempts")
    expect(page.locator(".compare-side[data-side=b] [data-part=now]")).to_contain_text("node-a")
    before = page.locator(".compare-sides").inner_text()
    page.reload()
    expect(page.locator("#compare")).to_have_attribute("data-loaded", "yes")
    expect(page.locator("[data-part=at]")).to_have_value("3")
    expect(page.locator(".compare-sides")).to_have_text(before, use_inner_text=True)
    page.get_by_role("link", name="Swap sides").click()
    expect(page).to_have_url(re.compile(rf"a={runs[1]}&b={runs[0]}&at=3$"))
    expect(page.locator(".compare-side[data-side=a] h3")).to_contain_text(f"kube-1.11 run {runs[1]}")


def test_a_runs_page_leads_to_those_it_may_be_compared_with(
    page: Page, runs: tuple[int, int], assert_accessible: Check
) -> None:
    page.goto(f"/runs/{runs[0]}/outcome/")
    page.get_by_role("link", name="Compare with…").click()
    section = page.locator("section", has_text="Of the same cluster")
    assert_accessible(page)
    section.get_by_role("link", name=f"run {runs[1]}", exact=True).click()
    expect(page.locator("h1")).to_have_text("kube-1.8 beside kube-1.11")


def test_equal_runs_say_so(page: Page, live_stack: Stack, runs: tuple[int, int]) -> None:
    _, run = live_stack.request("GET", f"/api/v1/runs/{runs[0]}/", who="alice")
    again = run_by_rest(live_stack, run["scenario"])
    opened(page, runs[0], again)
    expect(page.locator(".compare-say")).to_contain_text(
        "Both runs decide alike: all 4 decisions are the same"
    )
    expect(page.locator(".compare-card")).to_contain_text("None: pod, outcome, node")
    expect(page.locator("[data-part=at]")).to_have_value("4")


def test_while_a_log_is_read_end_waits_for_the_real_end(page: Page, live_stack: Stack) -> None:
    scenario = scenario_by_rest(live_stack, import_by_rest(live_stack, "long", crowd(20, 700)))
    runs = [run_by_rest(live_stack, scenario) for _ in "ab"]
    held: list[tuple[WebSocketRoute, str | bytes]] = []
    released: list[bool] = []

    def hold(socket: WebSocketRoute) -> None:
        """Let only the first decisions of the log through."""
        server = socket.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if not released and (held or re.search('"from":(?!1,)', str(message))):
                held.append((socket, message))
            else:
                socket.send(message)

        server.on_message(pass_on)
        socket.on_message(lambda acknowledgement: None)  # the server may have closed while messages are held

    page.route_web_socket(re.compile(f"/ws/runs/{runs[1]}/"), hold)
    opened(page, *runs, "&at=3")
    of, at = page.locator("[data-part=of]"), page.locator("[data-part=at]")
    expect(of).to_have_text(re.compile(r"^of 700, loading: \d+ read$"))
    page.keyboard.press("End")
    expect(of).to_have_text(re.compile(r"^of 700, loading: \d+ read, then on to 700$"))
    expect(at).to_have_value("3")
    page.wait_for_timeout(300)
    expect(page).to_have_url(re.compile("at=3$"))
    released.append(True)
    for socket, message in held:
        socket.send(message)
    expect(of).to_have_text("of 700")
    expect(at).to_have_value("700")
    expect(page).to_have_url(re.compile("at=700$"))


def test_a_page_opened_while_a_run_goes_on_is_drawn_anew_once_it_has_ended(
    page: Page, live_stack: Stack
) -> None:
    scenario = scenario_by_rest(live_stack, import_by_rest(live_stack, "going", crowd(20, 600, each=30)))
    done, going = run_by_rest(live_stack, scenario), start_by_rest(live_stack, scenario, rate=2)
    wait_until(lambda: live_stack.request("GET", f"/api/v1/runs/{going}/")[1]["decisions"])
    opened(page, done, going)
    stands = rf"^Run {going} has not ended and stands at decision \d+\. Run {going} leaves \d+ pods pending"
    expect(page.locator(".compare-lead")).to_have_text(re.compile(stands))
    expect(page.get_by_text("This page is drawn anew once both have ended.")).to_be_visible()
    assert "at=" not in page.url
    page.get_by_role("button", name="one decision forwards").click()
    expect(page).to_have_url(re.compile(r"at=\d+$"))
    chosen = page.url
    live_stack.request("PATCH", f"/api/v1/runs/{going}/", {"rate": None}, who="alice")
    expect(page.locator(".compare-lead")).to_have_text(re.compile("^Both runs decide alike"))
    expect(page.locator("#going")).to_have_count(0)
    assert page.url == chosen


def test_narrow_and_dark_it_reads_as_well(
    page_of: Callable[..., Page], runs: tuple[int, int], assert_accessible: Check
) -> None:
    page = page_of("bob", color_scheme="dark", viewport={"width": 1024, "height": 768})
    opened(page, *runs)
    wide = page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= 1024
    assert_accessible(page)
